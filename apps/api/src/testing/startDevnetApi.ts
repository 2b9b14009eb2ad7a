import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { createKey } from '../keys/keys.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { type StartOptions, startApi } from '../start/startApi.js'
import { checkAnswer } from './checkAnswer.js'

/** The API as operators run it, on a devnet whose blocks come when a test mines them. */
export type DevnetApi = {
  readonly devnet: Devnet
  readonly url: string
  readonly apikey: string
  readonly market: LiveMarket
  /** GET with the key. Throws if the body departs from the OpenAPI document. */
  readonly get: <T>(path: string, params?: Readonly<Record<string, string>>) => Promise<Got<T>>
  /** Waits until the API has the chain's newest block. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Got<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

/**
 * Starts both, or a further API on a devnet that is there, which outlives it; nothing but the
 * interface's own rules limits who asks.
 */
export async function startDevnetApi(
  options: Partial<StartOptions> & { readonly devnet?: Devnet } = {},
): Promise<DevnetApi> {
  const { devnet: found, ...more } = options
  const devnet = found ?? (await borrowDevnet())
  const folder = await mkdtemp(join(tmpdir(), 'braid-devnet-api-'))
  const keysFile = join(folder, 'keys.json')
  const limits = { rate: 1_000, burst: 10_000 }
  const { key: apikey } = await createKey(keysFile, { label: 'test', ...limits })
  const api = await startApi({
    ...{ rpcUrls: [devnet.rpcUrl], keysFile, router: devnet.router, venues: devnet.venues },
    ...{ port: 0, pollMs: 50, simulationLimits: limits, logLevel: 'silent' },
    // The state grows old by the wall clock, and the machine may be slow.
    ...{
      maxStateAgeMs: 3_600_000,
      checksBlockTime: false,
      nodeTimeoutMs: 30_000,
      maxRequestMs: 60_000,
    },
    ...more,
  })
  await api.ready
  return {
    ...{ devnet, apikey, url: api.url, market: api.market },
    get: async <T>(path: string, params: Readonly<Record<string, string>> = {}) => {
      const url = `${api.url}${path}?${new URLSearchParams(params)}`
      const response = await fetch(url, { headers: { apikey } })
      const { status, headers } = response
      const body: unknown = await response.json()
      const faults = checkAnswer({ path, status, body }, more.compat)
      if (faults.length > 0) throw new Error(`${url} answers otherwise: ${faults.join('; ')}`)
      return { status, headers, body: body as T }
    },
    catchUp: async () => {
      const number = await devnet.client.getBlockNumber()
      while (api.market.current()?.graph.snapshot.block.number !== number) await sleep(5)
    },
    stop: async () => {
      await api.stop()
      if (!found) await devnet.stop()
      await rm(folder, { recursive: true })
    },
  }
}
