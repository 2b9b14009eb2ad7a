/**
 * A slippage from what the service has seen: the least of the pair's class, plus how far the output of
 * this very route moved over the retained blocks of the last minute, plus an allowance for sampled
 * pools. It is argued in docs/api.md. Without two states to compare there is no suggestion, because
 * "nothing seen" is not "nothing moved".
 */
import { type Address, NATIVE, type Order } from '@braid-swap/core'
import { wrappedOf } from '@braid-swap/core/advanced'
import type { AppConfig } from '../config/appConfig.js'
import type { MarketState } from '../market/liveMarket.js'
import type { RecentStates } from '../market/recentStates.js'
import { outputAt, statesOfMinute } from './earlierStates.js'
import type { QuoteAnswer } from './quoting.js'

/** A suggested slippage and its parts, in basis points. */
export type SuggestedSlippage = {
  /** The sum of the three parts, at most `maxBps`. */
  readonly bps: number
  readonly pairBps: number
  readonly moveBps: number
  readonly sampledBps: number
  readonly maxBps: number
  /** Seconds between the oldest and the newest compared block. */
  readonly watchedSeconds: number
}

type SlippageClass = { readonly pairBps: number; readonly maxBps: number }

/** The ranges that the interface recommends: stable pairs, major tokens, tokens of low liquidity. */
const STABLE: SlippageClass = { pairBps: 10, maxBps: 50 }
const LISTED: SlippageClass = { pairBps: 50, maxBps: 100 }
const OTHER: SlippageClass = { pairBps: 100, maxBps: 500 }

/** The quote of a sampled pool holds for one block, and a transaction may land some blocks later. */
const SAMPLED_BPS = 10
/** A replay costs some tens of microseconds a hop; more states find little more of a minute. */
const MAX_STATES = 12

/**
 * The slippage to suggest for an exact answer at a state; `undefined` if it is unknown: without the
 * exact walk, or with fewer than two states at which the route can be walked. A swap that only wraps
 * needs none.
 */
export function suggestSlippage(
  { config, recentStates }: { readonly config: AppConfig; readonly recentStates: RecentStates },
  { graph: { snapshot } }: MarketState,
  { answer, order }: { readonly answer: QuoteAnswer; readonly order: Order },
): SuggestedSlippage | undefined {
  const { route, isSampled } = answer
  if (!route) return undefined
  const isOnlyWrap = route.every(({ pool }) => pool.tokens.includes(NATIVE))
  if (isOnlyWrap) {
    return { bps: 0, pairBps: 0, moveBps: 0, sampledBps: 0, maxBps: 0, watchedSeconds: 0 }
  }
  const near = statesOfMinute(recentStates, snapshot)
  const step = Math.max(1, Math.ceil(near.length / MAX_STATES))
  const thinned = near.filter((_, i) => i % step === 0)
  const seen = thinned.flatMap((graph) => {
    const amountOut = outputAt(graph, route, order)
    return amountOut === undefined ? [] : [{ amountOut, at: graph.snapshot.block.timestamp }]
  })
  if (seen.length < 2) return undefined
  const times = seen.map(({ at }) => Number(at))
  const moveBps = rangeBps(seen.map(({ amountOut }) => amountOut))
  const { pairBps, maxBps } = classOf(config, order)
  const sampledBps = isSampled ? SAMPLED_BPS : 0
  return {
    bps: Math.min(maxBps, pairBps + moveBps + sampledBps),
    ...{ pairBps, moveBps, sampledBps, maxBps },
    watchedSeconds: Math.max(...times) - Math.min(...times),
  }
}

/** Returns the distance from the greatest amount to the least, in basis points, rounded up. */
function rangeBps(amounts: readonly bigint[]): number {
  const [least, most] = amounts.reduce(
    ([low, high], each) => [each < low ? each : low, each > high ? each : high] as const,
    [amounts[0]!, amounts[0]!] as const,
  )
  return Number(((most - least) * 10_000n + most - 1n) / most)
}

/** The class of a pair: two tokens worth one USD, two that the operator has verified, or neither. */
function classOf(
  { usdTokens, tokenList, wrappedNative }: AppConfig,
  { tokenIn, tokenOut }: Order,
): SlippageClass {
  const both = [tokenIn, tokenOut].map((token) => wrappedOf(token, wrappedNative))
  const areAll = (isIn: (token: Address) => boolean) => both.every(isIn)
  if (areAll((token) => usdTokens.includes(token))) return STABLE
  return areAll((token) => token === wrappedNative || tokenList.has(token)) ? LISTED : OTHER
}
