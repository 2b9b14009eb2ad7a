/** The demo where anvil cannot run: the API on a recorded market of the devnet, without a chain. */

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AnvilStartError, NoAnvilBinaryError } from '@braid-swap/devnet'
import { startApiProcess } from './apiProcess.js'
import type { DemoConfig } from './config.js'
import type { Demo, DemoFile } from './demo.js'

/** What can be asked of a recorded market: quotes, without a key. */
export type RecordedFile = Pick<DemoFile, 'apiUrl' | 'apiKey' | 'chainId' | 'tokens'>

/** True of the errors of a machine on which anvil cannot run. */
export const isWithoutAnvil = (error: unknown): error is Error =>
  error instanceof NoAnvilBinaryError || error instanceof AnvilStartError

/** Starts the API on the recorded market, and needs no port but its own. Throws API_DOWN. */
export async function startRecorded(
  config: DemoConfig,
): Promise<Pick<Demo, 'failed' | 'stop'> & { readonly file: RecordedFile }> {
  await mkdir(config.folder, { recursive: true })
  const tokenList = beside('tokens.json')
  const { tokens } = JSON.parse(readFileSync(tokenList, 'utf8'))
  const apiUrl = `http://127.0.0.1:${config.port}`
  const { died, stop } = await startApiProcess({
    ...{ url: apiUrl, logFile: join(config.folder, 'api.log') },
    environment: {
      BRAID_MARKET: beside('market.json.gz'),
      BRAID_TOKEN_LIST: tokenList,
      BRAID_KEY_RATE: '200',
      PORT: `${config.port}`,
      ...(config.compat && { BRAID_COMPAT: config.compat }),
    },
  })
  return { file: { apiUrl, apiKey: '', chainId: tokens[0].chainId, tokens }, failed: died, stop }
}

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url))
