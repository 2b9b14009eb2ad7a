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

/** The search of past blocks for pools of the venues. It runs while the market is followed. */
export type PoolSearch = {
  /** The pools that earlier searches found. */
  readonly known: () => Promise<readonly PoolRef[]>
  /** Continues the search up to a market's block, until it is done or the signal aborts. */
  readonly start: (market: Market) => void
  /** Marks the search as done, because the market has every pool up to its block. */
  readonly finish: (market: Market) => void
  /** Some of the pools found since the last call. */
  readonly take: () => readonly PoolRef[]
  /** Saves the pools found, together with the pools of a market. */
  readonly keep: (market: Market) => Promise<void>
  readonly progress: () => SearchProgress
}

/** Options of {@link createPoolSearch}. */
export type PoolSearchOptions = {
  readonly client: Client
  readonly venues: readonly Venue[]
  /** File to save the pools in. Without it nothing is saved. */
  readonly file?: string | undefined
  readonly key: MarketKey
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Pools that join the market at one head. More would delay the market. */
const AT_ONCE = 50
/** Time between two progress log lines. */
const REPORT_MS = 60_000
const RETRY_MS = 5_000

/** Prepares a search. It sends no request before `start`. */
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
    const to = await readHeader(options.client, market.state.snapshot.block.number)
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
    log.info({ pools: found.size }, 'pool search finished')
  }
  const finish = (market: Market) => {
    progress.skip(market)
    const next = market.state.snapshot.block.number + 1n
    searched = Object.fromEntries(venues.map(({ id }) => [id, next]))
  }
  const start = (market: Market) => {
    if (progress.read().isDone) return
    // A saved market may lack pools that were found just before the save.
    const have = new Set(market.state.pools.map(({ id }) => id))
    waiting.push(...[...found.values()].filter(({ id }) => !have.has(id)))
    for (const ref of market.state.pools) found.set(ref.id, ref)
    const attempt = () =>
      run(market).catch(async (error: unknown) => {
        log.warn({ err: error }, 'pool search interrupted; retrying')
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
        if (!signal.aborted) await attempt()
      })
    void attempt()
  }
  const keep = async (market: Market) => {
    if (file === undefined) return
    for (const ref of market.state.pools) found.set(ref.id, ref)
    // Pools created since then are in the market, which follows the factories' logs.
    const next = market.state.snapshot.block.number + 1n
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
    log.warn({ err: error }, 'ignoring the saved pools; searching from the start')
    return undefined
  }
}

/** Logs the progress of a search periodically, with the time left at the average pace. */
function createReport(log: Logger) {
  let saidMs = performance.now()
  return ({ blocksLeft, msLeft, poolsFound }: SearchProgress) => {
    const now = performance.now()
    if (now - saidMs < REPORT_MS || msLeft === undefined) return
    saidMs = now
    const minutesLeft = Math.ceil(msLeft / 60_000)
    log.info({ blocksLeft: `${blocksLeft}`, minutesLeft, pools: poolsFound }, 'searching for pools')
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, of: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))
}
