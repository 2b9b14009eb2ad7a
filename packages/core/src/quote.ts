import { BaseError } from './errors.js'
import { edgesFrom, type Graph, poolById } from './graph.js'
import { type Address, NATIVE } from './hex.js'
import type { Order } from './order.js'
import { gasOf, type PlannedHop, type Route, replay } from './route.js'
import type { Block } from './snapshot.js'
import type { Bound } from './solver/bound.js'
import type { Options } from './solver/options.js'
import type { StartPrices } from './solver/select.js'
import { solve } from './solver/solve.js'

/** The answer to an order: what the chain pays at `block`, to the wei, and how. */
export type Quote = {
  readonly order: Order
  readonly route: Route
  readonly amountOut: bigint
  /** Gas of the whole transaction, estimated. */
  readonly gas: number
  readonly block: Block
  /** What no route over the clean pools can exceed; absent for a mere wrap. */
  readonly bound?: Bound
  /** The solver's own float figure, rounded down: the answer without the exact walk. */
  readonly estimate: bigint
  /** Prices to start the next quote of this pair from. */
  readonly prices: StartPrices
}

/**
 * The best route found for an order, walked in exact integers. The native token is wrapped before
 * and unwrapped after the hops between ERC-20 tokens.
 *
 * Throws {@link NoRouteError}, {@link AmountTooSmallError} or {@link InsufficientLiquidityError}.
 */
export function quote(graph: Graph, order: Order, options: Options = {}): Quote {
  const ends = wrapEnds(graph, order)
  const { block } = graph.snapshot
  if (ends.isOnlyWrap) {
    const { route, amountOut } = replay([...ends.before, ...ends.after], order)!
    return { order, route, amountOut, gas: gasOf(route), block, estimate: amountOut, prices: {} }
  }
  const solution = solve(graph, ends.order, options)
  const walked = solution && replay([...ends.before, ...solution.hops, ...ends.after], order)
  if (!walked) throw whyNot(graph, ends.order, options)
  const { bound, estimate, prices } = solution
  const answer = { order, ...walked, gas: gasOf(walked.route), block, estimate, prices }
  return bound ? { ...answer, bound } : answer
}

/**
 * How far a quote is at most below the best route, in basis points: the distance from what it is worth
 * to its bound. `null` if it is worth more than its bound: then the bound is wrong and the distance is
 * unknown. `undefined` without a bound, or with one that is not positive.
 */
export function gapBpsOf({
  amountOut,
  gas,
  bound,
}: Pick<Quote, 'amountOut' | 'gas' | 'bound'>): number | null | undefined {
  if (!bound) return undefined
  const worth = Number(amountOut) - gas * bound.gasCost
  const isPassed = bound.gasCost > 0 ? worth > Number(bound.amount) : amountOut > bound.amount
  if (isPassed) return null
  return bound.amount > 0n ? (1 - worth / Number(bound.amount)) * 10_000 : undefined
}

/** What given hops between the wrapped ends pay, or `undefined` if they cannot take the amount. */
export function quoteHops(
  graph: Graph,
  order: Order,
  hops: readonly PlannedHop[],
): Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'block'> | undefined {
  const ends = wrapEnds(graph, order)
  const walked = replay([...ends.before, ...hops, ...ends.after], order)
  return walked && { order, ...walked, gas: gasOf(walked.route), block: graph.snapshot.block }
}

function wrapEnds(graph: Graph, order: Order) {
  const { wrappedNative } = graph.snapshot
  const wrapped = (token: Address) => (token === NATIVE ? wrappedNative : token)
  const pool = poolById(graph, wrappedNative)
  const hop = (from: Address): readonly PlannedHop[] => {
    if (!pool) throw new NoRouteError('the snapshot does not know how to wrap the native token')
    const isWrap = from === NATIVE
    return [{ pool, direction: isWrap ? { in: 0, out: 1 } : { in: 1, out: 0 }, share: 0 }]
  }
  const inner = { ...order, tokenIn: wrapped(order.tokenIn), tokenOut: wrapped(order.tokenOut) }
  return {
    order: inner,
    isOnlyWrap: inner.tokenIn === inner.tokenOut && order.tokenIn !== order.tokenOut,
    before: order.tokenIn === NATIVE ? hop(NATIVE) : [],
    after: order.tokenOut === NATIVE ? hop(wrappedNative) : [],
  }
}

// Amounts tried, in bits, to tell too much from too little: one that works settles it.
const PROBES = Array.from({ length: 16 }, (_, i) => 1n << BigInt(8 * i))

/** Which of the three reasons there is no quote: what works beside the order tells. */
function whyNot(graph: Graph, order: Order, asked: Options): BaseError {
  const details = { ...order, amountIn: `${order.amountIn}` }
  if (!isConnected(graph, order, asked)) {
    return new NoRouteError(`no pools lead from ${order.tokenIn} to ${order.tokenOut}`, details)
  }
  // Stopped at once, the search answers with the best single path: enough to see if any works.
  const options: Options = { ...asked, objective: 'gross', shouldStop: () => true }
  const works = (amountIn: bigint) => solve(graph, { ...order, amountIn }, options) !== undefined
  const larger = PROBES.filter((amountIn) => amountIn > order.amountIn)
  if (larger.some(works)) {
    return new AmountTooSmallError('the amount is too small to buy one wei', details)
  }
  return new InsufficientLiquidityError('no route can take the whole amount', details)
}

function isConnected(graph: Graph, { tokenIn, tokenOut }: Order, options: Options): boolean {
  const { excludedPools, maxHops = Number.POSITIVE_INFINITY } = options
  // Grows while it is walked: tokens come in the order of their hops from the first.
  const reached = new Map<Address, number>([[tokenIn, 0]])
  for (const [token, hops] of reached) {
    if (token === tokenOut) return true
    if (hops >= maxHops) continue
    for (const { pool, tokenOut: next } of edgesFrom(graph, token)) {
      const isNew = next !== NATIVE && !reached.has(next)
      if (isNew && !excludedPools?.has(pool.id)) reached.set(next, hops + 1)
    }
  }
  return false
}

/** No pools connect the two tokens. */
export class NoRouteError extends BaseError {
  readonly code = 'NO_ROUTE'
}

/** The tokens are connected, but what the amount buys is less than one wei. */
export class AmountTooSmallError extends BaseError {
  readonly code = 'AMOUNT_TOO_SMALL'
}

/** The tokens are connected, but no route can take the whole amount. */
export class InsufficientLiquidityError extends BaseError {
  readonly code = 'INSUFFICIENT_LIQUIDITY'
}
