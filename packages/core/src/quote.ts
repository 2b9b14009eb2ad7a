import type { Bound } from './certificate/bound.js'
import { checkOptions, checkOrder } from './checkCall.js'
import { requireFields } from './checkNames.js'
import { curveOf } from './curve/curve.js'
import { sellAll } from './curve/largestSale.js'
import { BaseError } from './errors.js'
import { boundAfterFee, FEE_GAS, type Fee, feeOn, lessFee, type PaidFee } from './fee.js'
import { edgesFrom, type Graph, graphOf, type OpaqueGraph, poolById } from './graph.js'
import { type Address, NATIVE } from './hex.js'
import { type Order, poolOrderOf } from './order.js'
import { canBePaidDirectly } from './pools/index.js'
import { CUSTODY_GAS, type PlannedHop, type Route, replay, transactionGasOf } from './replay.js'
import type { Block } from './snapshot.js'
import { solve } from './solver/solve.js'
import type { Options, StartPrices } from './solver/terms.js'
import { GAS_SHARE_OF_BLOCK } from './solver/tuning.js'

/** The inputs of a quote besides market and order. */
export type QuoteOptions = Options & {
  /** A fee of an integrator, which all figures are after. A route that only wraps pays none. */
  readonly fee?: Fee
}

/** The answer to an order: the exact output at `block` and the route that gives it. */
export type Quote = {
  readonly order: Order
  readonly route: Route
  /** The output to the receiver, after the fee if there is one. */
  readonly amountOut: bigint
  /** The integrator's fee, if one is asked for and the route does not only wrap. */
  readonly fee?: PaidFee
  /** Gas of the whole transaction, estimated. */
  readonly gas: number
  readonly block: Block
  /** An upper bound on every route over the clean pools; absent for a wrap alone or a stopped search. */
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
 * Throws NO_ROUTE, AMOUNT_TOO_SMALL or INSUFFICIENT_LIQUIDITY if there is no answer, and
 * BAD_ORDER, BAD_OPTIONS or BAD_SNAPSHOT for what a caller got wrong.
 */
export function quote(market: OpaqueGraph, order: Order, options: QuoteOptions = {}): Quote {
  const graph = graphOf(market)
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
  const { fee, ...ownOptions } = withRoomForFee(options, block)
  const sold = soldOf(ends.order, fee)
  const solution = sellAll(curveOf(graph, sold, ownOptions), sold.amountIn)
  const replayed = solution && replayBetweenEnds({ ends, hops: solution.hops, order, fee })
  if (!replayed) throw explainFailure(graph, ends.order, options)
  const { estimate, prices } = solution
  const bound = solution.bound && boundWithFee(solution.bound, fee)
  const received = receivedOf(estimate, fee)
  return { order, block, prices, estimate: received, ...replayed, ...(bound && { bound }) }
}

/** The order that the pools see: without a fee of the token in. */
function soldOf(order: Order, fee: Fee | undefined): Order {
  return fee?.of === 'tokenIn' ? { ...order, amountIn: lessFee(order.amountIn, fee) } : order
}

/** Returns the pools' output after a fee of the token out. */
function receivedOf(amountOut: bigint, fee: Fee | undefined): bigint {
  return fee?.of === 'tokenOut' ? lessFee(amountOut, fee) : amountOut
}

/** The cap on gas without the gas of the fee. */
export function withRoomForFee(options: QuoteOptions, block: Block): QuoteOptions {
  if (!options.fee) return options
  const maxGas = options.maxGas ?? Number(block.gasLimit) * GAS_SHARE_OF_BLOCK
  return { ...options, maxGas: maxGas - FEE_GAS }
}

function boundWithFee(bound: Bound, fee: Fee | undefined): Bound {
  if (!fee) return bound
  const { of, ppm } = fee
  return { ...bound, amount: boundAfterFee(bound.amount, bound.gasCost, fee), fee: { of, ppm } }
}

/**
 * Returns the gap of a quote in basis points: the distance from its worth to its
 * bound. `null` if the quote is worth more than its bound: then the bound is wrong and the distance
 * is unknown. `undefined` if there is no bound, or if the bound is not positive. Throws BAD_OPTIONS for no quote.
 */
export function gapBpsOf(
  quoted: Pick<Quote, 'amountOut' | 'gas' | 'bound'>,
): number | null | undefined {
  requireFields('quote', quoted, ['amountOut', 'gas'])
  const { amountOut, gas, bound } = quoted
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
  market: OpaqueGraph,
  order: Order,
  hops: readonly PlannedHop[],
  fee?: Fee,
): Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'block' | 'fee'> | undefined {
  const graph = graphOf(market)
  checkOrder(order)
  const replayed = replayBetweenEnds({ ends: wrapEnds(graph, order), hops, order, fee })
  return replayed && { order, ...replayed, block: graph.snapshot.block }
}

/** Hops between the wrapped ends of an order. */
type Planned = {
  readonly ends: ReturnType<typeof wrapEnds>
  readonly hops: readonly PlannedHop[]
  readonly order: Order
  readonly fee?: Fee | undefined
}

/**
 * Replays hops between the wrapped ends with what wraps before and unwraps after them; `undefined`
 * if they cannot take the amount. A fee is paid between the hops and the ends, in the wrapped token.
 */
export function replayBetweenEnds({
  ends,
  hops,
  order,
  fee,
}: Planned): Pick<Quote, 'route' | 'amountOut' | 'gas' | 'fee'> | undefined {
  if (!fee || hops.length === 0) {
    const replayed = replay([...ends.before, ...hops, ...ends.after], order)
    return replayed && { gas: transactionGasOf(replayed.route), ...replayed }
  }
  const sold = soldOf({ ...ends.order, amountIn: order.amountIn }, fee)
  const swapped = replay(hops, sold)
  if (!swapped) return undefined
  const amountOut = receivedOf(swapped.amountOut, fee)
  const { tokenIn, tokenOut } = ends.order
  const before = replay(ends.before, { ...order, tokenOut: tokenIn })
  const after = replay(ends.after, {
    tokenIn: tokenOut,
    tokenOut: order.tokenOut,
    amountIn: amountOut,
  })
  if (!before || !after) return undefined
  const route = [...before.route, ...swapped.route, ...after.route]
  const amount = feeOn(fee.of === 'tokenIn' ? order.amountIn : swapped.amountOut, fee)
  const gas = transactionGasOf(route) + FEE_GAS + custodyGasOf(hops[0]!, fee)
  return { route, amountOut, gas, fee: { ...fee, amount } }
}

/** A fee of the token in stops the funds at the executor, where the first pair would be paid directly. */
function custodyGasOf({ pool, share }: PlannedHop, fee: Fee): number {
  return fee.of === 'tokenIn' && share === 0 && canBePaidDirectly(pool) ? CUSTODY_GAS : 0
}

/**
 * An order between ERC-20 tokens, and the hops that wrap before it and unwrap after it. Throws
 * NO_ROUTE if the snapshot cannot wrap.
 */
export function wrapEnds(graph: Graph, order: Order) {
  const { wrappedNative } = graph.snapshot
  const pool = poolById(graph, wrappedNative)
  const hop = (from: Address): readonly PlannedHop[] => {
    if (!pool) throw new NoRouteError('the snapshot has no pool that wraps the native token')
    const isWrap = from === NATIVE
    return [{ pool, direction: isWrap ? { in: 0, out: 1 } : { in: 1, out: 0 }, share: 0 }]
  }
  const inner = poolOrderOf(order, wrappedNative)
  return {
    order: inner,
    isOnlyWrap: inner.tokenIn === inner.tokenOut && order.tokenIn !== order.tokenOut,
    before: order.tokenIn === NATIVE ? hop(NATIVE) : [],
    after: order.tokenOut === NATIVE ? hop(wrappedNative) : [],
  }
}

// Amounts to try: if only larger ones work, the order is too small; otherwise it is too large.
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

/** The probes below an amount, the largest first. */
function probesBelow(amountIn: bigint): readonly bigint[] {
  return PROBES.filter((probe) => probe < amountIn).reverse()
}

/** Explains why there is no quote. Tries other amounts to distinguish too small from too large. */
export function explainFailure(graph: Graph, order: Order, asked: Options): BaseError {
  const details = { ...order, amountIn: `${order.amountIn}` }
  if (!pathOf(graph, order, asked)) {
    return (
      untrustedRoute(graph, order, asked) ??
      new NoRouteError('no pools connect the two tokens', details)
    )
  }
  // A search that stops at once returns the best single path, which is enough to see if any works.
  const options: Options = { ...asked, objective: 'gross', shouldStop: () => true }
  const works = (amountIn: bigint) => solve(graph, { ...order, amountIn }, options) !== undefined
  const isTooSmall = ![order.amountIn, ...probesBelow(order.amountIn)].some(works)
  if (isTooSmall && probesAbove(order.amountIn).some(works)) {
    return new AmountTooSmallError('the amount is too small to buy one wei', details)
  }
  return new InsufficientLiquidityError(
    'the market cannot take the whole amount: its last part would pay next to nothing',
    details,
  )
}

/** The error of an order that only tokens outside of `onlyIntermediates` connect: it names them, and what would open the way. */
function untrustedRoute(graph: Graph, order: Order, asked: Options): BaseError | undefined {
  const { onlyIntermediates, ...open } = asked
  if (!onlyIntermediates) return undefined
  const best = solve(graph, order, { ...open, objective: 'gross', shouldStop: () => true })
  const path = best?.hops.map(({ pool, direction }) => pool.tokens[direction.out]!)
  const passed = (path ?? pathOf(graph, order, open))?.filter((token) => {
    return token !== order.tokenIn && token !== order.tokenOut
  })
  if (!passed) return undefined
  const untrusted = passed.filter((token) => !onlyIntermediates.has(token))
  return new UntrustedRouteError('a route exists, but none passes only tokens that are allowed', {
    ...{ ...order, amountIn: `${order.amountIn}` },
    ...{ untrusted: `${untrusted}`, onlyIntermediates: `${[...new Set(passed)]}` },
  })
}

/** The tokens from an end of an order to the other with the fewest hops; undefined if no pools connect them. */
function pathOf(
  graph: Graph,
  { tokenIn, tokenOut }: Order,
  options: Options,
): readonly Address[] | undefined {
  const { excludedPools, onlyIntermediates, maxHops = Number.POSITIVE_INFINITY } = options
  // Breadth-first search: the map grows during the iteration.
  const reached = new Map<Address, readonly Address[]>([[tokenIn, []]])
  for (const [token, path] of reached) {
    if (token === tokenOut) return path
    const mayPass = token === tokenIn || (onlyIntermediates?.has(token) ?? true)
    if (path.length >= maxHops || !mayPass) continue
    for (const { pool, tokenOut: next } of edgesFrom(graph, token)) {
      const isNew = next !== NATIVE && !reached.has(next)
      if (isNew && !excludedPools?.has(pool.id)) reached.set(next, [...path, next])
    }
  }
  return undefined
}

/** Only tokens outside of `onlyIntermediates` connect the two; `details` has them, and a list that opens the way. */
export class UntrustedRouteError extends BaseError {
  readonly code = 'ROUTE_UNTRUSTED'
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
