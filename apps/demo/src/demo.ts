import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { type Devnet, startDevnet } from '@braid-swap/devnet'
import { createKey, startApiProcess } from './apiProcess.js'
import { checkPorts, type DemoConfig } from './config.js'

/** The contents of `demo.json`: everything that a client of a running demo needs. */
export type DemoFile = {
  readonly apiUrl: string
  readonly rpcUrl: string
  readonly chainId: number
  readonly router: Address
  readonly executor: Address
  readonly wrappedNative: Address
  readonly apiKey: string
  readonly tokens: readonly {
    readonly symbol: string
    readonly name: string
    readonly address: Address
    readonly decimals: number
  }[]
  readonly venues: Devnet['venues']
  /** A wallet with large balances. Its key is publicly known from development nodes. */
  readonly account: { readonly address: Address; readonly privateKey: Hex }
}

/** A running demo. */
export type Demo = {
  readonly file: DemoFile
  /** Resolves with the reason if a part of it stops unexpectedly. */
  readonly failed: Promise<unknown>
  /** Starts the trader and the arbitrageur; until then the market is in its seeded state. */
  readonly startTrading: () => void
  /** Stops all parts; calling it again is harmless. */
  readonly stop: () => Promise<void>
}

const SWAPS_PER_BLOCK = 2
/** High limits, because the key is local: the page plots curves and scripts may loop. */
const DEMO_LIMITS = ['--rate', '200', '--burst', '400']

/**
 * Starts the devnet and the API on it, using only the API's public configuration. If a part cannot
 * start, the others are stopped. Throws PORT_BUSY, API_DOWN and the devnet's own errors.
 */
export async function startDemo(config: DemoConfig, log: (line: string) => void): Promise<Demo> {
  await checkPorts(config)
  await mkdir(config.folder, { recursive: true })
  const demoFile = join(config.folder, 'demo.json')
  const ends: (() => Promise<void>)[] = [() => rm(demoFile, { force: true })]
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end()
  }
  let fail: (reason: unknown) => void = () => {}
  const failed = new Promise<unknown>((resolve) => {
    fail = resolve
  })
  try {
    log(`starting a devnet on port ${config.rpcPort}`)
    const devnet = await startDevnet({
      ...{ port: config.rpcPort, mining: 'interval', onError: fail },
      blockTimeMs: config.blockTimeMs,
    })
    ends.push(devnet.stop)
    log(`devnet up: ${devnet.pools.length} pools on ${devnet.venues.length} venues`)
    const api = await startApi(config, devnet)
    ends.push(api.stop)
    void api.died.then(fail)
    log(`API ready; one block every ${config.blockTimeMs / 1_000} s`)
    // A program that waits for the file finds all of it.
    const draft = `${demoFile}.part`
    await writeFile(draft, `${stringify(api.file, 2)}\n`, { mode: 0o600 })
    await rename(draft, demoFile)
    const startTrading = () => {
      devnet.startTrader({ swapsPerBlock: SWAPS_PER_BLOCK })
      log(`a trader now moves the market, and an arbitrageur keeps prices consistent`)
    }
    return { file: api.file, failed, startTrading, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startApi(config: DemoConfig, devnet: Devnet) {
  const keysFile = join(config.folder, 'keys.json')
  const venuesFile = join(config.folder, 'venues.json')
  const chainFile = join(config.folder, 'chain.json')
  // The key of an earlier demo is not valid any more.
  for (const old of [keysFile, `${keysFile}.bak`]) await rm(old, { force: true })
  await writeFile(venuesFile, `${stringify(devnet.venues, 2)}\n`)
  await writeFile(chainFile, `${stringify(devnet.record, 2)}\n`)
  const key = await createKey(keysFile, ['--label', 'demo', ...DEMO_LIMITS])
  const file = describe(devnet, { apiUrl: `http://127.0.0.1:${config.port}`, apiKey: key })
  await writeFile(join(config.folder, 'tokens.json'), `${stringify(file.tokens, 2)}\n`)
  const api = await startApiProcess({
    url: file.apiUrl,
    logFile: join(config.folder, 'api.log'),
    environment: {
      BRAID_CHAIN: chainFile,
      BRAID_RPC_URLS: devnet.rpcUrl,
      BRAID_ROUTER: devnet.router,
      BRAID_VENUES: venuesFile,
      BRAID_KEYS_FILE: keysFile,
      // A busy machine may hold up its own chain for a while; quotes are still of the newest block.
      BRAID_MAX_STATE_AGE_MS: '30000',
      BRAID_PAGE_KEY: key,
      BRAID_DEMO_ACCOUNT: devnet.wallet.address,
      PORT: `${config.port}`,
      ...(config.compat && { BRAID_COMPAT: config.compat }),
    },
  })
  return { ...api, file }
}

function describe(devnet: Devnet, api: Pick<DemoFile, 'apiUrl' | 'apiKey'>): DemoFile {
  const { rpcUrl, chainId, router, executor, wrappedNative, venues, wallet } = devnet
  const native = { ...devnet.record.native, address: NATIVE }
  const others = devnet.tokens.map(({ symbol, name, address, decimals }) => ({
    ...{ symbol, name, address, decimals },
  }))
  return {
    ...api,
    ...{ rpcUrl, chainId, router, executor, wrappedNative },
    tokens: [native, ...others],
    venues,
    account: { address: wallet.address, privateKey: wallet.privateKey },
  }
}
