/**
 * A service of several processes on a devnet, under load: every answer with status 200 is compared
 * with the answer of an API that follows the same chain alone, at the same block.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createKey, type RunningApi, snapshotIdOf, startApi } from '@braid-swap/api'
import { createClient, loadSnapshot } from '@braid-swap/chain'
import type { Snapshot } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { borrowDevnet } from '@braid-swap/devnet/testing'
import { type ServiceProcess, startService } from './serviceProcess.js'

/** An answer of a reader. */
export type Seen = {
  readonly reader: string
  readonly status: number
  readonly code?: string
  readonly block?: string
  /** The number of that block. */
  readonly number?: bigint
  readonly quoteId?: string
  /** Says why there was no answer. */
  readonly failure?: string
  /** It was asked for and arrived then, in milliseconds of `performance.now()`. */
  readonly sentMs: number
  readonly atMs: number
}

/** Age after which a market of these tests is stale, in milliseconds. */
export const MAX_AGE_MS = 4_000
const BLOCK_MS = 150
const REQUEST_MS = 15
/**
 * A connection that is kept is closed after some idle seconds, maybe while a request is on its way;
 * on a new one only a fault leaves a request without an answer.
 */
const FRESH = { connection: 'close' }
/** Blocks between two corrections of the prices, which trades move apart. */
const ARBITRAGE_EVERY = 20

/** Starts a chain, an API that follows it alone, and what the processes of a service need. */
export async function openWorld() {
  const devnet = await borrowDevnet()
  const folder = await mkdtemp(join(tmpdir(), 'braid-service-'))
  const [keysFile, venuesFile] = [join(folder, 'keys.json'), join(folder, 'venues.json')]
  const { key } = await createKey(keysFile, { label: 'load', rate: 100_000, burst: 1_000_000 })
  await writeFile(venuesFile, stringify(devnet.venues))
  const alone = await startApi({
    ...{ rpcUrls: [devnet.rpcUrl], keysFile, router: devnet.router, venues: devnet.venues },
    ...{ port: 0, pollMs: 20, logLevel: 'silent', checksBlockTime: false },
    ...{ maxStateAgeMs: 3_600_000, maxRequestMs: 60_000, maxConcurrent: 10_000 },
  })
  await alone.ready
  const running = new Set<ServiceProcess>()
  const start = (
    role: 'indexer' | 'api',
    redisUrl: string,
    more: Record<string, string> = {},
    program?: string,
  ) => {
    const environment = {
      ...{ BRAID_ROLE: role, BRAID_REDIS_URL: redisUrl, BRAID_ROUTER: devnet.router },
      ...{ BRAID_KEYS_FILE: keysFile, BRAID_VENUES: venuesFile, BRAID_POLL_MS: '50' },
      ...{ BRAID_CHECK_BLOCK_TIME: 'false', BRAID_MAX_STATE_AGE_MS: `${MAX_AGE_MS}` },
      ...more,
    }
    const service = startService([], environment, program)
    running.add(service)
    void service.ended.then(() => running.delete(service))
    return service
  }
  const quotePath = () => {
    const [src, dst] = devnet.tokens
    const amount = `${10n ** 18n}`
    return `/swap/v1/999/quote?${new URLSearchParams({ src: src!.address, dst: dst!.address, amount })}`
  }
  const ask = async (reader: string, apikey = key): Promise<Seen> => {
    const sentMs = performance.now()
    try {
      const response = await fetch(`${reader}${quotePath()}`, { headers: { apikey, ...FRESH } })
      const { code } = (await response.json()) as { readonly code?: string }
      const [block, quoteId] = ['x-block-hash', 'x-quote-id'].map((name) =>
        response.headers.get(name),
      )
      const number = response.headers.get('x-block-number')
      return {
        ...{ reader, status: response.status, sentMs, atMs: performance.now() },
        ...(code && { code }),
        ...(block && { block }),
        ...(number && { number: BigInt(number) }),
        ...(quoteId && { quoteId }),
      }
    } catch (error) {
      const failure = `${(error as Error).cause ?? error}`
      return { reader, status: 0, failure, sentMs, atMs: performance.now() }
    }
  }
  const stop = async () => {
    for (const one of running) await one.kill()
    await alone.stop()
    await devnet.stop()
    await rm(folder, { recursive: true })
  }
  return { devnet, alone, keysFile, start, ask, stop }
}

