// Whether the pools of a route come and go. What its owner shows in one block, he takes back before an
// order is filled: liquidity, or a price.

import type { Graph, Hex, Order, Route } from '@braid-swap/core'
import { poolById } from '@braid-swap/core/advanced'
import { getAmountOut } from '@braid-swap/core/families'
import type { Warning } from '../wire/responses.js'
import { outputAt } from './earlierStates.js'

/** A route with the order that it fills. */
export type Fill = { readonly order: Order; readonly route: Route }

const BPS = 10_000
/** The fall that is looked for is an order's slippage, below which nothing refuses it, but at least and at most so much. */
export const [LEAST_FALL_BPS, MOST_FALL_BPS] = [50, 100]

/**
 * The pools between the tokens of a route's hops that come and go: in the earlier states, which begin with the newest,
 * they were not there or paid less than half for a hop once, or less by more than `fallBps` twice, and as much as now
 * between. What trades move once, to stay or to come back, is the market.
 */
export function unsteadyPools(
  { snapshot }: Graph,
  route: Route,
  earlier: readonly Graph[],
  fallBps: number,
): ReadonlySet<Hex> {
  type Sale = Pick<Route[number], 'pool' | 'direction' | 'amountIn'>
  const isUnsteady = ({ pool, direction, amountIn }: Sale) => {
    const now = Number(getAmountOut(pool, direction, amountIn))
    let [falls, wasLow] = [0, false]
    for (const graph of earlier) {
      const then = poolById(graph, pool.id)
      const paid = then === pool ? now : then ? Number(getAmountOut(then, direction, amountIn)) : 0
      if (paid < now / 2) return true
      const isLow = paid < now * (1 - fallBps / BPS)
      if (isLow && !wasLow) falls++
      wasLow = isLow
    }
    return falls >= 2
  }
  const found = new Set<Hex>()
  for (const { pool, direction, amountIn } of route.filter(isUnsteady)) {
    const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
    // Who has several pools of the pair in and out has the order avoid them all at once.
    for (const one of snapshot.pools) {
      const own = { in: one.tokens.indexOf(tokenIn), out: one.tokens.indexOf(tokenOut) }
      if (own.in < 0 || own.out < 0) continue
      if (isUnsteady({ pool: one, direction: own, amountIn })) found.add(one.id)
    }
  }
  return found
}

/**
 * What an order does without, at most, where the best route would always have paid less a moment ago; where it fell in
 * some states only, as large a part. So who moves a good pool once has orders do without little, and not for long.
 */
const MOST_LOST_BPS = 300
/** States that tell what has just begun; all of the minute tell what comes back. */
const NEWEST = 8

/**
 * Whether another fill is the safer one: it pays hardly less at this block, and the best one would have paid less than
 * it, by more than `fallBps`, in some of the earlier states, which begin with the newest. What moves the whole market
 * moves both.
 */
export function isSafer(
  graph: Graph,
  { best, other }: { readonly best: Fill; readonly other: Fill },
  earlier: readonly Graph[],
  fallBps: number,
): boolean {
  const rateAt = (state: Graph, { route, order }: Fill) =>
    Number(outputAt(state, route, order) ?? 0n) / Number(order.amountIn)
  const isLess = (state: Graph, [a, b]: readonly [Fill, Fill], bps: number) =>
    rateAt(state, a) < rateAt(state, b) * (1 - bps / BPS)
  const isFall = earlier.map((state) => isLess(state, [best, other], fallBps))
  const partOf = (some: readonly boolean[]) => some.filter(Boolean).length / some.length
  const part = Math.max(partOf(isFall), partOf(isFall.slice(0, NEWEST)))
  return part > 0 && !isLess(graph, [other, best], MOST_LOST_BPS * part)
}

/** A warning that names pools which came and went within the last minute, and what becomes of them. */
export function steadinessWarnings(
  pools: ReadonlySet<Hex>,
  isLeftOut: boolean,
): readonly Warning[] {
  if (pools.size === 0) return []
  const what = isLeftOut
    ? 'left out, though a quote counts them'
    : 'in the route; a swap leaves them out where another route is safer'
  const names = [...pools].slice(0, 3).join(', ')
  const message = `pools that came and went within the last minute are ${what} (${pools.size}): ${names}`
  return [{ code: 'POOLS_UNSTEADY', message }]
}
