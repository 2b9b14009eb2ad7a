import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Audit,
  type Market as ChainMarket,
  type Client,
  countSetAside,
  type Disagreement,
  DriftError,
  followMarket,
  isGuarded,
  type PoolRef,
  type PriceGuard,
  type SetAside,
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
import type { ReadTexts } from '../tokens/tokenBook.js'
import { createEarned, type Earning } from './earned.js'
import { createListeners } from './listeners.js'
import { createPoolsReport, hasPools } from './marketPools.js'
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
  /** Pools that the price guard set aside; absent where another process follows the chain. */
  readonly guarded?: readonly SetAside[]
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
  /** Tokens on no list that routes may pass, because they have earned it. */
  readonly earned?: () => readonly Address[]
  /** Has the venues of pools asked at once, because a swap through them would revert. */
  readonly doubt?: (pools: readonly Hex[]) => void
  /** The cause for which the market has not advanced for some seconds, if any. */
  readonly trouble?: () => Trouble | undefined
  /** Present if the market is of one block for ever, read from a file: there is no node, and nothing can be sent. */
  readonly recorded?: { readonly readTexts: ReadTexts }
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
  /** By which tokens earn that routes pass them; absent: none does. */
  readonly earning?: Earning | undefined
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

/** Loads the market, with retries until it succeeds, and follows it until the signal aborts. */
export function followChain(options: LiveMarketOptions): FollowedMarket {
  const { client, venues, guard, counterparty, trials, pollMs, progress, signal, log } = options
  let current: MarketState | null = null
  let disagreement: Disagreement | undefined
  let newest: ChainMarket | undefined
  const listeners = createListeners()
  const troubles = createTroubles(log, steadyMs)
  const doubts = createDoubts()
  const counts = { sweptPools: 0, driftedPools: 0, failedRounds: 0 }
  let resolveReady = () => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  const reportPools = createPoolsReport(log)
  const reportTrials = createTrialsReport(log)
  const shares = createShares({ ...options, now: steadyMs })
  const earned = createEarned(options.earning)
  const take = (market: ChainMarket) => {
    troubles.succeeded()
    const rest = restOf(market)
    const snapshot = withoutTokens(servedSnapshot(market), options.refused)
    const before = options.isQuoting === false ? undefined : current?.graph
    newest = market
    shares.take(market, snapshot)
    reportTrials(market)
    current =
      options.isQuoting === false
        ? lazyState(snapshot, rest)
        : { graph: precomputeReference(buildGraph(snapshot, before), before), ...rest }
    earned.take(market.cursor, snapshot, () => current!.graph)
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
    await followMarket({
      ...{ client, venues, guard, counterparty, trials, start, pollMs, signal },
      ...{ doubted: doubts.take, onError, onAudit, onDisagreement },
      newPools: options.newPools ?? (() => []),
      onSnapshot: take,
    })
  }
  return {
    current: () => current,
    onState: listeners.add,
    disagreement: () => disagreement,
    trouble: troubles.lasting,
    venues: () => newest?.trust.trials ?? [],
    ...{ shares: shares.current, earned: earned.current },
    doubt: doubts.add,
    counts: () => ({ ...counts }),
    ...(progress && { discovery: () => discoveryOf(progress(), newest, options.refused) }),
    ready,
    ended: run(),
  }
}

/** Pools whose venues are to be asked, until they are. */
function createDoubts() {
  const doubts = new Set<Hex>()
  return {
    add: (pools: readonly Hex[]) => {
      for (const id of pools) doubts.add(id)
    },
    take: () => {
      const taken = [...doubts]
      doubts.clear()
      return taken
    },
  }
}

function restOf({ state, trust }: ChainMarket): Omit<MarketState, 'graph'> {
  const gasPriceFault = state.gasPrices?.fault?.message
  const guarded = state.setAside.filter(isGuarded)
  return { receivedAtMs: state.receivedAtMs, flawed: trust.flawed, guarded, gasPriceFault }
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
  const { pools = [], setAside = [], traded } = market?.state ?? {}
  const { pricesCompared, unproven } = { ...market?.trust, ...market?.cursor }
  const left = market ? countRefused(market, refused) : 0
  const byId = new Map([...progress.setAside, ...setAside].map((one) => [one.id, one]))
  return {
    ...progress,
    ...(pricesCompared !== undefined && { pricesCompared }),
    ...(traded && { swaps: countsOf(traded) }),
    ...(unproven && { unproved: unproven.length }),
    poolsFound: Math.max(progress.poolsFound, pools.length),
    setAside: {
      ...countSetAside([...byId.values()]),
      ...(left > 0 && { TOKEN_UNSUPPORTED: left }),
    },
  }
}

const countsOf = ({ served, setAside, unknown }: SwapCounts) => ({ served, setAside, unknown })

/** Number of pools excluded because the operator refuses one of their tokens. */
function countRefused({ state }: ChainMarket, refused: ReadonlySet<Address>): number {
  return state.snapshot.pools.length - withoutTokens(state.snapshot, refused).pools.length
}

async function loadFirst(
  options: LiveMarketOptions,
  troubles: Troubles,
): Promise<ChainMarket | undefined> {
  const { load, signal, log } = options
  while (!signal.aborted) {
    try {
      const market = await beginTrials(await load(), options)
      const { pools, tokens, block } = market.state.snapshot
      log.info(
        {
          blockNumber: `${block.number}`,
          pools: pools.length,
          tokens: tokens.length,
          setAside: countSetAside(market.state.setAside),
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