/** A world as {@link openWorld} opens it. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** Blocks and requests while something goes wrong. */
export type Load = {
  readonly seen: readonly Seen[]
  /** The quote id that is right at each block, by hash. */
  readonly right: ReadonlyMap<string, string>
  /** When each block was mined, by hash, in milliseconds of `performance.now()`. */
  readonly minedMs: ReadonlyMap<string, number>
  /** Begins to ask a reader. */
  readonly askAlways: (reader: string) => void
  /** Resolves with the first answer of a reader from a block mined after the call. */
  readonly untilNewBlock: (reader: string) => Promise<Seen>
  /** Replaces the newest blocks, `depth` at most, by one more; resolves when their answer is known. */
  readonly reorganise: (depth: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Mines blocks with trades, and asks readers all the time. */
export function startLoad(world: World): Load {
  const { devnet, alone, ask } = world
  const seen: Seen[] = []
  const right = new Map<string, string>()
  const minedMs = new Map<string, number>()
  let isOver = false
  let pending: { readonly depth: number; readonly done: () => void } | undefined
  const mine = async () => {
    while (!isOver) {
      const replaced = pending
      if (replaced) await replaceBlocks(devnet, Math.min(replaced.depth, right.size))
      if (right.size % ARBITRAGE_EVERY === 0) await devnet.arbitrage()
      await devnet.trade(2)
      await devnet.mine()
      const atMs = performance.now()
      await caughtUp(world)
      const { block, quoteId } = await ask(alone.url)
      right.set(block!, quoteId!)
      minedMs.set(block!, atMs)
      if (replaced) {
        pending = undefined
        replaced.done()
      }
      await sleep(BLOCK_MS)
    }
  }
  const load = async (reader: string) => {
    while (!isOver) {
      seen.push(await ask(reader))
      await sleep(REQUEST_MS)
    }
  }
  const loops = [mine()]
  const askAlways = (reader: string) => void loops.push(load(reader))
  const untilNewBlock = async (reader: string) => {
    let from = seen.length
    const before = await devnet.client.getBlockNumber()
    while (true) {
      const end = seen.length
      const found = seen
        .slice(from, end)
        .find((one) => one.reader === reader && one.status === 200 && one.number! > before)
      if (found) return found
      from = end
      await sleep(5)
    }
  }
  const reorganise = (depth: number) =>
    new Promise<void>((done) => {
      pending = { depth, done }
    })
  const stop = async () => {
    isOver = true
    await Promise.all(loops)
  }
  return { seen, right, minedMs, askAlways, untilNewBlock, reorganise, stop }
}

/** Takes blocks back and mines as many others. */
async function replaceBlocks(devnet: World['devnet'], depth: number): Promise<void> {
  await devnet.client.request({ method: 'anvil_rollback' as never, params: [depth] as never })
  for (let i = 0; i < depth; i++) {
    await devnet.trade(1)
    await devnet.mine()
  }
}

/** Waits until the API that is alone has the newest block. */
async function caughtUp({ devnet, alone }: Pick<World, 'devnet' | 'alone'>): Promise<void> {
  const number = await devnet.client.getBlockNumber()
  while (blockOf(alone) !== number) await sleep(3)
}

function blockOf({ market }: RunningApi): bigint | undefined {
  return market.current()?.graph.snapshot.block.number
}

/**
 * Where the market of the API that is alone differs from the chain at its block, read from scratch: names of parts, and
 * ids of pools.
 */
export async function partsApart({
  devnet,
  alone,
}: Pick<World, 'devnet' | 'alone'>): Promise<readonly string[]> {
  await caughtUp({ devnet, alone })
  const { snapshot } = alone.market.current()!.graph
  const { venues, wrappedNative, rpcUrl } = devnet
  const read = await loadSnapshot(createClient(rpcUrl), {
    ...{ venues, wrappedNative, block: snapshot.block.number },
  })
  // A load may move to a later block than it was asked for, and two blocks cannot be compared.
  if (read.state.snapshot.block.number > snapshot.block.number) return partsApart({ devnet, alone })
  // The node's tip is read once a minute, and its price is of its newest block, whichever that is by then.
  const block = { ...read.state.snapshot.block, gasPrice: snapshot.block.gasPrice }
  const fresh = { ...read.state.snapshot, block }
  if (snapshotIdOf(snapshot) === snapshotIdOf(fresh)) return []
  const partsOf = ({ pools, tokens, ...others }: Snapshot) =>
    new Map(
      Object.entries({ ...others, tokens, ...Object.fromEntries(pools.map((p) => [p.id, p])) }),
    )
  const [followed, wanted] = [partsOf(snapshot), partsOf(fresh)]
  const names = [...new Set([...followed.keys(), ...wanted.keys()])]
  return names.filter((name) => !isDeepStrictEqual(followed.get(name), wanted.get(name)))
}
