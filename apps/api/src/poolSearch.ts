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
  const { file, key, signal, log } = options
  const found = new Map<string, PoolRef>()
  const waiting: PoolRef[] = []
  let searched: Searched = {}
  let isDone = false
  const known = async () => {
    const before = file === undefined ? undefined : await readKept(file, { key, log })
    searched = before?.searched ?? {}
    for (const ref of before?.refs ?? []) found.set(ref.id, ref)
    return [...found.values()]
  }
  const run = async (market: Market) => {
    const to = await readHeader(options.client, market.snapshot.block.number)
    const report = createReport(log)
    for await (const part of searchPools(options.client, { ...options, to, searched })) {
      searched = part.searched
      for (const ref of part.refs) {
        if (!found.has(ref.id)) waiting.push(ref)
        found.set(ref.id, ref)
      }
      report({ left: part.left, found: found.size })
      if (signal.aborted) return
    }
    isDone = true
    log.info({ pools: found.size }, 'the search for pools is done')
  }
  const finish = ({ snapshot }: Market) => {
    isDone = true
    searched = Object.fromEntries(options.venues.map(({ id }) => [id, snapshot.block.number + 1n]))
  }
  const start = (market: Market) => {
    if (isDone) return
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
    const upTo = isDone ? mapValues(searched, () => next) : searched
    await saveFound(file, { searched: upTo, refs: [...found.values()] }, key)
  }
  return { known, start, finish, take: () => waiting.splice(0, AT_ONCE), keep }
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
  const startedMs = performance.now()
  let first: bigint | undefined
  let saidMs = startedMs
  return ({ left, found }: { readonly left: bigint; readonly found: number }) => {
    first ??= left
    const now = performance.now()
    if (now - saidMs < REPORT_MS || first === left) return
    saidMs = now
    const msPerBlock = (now - startedMs) / Number(first - left)
    const minutesLeft = Math.ceil((Number(left) * msPerBlock) / 60_000)
    log.info({ blocksLeft: `${left}`, minutesLeft, pools: found }, 'pools are searched for')
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, of: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]))
}
