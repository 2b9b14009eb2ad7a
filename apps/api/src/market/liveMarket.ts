import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Audit,
  type Market as ChainMarket,
  type Client,
  countSetAside,
  type Disagreement,
  DriftError,
  followMarket,
  type PoolRef,
  type PriceGuard,
  type SwapCounts,
  servedSnapshot,
  steadyMs,
  type TokenFlaw,
  type Trial,
  type Venue,
  type VenueShare,
} from '@braid-swap/chain'
import { type Address, buildGraph, type Graph, type Hex, type Snapshot } from '@braid-swap/core'
import { precomputeReference } from '@braid-swap/core/advanced'
import type { Logger } from 'pino'
import { createListeners } from './listeners.js'
import { hasPools } from './marketPools.js'
import { withoutTokens } from './refusedTokens.js'
import type { SearchProgress } from './searchProgress.js'
import { createShares } from './shares.js'
import { beginTrials, createTrialsReport, type Trials } from './trials.js'
import { createTroubles, type Trouble, type Troubles } from './trouble.js'

/** A market and when its head was received. */
export type MarketState = {
  readonly graph: Graph
  /** When a new head was last received, in milliseconds of `steadyMs`. */
  readonly receivedAtMs: number
  /** Tokens whose pools are not served. */
  readonly flawed?: readonly TokenFlaw[]
  /** Why the node's gas price was refused; absent while it is plausible. */
  readonly gasPriceFault?: string | undefined
}

/** Counters of the market follower since the start. */
export type MarketCounts = {
  /** Pools re-read to check the state derived from their logs. */
  readonly sweptPools: number
  /** Pools whose derived state differed from the chain and was replaced. */
  readonly driftedPools: number
  /** Rounds that failed and left the market unchanged. */
  readonly failedRounds: number
}

/** Progress of the search for pools, and the number of pools set aside, by reason. */
export type Discovery = Omit<SearchProgress, 'setAside'> & {
  readonly setAside: Readonly<Record<string, number>>
  /** As in the market: whether sampled pools were compared with an order book. */
  readonly pricesCompared?: boolean
  /** Swaps on the chain since the start, by whether their pool is in answers. */
  readonly swaps?: SwapCounts
  /** Pools of which a log may be missing, because nothing proves the logs of a block; absent if there are none. */
  readonly unproved?: number
}

/** Access to the newest market: one reference, replaced by one assignment. */
export type LiveMarket = {
  /** The newest state, or `null` before the first. */
  readonly current: () => MarketState | null
  /** Calls a listener after each new state; the returned function ends that. */
  readonly onState?: (listener: () => void) => () => void
  /** The current disagreement of the nodes, if any. */
  readonly disagreement?: () => Disagreement | undefined
  readonly counts?: () => MarketCounts
  readonly discovery?: () => Discovery
  /** The trials of the venues; none if they are not on trial. */
  readonly venues?: () => readonly Trial[]
  /** The part of each venue's pools that is served; none before the first market. */
  readonly shares?: () => readonly VenueShare[]
  /** Has the venues of pools asked at once, because a swap through them would revert. */
  readonly doubt?: (pools: readonly Hex[]) => void
  /** The cause for which the market has not advanced for some seconds, if any. */
  readonly trouble?: () => Trouble | undefined
}

