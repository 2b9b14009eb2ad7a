import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Market as ChainMarket,
  type Client,
  countSetAside,
  type Disagreement,
  DriftError,
  followMarket,
  type PoolRef,
  type Swept,
  type TokenFlaw,
  type Venue,
} from '@braid-swap/chain'
import { type Address, buildGraph, type Graph, prepare } from '@braid-swap/core'
import type { Logger } from 'pino'
import { hasPools } from './marketPools.js'
import { withoutTokens } from './refusedTokens.js'
import type { SearchProgress } from './searchProgress.js'

/** A market and when its head was received. */
export type MarketState = {
  readonly graph: Graph
  /** `Date.now()` when a new head was last received. */
  readonly receivedAtMs: number
  /** Tokens that no pool is served of. */
  readonly flawed?: readonly TokenFlaw[]
}

/** How following the market went since the start. */
export type MarketCounts = {
  /** Pools read again whose logs had told a state. */
  readonly sweptPools: number
  /** Those whose logs had led elsewhere, which the chain's answer replaced. */
  readonly driftedPools: number
  /** Rounds that failed and left the market as it was. */
  readonly failedRounds: number
}

/** How far the search for pools came, and how many are set aside, by reason. */
export type Discovery = Omit<SearchProgress, 'setAside'> & {
  readonly setAside: Readonly<Record<string, number>>
}

/** Where the newest market is read from: one reference, replaced by one assignment. */
export type Market = {
  /** The newest state, or `null` before the first. */
  readonly current: () => MarketState | null
  /** What the nodes do not agree on, as long as they do not; absent where only one is asked. */
  readonly disagreement?: () => Disagreement | undefined
  readonly counts?: () => MarketCounts
  readonly discovery?: () => Discovery
}

/** How to follow a market on a chain. */
export type LiveMarketOptions = {
  readonly client: Client
  readonly venues: readonly Venue[]
  /** The market to begin with; tried again when it fails. */
  readonly load: () => Promise<ChainMarket>
  /** Tokens whose pools are left out. */
  readonly refused: ReadonlySet<Address>
  /** Pools that join the market, asked for with each head. */
  readonly newPools?: () => readonly PoolRef[]
  /** How far the search for pools came. */
  readonly progress?: () => SearchProgress
  /** Told of every market, the first too. */
  readonly onMarket?: (market: ChainMarket) => void
  /** Time between two questions for a new head. */
  readonly pollMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** A market that follows the chain, and when it first had a state. */
export type LiveMarket = Market & {
  readonly ready: Promise<void>
  /** Resolves after the signal aborted and the last round is over. */
  readonly ended: Promise<void>
}

const RETRY_MS = 1_000
const NO_POOLS =
  'no venue is known to have a pool on this chain, so nothing can be quoted; BRAID_VENUES names the venues'

/** Loads the market, again until it succeeds, and follows it until the signal aborts. */
export function followChain(options: LiveMarketOptions): LiveMarket {
  const { signal, log } = options
  let current: MarketState | null = null
  let disagreement: Disagreement | undefined
  let newest: ChainMarket | undefined
  const counts = { sweptPools: 0, driftedPools: 0, failedRounds: 0 }
  let resolveReady = () => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  let hadPools: boolean | undefined
  const tellPools = (has: boolean) => {
    if (has === hadPools) return
    if (has && hadPools === false) log.info('the first pools are there')
    if (!has) log.warn(NO_POOLS)
    hadPools = has
  }
  const take = (market: ChainMarket) => {
    const { receivedAtMs, flawed } = market
    const snapshot = withoutTokens(market.snapshot, options.refused)
    const before = current?.graph
    newest = market
    current = { graph: prepare(buildGraph(snapshot, before), before), receivedAtMs, flawed }
    tellPools(hasPools(snapshot))
    resolveReady()
    options.onMarket?.(market)
  }
  const onError = (error: unknown) => {
    if (error instanceof DriftError) return log.error({ err: error }, 'a pool had drifted')
    counts.failedRounds += 1
    log.warn({ err: error }, 'the market could not be refreshed')
  }
  const onSweep = ({ compared, drifts }: Pick<Swept, 'compared' | 'drifts'>) => {
    counts.sweptPools += compared
    counts.driftedPools += drifts.length
  }
  const onDisagreement = (found: Disagreement | undefined) => {
    disagreement = found
    if (found) log.warn({ number: `${found.number}`, hashes: found.hashes }, 'the nodes disagree')
    else log.info('the nodes agree again')
  }
  const run = async () => {
    const start = await loadFirst(options)
    if (!start) return
    take(start)
    const { client, venues, pollMs, newPools = () => [] } = options
    await followMarket({
      ...{ client, venues, start, pollMs, signal, newPools, onError, onSweep, onDisagreement },
      onSnapshot: take,
    })
  }
  return {
    current: () => current,
    disagreement: () => disagreement,
    counts: () => ({ ...counts }),
    ...(options.progress && {
      discovery: () => discoveryOf(options.progress!(), newest, options.refused),
    }),
    ready,
    ended: run(),
  }
}

/** Of a search, and of the market, which has the pools created since and sets aside others. */
function discoveryOf(
  progress: SearchProgress,
  market: ChainMarket | undefined,
  refused: ReadonlySet<Address>,
): Discovery {
  const { pools = [], setAside = [] } = market ?? {}
  const left = market ? countRefused(market, refused) : 0
  const byId = new Map([...progress.setAside, ...setAside].map((one) => [one.id, one]))
  return {
    ...progress,
    poolsFound: Math.max(progress.poolsFound, pools.length),
    setAside: {
      ...countSetAside([...byId.values()]),
      ...(left > 0 && { TOKEN_UNSUPPORTED: left }),
    },
  }
}

/** Pools that are read, and left out because the operator refuses a token of theirs. */
function countRefused({ snapshot }: ChainMarket, refused: ReadonlySet<Address>): number {
  return snapshot.pools.length - withoutTokens(snapshot, refused).pools.length
}

async function loadFirst(options: LiveMarketOptions): Promise<ChainMarket | undefined> {
  const { load, signal, log } = options
  while (!signal.aborted) {
    try {
      const market = await load()
      const { pools, tokens, block } = market.snapshot
      log.info(
        {
          blockNumber: `${block.number}`,
          pools: pools.length,
          tokens: tokens.length,
          setAside: countSetAside(market.setAside),
          refused: countRefused(market, options.refused),
        },
        'the market is read',
      )
      return market
    } catch (error) {
      log.warn({ err: error }, 'the market could not be read; trying again')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}
