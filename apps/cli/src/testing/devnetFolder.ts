import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet } from '@braid-swap/devnet/testing'

/** A devnet, and a folder with the file of its venues. */
export type DevnetFolder = {
  readonly devnet: Devnet
  readonly folder: string
  /** The options that select the devnet as the source of the market. */
  readonly node: readonly string[]
  readonly usdc: Address
  readonly stop: () => Promise<void>
}

/** Borrows a devnet, or takes another one, and writes its venues as a file. */
export async function borrowDevnetFolder(from?: Promise<Devnet>): Promise<DevnetFolder> {
  const devnet = await (from ?? borrowDevnet())
  const folder = await mkdtemp(join(tmpdir(), 'braid-devnet-'))
  const venues = join(folder, 'venues.json')
  await writeFile(venues, stringify(devnet.venues))
  const stop = async () => {
    await devnet.stop()
    await rm(folder, { recursive: true })
  }
  const usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  return { devnet, folder, node: ['--rpc', devnet.rpcUrl, '--venues', venues], usdc, stop }
}

/** Mines each transaction that something sends at once, so that nothing waits for a block. */
export async function mineDuring<T>(devnet: Devnet, run: () => Promise<T>): Promise<T> {
  await devnet.client.setAutomine(true)
  try {
    return await run()
  } finally {
    await devnet.client.setAutomine(false)
    // Puts the base fee back, too.
    await devnet.mine()
  }
}
