/**
 * The price impact of a route. Input: an exact route and its order. Output: how far it pays below the
 * rates before the order, without fees on both sides. Floats, because it is for people; it is here so that
 * API and command line report the same figure.
 */
import type { PaidFee } from './fee.js'
import type { Address } from './hex.js'
import type { Order } from './order.js'
import type { Direction } from './pools/family.js'
import { feeRate, type Pool, toCurve } from './pools/index.js'
import { type Hop, type Route, SHARE_ONE } from './replay.js'

/**
 * The output of a route if its pools kept the rates before the order, less the fees of the order, in
 * wei. Price impact is measured against this amount, so that it contains no fee. No pool counts at a better
 * rate than the hops that take most of the order, unless it pays one, so that nobody moves it with a small pool far
 * off the market.
 */
export function spotAmountOut(route: Route, order: Order, fee: PaidFee | undefined): number {
  const rest = 1 - (fee?.ppm ?? 0) / 1e6
  const worth = worthOnMainPath(route, order)
  const gross = followFloats(route, order, ({ pool, direction, amountIn, amountOut }, x) => {
    const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
    const most = worth.get(tokenIn)! / worth.get(tokenOut)!
    const rate = Math.min(rateWithoutFee(pool, direction), most)
    const paid = Number(amountOut) / Number(amountIn)
    return x * Math.max(rate * (1 - (feeRate(pool, direction, amountIn) ?? 0)), paid)
  })
  return gross * rest
}

/** The price of the first wei, without its fee. */
function rateWithoutFee(pool: Pool, direction: Direction): number {
  return toCurve(pool, direction).price(0) / (1 - (feeRate(pool, direction, 1n) ?? 0))
}

/** The output that a wei of each token is worth by the hop that takes most of it, and so on to the end. */
function worthOnMainPath(route: Route, { tokenOut: end }: Order): ReadonlyMap<Address, number> {
  const main = new Map<Address, Hop>()
  for (const hop of route) {
    const tokenIn = hop.pool.tokens[hop.direction.in]!
    if (hop.amountIn > (main.get(tokenIn)?.amountIn ?? -1n)) main.set(tokenIn, hop)
  }
  const worth = new Map<Address, number>([[end, 1]])
  for (const hop of route.toReversed()) {
    const { pool, direction } = hop
    const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
    if (main.get(tokenIn) !== hop) continue
    worth.set(tokenIn, rateWithoutFee(pool, direction) * worth.get(tokenOut)!)
  }
  return worth
}

/**
 * Price impact: how far the output is below the rates before the order, without fees on both sides, in
 * basis points, at least 0. `null` if unknown: without an exact replay, or without such a rate.
 * It can fall as the amount grows, because each route is measured against the rates of its own pools.
 * Throws BAD_FAMILY.
 */
export function priceImpactBps(
  answer: { readonly route?: Route; readonly amountOut: bigint; readonly fee?: PaidFee },
  order: Order,
): number | null {
  const { route, amountOut, fee } = answer
  const spot = route ? spotAmountOut(route, order, fee) : Number.NaN
  if (!(spot > 0) || !Number.isFinite(spot)) return null
  const bps = (1 - Number(amountOut) / spot) * 10_000
  return Math.max(0, Math.round(bps * 100) / 100)
}

/** The output of a route whose hops pay the amounts of `outOf`, in wei as floats. */
function followFloats(
  route: Route,
  order: Order,
  outOf: (hop: Hop, amountIn: number) => number,
): number {
  const held = new Map<Address, number>([[order.tokenIn, Number(order.amountIn)]])
  for (const hop of route) {
    const { pool, direction, share } = hop
    const tokenIn = pool.tokens[direction.in]!
    const tokenOut = pool.tokens[direction.out]!
    const remaining = held.get(tokenIn) ?? 0
    const amountIn = share === 0 ? remaining : (remaining * share) / SHARE_ONE
    held.set(tokenIn, remaining - amountIn)
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + outOf(hop, amountIn))
  }
  return held.get(order.tokenOut) ?? 0
}