/** Options of {@link followChain}. */
export type LiveMarketOptions = {
  readonly client: Client
  readonly venues: readonly Venue[]
  /** Compares sampled pools with the order book; absent: no comparison. */
  readonly guard?: PriceGuard | undefined
  /** As in `followMarket`. */
  readonly counterparty?: Address | undefined
  /** How venues earn their place, and the states that the operator sets; absent: all are served. */
  readonly trials?: Trials | undefined
  /** Loads the first market; retried on failure. */
  readonly load: () => Promise<ChainMarket>
  /** Tokens whose pools are excluded. */
  readonly refused: ReadonlySet<Address>
  /** New pools for the market, called at each head. */
  readonly newPools?: () => readonly PoolRef[]
  /** Progress of the search for pools. */
  readonly progress?: () => SearchProgress
  /** Called with every market, including the first. */
  readonly onMarket?: (market: ChainMarket) => void
  /** Called when the nodes begin or cease to disagree. */
  readonly onDisagreement?: () => void
  /** True if quotes are made in this process; otherwise the graph is built only when it is read. */
  readonly isQuoting?: boolean
  /** Time between two polls for a new head. */
  readonly pollMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** A market that follows the chain, and when it first had a state. */
export type FollowedMarket = LiveMarket & {
  readonly ready: Promise<void>
  /** Resolves when the signal has aborted and the last round has ended. */
  readonly ended: Promise<void>
}

const RETRY_MS = 1_000
const NO_POOLS = 'no pool is in answers, so nothing can be quoted; /readyz says why'

/** Logs when the market has no pool, and when the first one is found. */
function createPoolsReport(log: Logger): (has: boolean) => void {
  let hadPools: boolean | undefined
  return (has) => {
    if (has === hadPools) return
    if (has && hadPools === false) log.info('first pools found')
    if (!has) log.warn(NO_POOLS)
    hadPools = has
  }
}

/** Loads the market, with retries until it succeeds, and follows it until the signal aborts. */
export function followChain(options: LiveMarketOptions): FollowedMarket {
  const { signal, log } = options
  let current: MarketState | null = null
  let disagreement: Disagreement | undefined
  let newest: ChainMarket | undefined
  const listeners = createListeners()
  const troubles = createTroubles(log, steadyMs)
  const doubts = new Set<Hex>()
  const doubted = () => {
    const pools = [...doubts]
    doubts.clear()
    return pools
  }
  const counts = { sweptPools: 0, driftedPools: 0, failedRounds: 0 }
  let resolveReady = () => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  const reportPools = createPoolsReport(log)
  const reportTrials = createTrialsReport(log)
  const shares = createShares({ ...options, now: steadyMs })
  const { client, venues, trials, progress } = options
  const take = (market: ChainMarket) => {
    troubles.succeeded()
    const { receivedAtMs, flawed, gasPrices } = market
    const rest = { receivedAtMs, flawed, gasPriceFault: gasPrices?.fault?.message }
    const snapshot = withoutTokens(servedSnapshot(market), options.refused)
    const before = options.isQuoting === false ? undefined : current?.graph
    newest = market
    shares.take(market, snapshot)
    reportTrials(market)
    current =
      options.isQuoting === false
        ? lazyState(snapshot, rest)
        : { graph: precomputeReference(buildGraph(snapshot, before), before), ...rest }
    reportPools(hasPools(snapshot))
    resolveReady()
    options.onMarket?.(market)
    listeners.notify()
  }
  const onError = (error: unknown) => {
    if (error instanceof DriftError) return log.error({ err: error }, 'pool drifted from the chain')
    counts.failedRounds += 1
    troubles.failed(error)
  }
  const onAudit = ({ compared, drifts }: Pick<Audit, 'compared' | 'drifts'>) => {
    counts.sweptPools += compared
    counts.driftedPools += drifts.length
  }
  const onDisagreement = (found: Disagreement | undefined) => {
    disagreement = found
    if (found) log.warn({ number: `${found.number}`, hashes: found.hashes }, 'RPC nodes disagree')
    else log.info('RPC nodes agree again')
    options.onDisagreement?.()
  }
  const run = async () => {
    const start = await loadFirst(options, troubles)
    if (!start) return
    take(start)
    const { guard, counterparty, pollMs, newPools = () => [] } = options
    await followMarket({
      ...{ client, venues, guard, counterparty, trials, start, pollMs, signal, newPools },
      ...{ doubted, onError, onAudit, onDisagreement },
      onSnapshot: take,
    })
  }
  return {
    current: () => current,
    onState: listeners.add,
    disagreement: () => disagreement,
    trouble: troubles.lasting,
    venues: () => newest?.trials ?? [],
    shares: shares.current,
    doubt: (pools) => {
      for (const id of pools) doubts.add(id)
    },
    counts: () => ({ ...counts }),
    ...(progress && { discovery: () => discoveryOf(progress(), newest, options.refused) }),
    ready,
    ended: run(),
  }
}

/** A state whose graph is built on first use. */
function lazyState(snapshot: Snapshot, rest: Omit<MarketState, 'graph'>): MarketState {
  let graph: Graph | undefined
  return {
    ...rest,
    get graph() {
      graph ??= buildGraph(snapshot)
      return graph
    },
  }
}

/** Progress of the search, combined with the pools that the market has found or set aside since. */
function discoveryOf(
  progress: SearchProgress,
  market: ChainMarket | undefined,
  refused: ReadonlySet<Address>,
): Discovery {
  const { pools = [], setAside = [] } = market ?? {}
  const pricesCompared = market?.pricesCompared
  const left = market ? countRefused(market, refused) : 0
  const byId = new Map([...progress.setAside, ...setAside].map((one) => [one.id, one]))
  return {
    ...progress,
    ...(pricesCompared !== undefined && { pricesCompared }),
    ...(market?.traded && { swaps: countsOf(market.traded) }),
    ...(market?.unproven && { unproved: market.unproven.length }),
    poolsFound: Math.max(progress.poolsFound, pools.length),
    setAside: {
      ...countSetAside([...byId.values()]),
      ...(left > 0 && { TOKEN_UNSUPPORTED: left }),
    },
  }
}

const countsOf = ({ served, setAside, unknown }: SwapCounts) => ({ served, setAside, unknown })

/** Number of pools excluded because the operator refuses one of their tokens. */
function countRefused({ snapshot }: ChainMarket, refused: ReadonlySet<Address>): number {
  return snapshot.pools.length - withoutTokens(snapshot, refused).pools.length
}

async function loadFirst(
  options: LiveMarketOptions,
  troubles: Troubles,
): Promise<ChainMarket | undefined> {
  const { load, signal, log } = options
  while (!signal.aborted) {
    try {
      const market = await beginTrials(await load(), options)
      const { pools, tokens, block } = market.snapshot
      log.info(
        {
          blockNumber: `${block.number}`,
          pools: pools.length,
          tokens: tokens.length,
          setAside: countSetAside(market.setAside),
          refused: countRefused(market, options.refused),
        },
        'market loaded',
      )
      return market
    } catch (error) {
      troubles.failed(error)
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}
