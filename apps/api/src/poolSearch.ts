import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  type Market,
  type PoolRef,
  readHeader,
  type Searched,
  searchPools,
  type Venue,
} from '@braid-swap/chain'
import type { Logger } from 'pino'
import type { MarketKey } from './savedMarket.js'
import { type FoundBefore, readFound, saveFound } from './savedPools.js'
import { countProgress, type SearchProgress } from './searchProgress.js'

/** The search of the venues' past for pools, which goes on while the market is followed. */
export type PoolSearch = {
  /** The pools that earlier searches found. */
  readonly known: () => Promise<readonly PoolRef[]>
  /** Searches on, up to a market's block, until it is done or the signal aborts. */
  readonly start: (market: Market) => void
  /** There is nothing to search for: the market has every pool up to its block. */
  readonly finish: (market: Market) => void
  /** A few pools found since it was last asked. */
  readonly take: () => readonly PoolRef[]
  /** Keeps what was found, with the pools that a market has by now. */
  readonly keep: (market: Market) => Promise<void>
  readonly progress: () => SearchProgress
}

/** What to search, with what, and where to keep what is found. */
export type PoolSearchOptions = {
  readonly client: Client
  readonly venues: readonly Venue[]
  /** Nothing is kept without. */
  readonly file?: string | undefined
  readonly key: MarketKey
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Pools that join the market with one head: more would keep it waiting. */
const AT_ONCE = 50
/** Time between two words of how far the search came. */
const REPORT_MS = 60_000
const RETRY_MS = 5_000

/** Prepares a search; nothing is asked before `start`. */
export function createPoolSearch(options: PoolSearchOptions): PoolSearch {
  const { file, key, signal, log, venues } = options
  const found = new Map<string, PoolRef>()
  const waiting: PoolRef[] = []
  let searched: Searched = {}
  const progress = countProgress(venues)
  const known = async () => {
    const before = file === undefined ? undefined : await readKept(file, { key, log })
    searched = before?.searched ?? {}
    for (const ref of before?.refs ?? []) found.set(ref.id, ref)
    return [...found.values()]
  }
  const run = async (market: Market) => {
    const to = await readHeader(options.client, market.snapshot.block.number)
    const report = createReport(log)
    progress.begin(to.number)
    for await (const part of searchPools(options.client, { ...options, to, searched })) {
      searched = part.searched
      for (const ref of part.refs) {
        if (!found.has(ref.id)) waiting.push(ref)
        found.set(ref.id, ref)
      }
      progress.add(part, found.size)
      report(progress.read())
      if (signal.aborted) return
    }
    progress.end(found.size)
    log.info({ pools: found.size }, 'the search for pools is done')
  }
  const finish = (market: Market) => {
    progress.skip(market)
    const next = market.snapshot.block.number + 1n
    searched = Object.fromEntries(venues.map(({ id }) => [id, next]))
  }
  const start = (market: Market) => {
    if (progress.read().isDone) return
    // A market that was saved may be without what was found just before its end.
    const have = new Set(market.pools.map(({ id }) => id))
    waiting.push(...[...found.values()].filter(({ id }) => !have.has(id)))
    for (const ref of market.pools) found.set(ref.id, ref)
    const attempt = () =>
      run(market).catch(async (error: unknown) => {
        log.warn({ err: error }, 'the search for pools was interrupted; it goes on')
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
        if (!signal.aborted) await attempt()
      })
    void attempt()
  }
  const keep = async (market: Market) => {
    if (file === undefined) return
    for (const ref of market.pools) found.set(ref.id, ref)
    // What was created since is in the market, which follows the factories' logs.
    const next = market.snapshot.block.number + 1n
    const upTo = progress.read().isDone ? mapValues(searched, () => next) : searched
    await saveFound(file, { searched: upTo, refs: [...found.values()] }, key)
  }
  const take = () => waiting.splice(0, AT_ONCE)
  return { known, start, finish, take, keep, progress: progress.read }
}

async function readKept(
  file: string,
  { key, log }: Pick<PoolSearchOptions, 'key' | 'log'>,
): Promise<FoundBefore | undefined> {
  try {
    return await readFound(file, key)
  } catch (error) {
    log.warn({ err: error }, 'the pools found before are not used; they are searched for anew')
    return undefined
  }
}

/** Says now and then how far a search came, and how long the rest takes at its pace so far. */
function createReport(log: Logger) {
  let saidMs = performance.now()
  return ({ blocksLeft, msLeft, poolsFound }: SearchProgress) => {
    const now = performance.now()
    if (now - saidMs < REPORT_MS || msLeft === undefined) return
    saidMs = now
    const minutesLeft = Math.ceil(msLeft / 60_000)
    log.info(
      { blocksLeft: `${blocksLeft}`, minutesLeft, pools: poolsFound },
      'pools are searched for',
    )
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, of: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))
}
