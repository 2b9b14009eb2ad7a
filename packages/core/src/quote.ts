import type { Bound } from './certificate/bound.js'
import { checkOptions, checkOrder } from './checkCall.js'
import { BaseError } from './errors.js'
import { edgesFrom, type Graph, poolById } from './graph.js'
import { type Address, NATIVE, wrappedOf } from './hex.js'
import type { Order } from './order.js'
import { type PlannedHop, type Route, replay, transactionGasOf } from './replay.js'
import type { Block } from './snapshot.js'
import type { Options, StartPrices } from './solver/options.js'
import { solve } from './solver/solve.js'

/** The answer to an order: the exact output at `block` and the route that gives it. */
export type Quote = {
  readonly order: Order
  readonly route: Route
  readonly amountOut: bigint
  /** Gas of the whole transaction, estimated. */
  readonly gas: number
  readonly block: Block
  /** What no route over the clean pools can exceed; absent for a wrap alone or a stopped search. */
  readonly bound?: Bound
  /** The solver's float prediction, rounded down: the answer without the exact replay. */
  readonly estimate: bigint
  /** Initial prices for the next quote of this pair. */
  readonly prices: StartPrices
}

/**
 * The best route found for an order, replayed in exact integers. The native token is wrapped before
 * and unwrapped after the hops between ERC-20 tokens.
 *
 * Throws {@link NoRouteError}, {@link AmountTooSmallError} or {@link InsufficientLiquidityError}, and
 * BAD_ORDER, BAD_OPTIONS or BAD_SNAPSHOT for what a caller got wrong.
 */
export function quote(graph: Graph, order: Order, options: Options = {}): Quote {
  checkOrder(order)
  checkOptions(options, graph.snapshot.block)
  const ends = wrapEnds(graph, order)
  const { block } = graph.snapshot
  if (ends.isOnlyWrap) {
    const { route, amountOut } = replay([...ends.before, ...ends.after], order)!
    return {
      order,
      route,
      amountOut,
      gas: transactionGasOf(route),
      block,
      estimate: amountOut,
      prices: {},
    }
  }
  const solution = solve(graph, ends.order, options)
  options.onSolved?.()
  const walked = solution && replay([...ends.before, ...solution.hops, ...ends.after], order)
  if (!walked) throw explainFailure(graph, ends.order, options)
  const { bound, estimate, prices } = solution
  const answer = { order, ...walked, gas: transactionGasOf(walked.route), block, estimate, prices }
  return bound ? { ...answer, bound } : answer
}

/**
 * How far a quote can be below the best route, in basis points: the distance from its worth to its
 * bound. `null` if the quote is worth more than its bound: then the bound is wrong and the distance
 * is unknown. `undefined` if there is no bound, or if the bound is not positive.
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

/**
 * Quotes given hops between the wrapped ends; `undefined` if they cannot take the amount. Throws
 * BAD_ORDER.
 */
export function quoteHops(
  graph: Graph,
  order: Order,
  hops: readonly PlannedHop[],
): Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'block'> | undefined {
  checkOrder(order)
  const ends = wrapEnds(graph, order)
  const walked = replay([...ends.before, ...hops, ...ends.after], order)
  return (
    walked && { order, ...walked, gas: transactionGasOf(walked.route), block: graph.snapshot.block }
  )
}

/**
 * An order between ERC-20 tokens, and the hops that wrap before it and unwrap after it. Throws
 * {@link NoRouteError} if the snapshot cannot wrap.
 */
export function wrapEnds(graph: Graph, order: Order) {
  const { wrappedNative } = graph.snapshot
  const pool = poolById(graph, wrappedNative)
  const hop = (from: Address): readonly PlannedHop[] => {
    if (!pool) throw new NoRouteError('the snapshot has no pool that wraps the native token')
    const isWrap = from === NATIVE
    return [{ pool, direction: isWrap ? { in: 0, out: 1 } : { in: 1, out: 0 }, share: 0 }]
  }
  const inner = {
    ...order,
    tokenIn: wrappedOf(order.tokenIn, wrappedNative),
    tokenOut: wrappedOf(order.tokenOut, wrappedNative),
  }
  return {
    order: inner,
    isOnlyWrap: inner.tokenIn === inner.tokenOut && order.tokenIn !== order.tokenOut,
    before: order.tokenIn === NATIVE ? hop(NATIVE) : [],
    after: order.tokenOut === NATIVE ? hop(wrappedNative) : [],
  }
}

// Amounts to try: if a larger one works, the order is too small; otherwise it is too large.
const PROBES = Array.from({ length: 16 }, (_, i) => 1n << BigInt(8 * i))

/**
 * The probes above an amount, from the middle outwards: an amount far from both dust and the end of
 * the pools is the likeliest to work, and one that works is enough.
 */
function probesAbove(amountIn: bigint): readonly bigint[] {
  const larger = PROBES.filter((probe) => probe > amountIn)
  const middle = larger.length / 2
  const distances = larger.map((probe, i) => ({ probe, distance: Math.abs(i - middle) }))
  return distances.sort((a, b) => a.distance - b.distance).map(({ probe }) => probe)
}

/** Explains why there is no quote. Tries other amounts to distinguish too small from too large. */
export function explainFailure(graph: Graph, order: Order, asked: Options): BaseError {
  const details = { ...order, amountIn: `${order.amountIn}` }
  if (!isConnected(graph, order, asked)) {
    return new NoRouteError(`no pools connect ${order.tokenIn} to ${order.tokenOut}`, details)
  }
  // A search that stops at once returns the best single path, which is enough to see if any works.
  const options: Options = { ...asked, objective: 'gross', shouldStop: () => true }
  const works = (amountIn: bigint) => solve(graph, { ...order, amountIn }, options) !== undefined
  if (probesAbove(order.amountIn).some(works)) {
    return new AmountTooSmallError('the amount is too small to buy one wei', details)
  }
  return new InsufficientLiquidityError('no route can take the whole amount', details)
}

function isConnected(graph: Graph, { tokenIn, tokenOut }: Order, options: Options): boolean {
  const { excludedPools, maxHops = Number.POSITIVE_INFINITY } = options
  // Breadth-first search: the map grows during the iteration.
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

/** The tokens are connected, but the amount buys less than one wei. */
export class AmountTooSmallError extends BaseError {
  readonly code = 'AMOUNT_TOO_SMALL'
}

/** The tokens are connected, but no route can take the whole amount. */
export class InsufficientLiquidityError extends BaseError {
  readonly code = 'INSUFFICIENT_LIQUIDITY'
}
