/**
 * Exact output: the least input that buys a wanted amount. Input: graph, order, options. Output: a
 * quote whose exact replay pays at least that amount, with a lower bound on its input.
 *
 * A fixed-point iteration on the input: solve for an input, find by replay how much input the
 * shares of this route need for the wanted output, and solve for that input. The error of the
 * shares is quadratic in the error of the input, so a few solves are enough. Bisection guards it.
 */

import type { InputBound } from '../certificate/recomputeInputBound.js'
import { checkOptions, checkOrder } from '../checkCall.js'
import {
  between,
  type Curve,
  curveOf,
  isFlat,
  LARGEST_INPUT,
  type Sale,
  salesOf,
  searchAt,
  stepTo,
} from '../curve/curve.js'
import { isBeyondEnd, largestSale } from '../curve/largestSale.js'
import { BadOptionsError } from '../errors.js'
import { beforeFee, FEE_GAS, type Fee } from '../fee.js'
import { type Graph, graphOf, type OpaqueGraph } from '../graph.js'
import type { ExactOutOrder, Order } from '../order.js'
import {
  AmountTooSmallError,
  InsufficientLiquidityError,
  type Quote,
  type QuoteOptions,
  quote,
  replayBetweenEnds,
  withRoomForFee,
  wrapEnds,
} from '../quote.js'
import type { Options } from '../solver/terms.js'
import { type Candidate, candidateOf } from './candidate.js'
import { inputBoundOf, inputGapBpsOf } from './inputBound.js'
import { narrow } from './leastInput.js'
import { startInput } from './startInput.js'

/**
 * The answer to an exact-output order. `order.amountIn` is the input: along the same route, one wei
 * less pays less than wanted. `amountOut` is what the input pays, at least the wanted amount; it is
 * more if one wei of input buys several wei.
 */
export type ExactOutQuote = Omit<Quote, 'bound' | 'estimate'> & {
  /** Wei of the token out that the order wants. */
  readonly wanted: bigint
  /** A lower bound on the cost of every route over the clean pools; absent as {@link Quote.bound} is. */
  readonly inputBound?: InputBound
}

// Solves for one order. Nearly all orders need two or three.
const MAX_SOLVES = 12
// The input for which a route was solved is close enough to the one it needs: the error of the cost
// is about the square of this.
const CLOSE_PPM = 20n
const PPM = 1_000_000n
// The part of an input that is not worth another solve where sales decide.
const PRECISION = 10_000n
// The percent of the input that must not pay as much.
const HALF = 50n
// The part of an input, in bits, that it is better to search more than less.
const AHEAD_BITS = 15n
// Bits by which the input grows at most while no route pays enough.
const MOST_GROWTH = 4n
/**
 * The least input found that buys at least `amountOut` wei, replayed in exact integers. The route
 * minimises the input plus its gas, or with `objective: 'gross'` the input alone.
 *
 * Throws AMOUNT_TOO_SMALL for a wanted amount below one wei, and as `quote` does
 * NO_ROUTE, INSUFFICIENT_LIQUIDITY, BAD_ORDER, BAD_OPTIONS and BAD_SNAPSHOT.
 */
export function quoteExactOut(
  market: OpaqueGraph,
  order: ExactOutOrder,
  options: QuoteOptions = {},
): ExactOutQuote {
  const graph = graphOf(market)
  checkOrder(order, 'amountOut')
  checkOptions(options, graph.snapshot.block)
  const { fee, ...ownOptions } = withRoomForFee(options, graph.snapshot.block)
  requireFeeOfTokenOut(fee)
  const { tokenIn, tokenOut, amountOut: wanted } = order
  if (wanted <= 0n) {
    throw new AmountTooSmallError('the wanted amount must be at least one wei', detailsOf(order))
  }
  const ends = wrapEnds(graph, { tokenIn, tokenOut, amountIn: wanted })
  if (ends.isOnlyWrap) {
    const { estimate: _, ...answer } = quote(graph, { tokenIn, tokenOut, amountIn: wanted })
    return { ...answer, wanted }
  }
  const paid = beforeFee(wanted, fee)
  const inner = { tokenIn: ends.order.tokenIn, tokenOut: ends.order.tokenOut, amountOut: paid }
  const found = search(graph, inner, ownOptions)
  const { high: amountIn } = narrow(found.target, found.bracket, 1n)
  const asked: Order = { tokenIn, tokenOut, amountIn }
  const replayed = replayBetweenEnds({ ends, hops: found.target.hops, order: asked, fee })!
  const { block } = graph.snapshot
  const answer = { order: asked, wanted, ...replayed, block, prices: found.sale.prices }
  const bounds = found.bounds.map((bound) => boundWithFee(bound, fee))
  const inputBound = tightest(bounds, { amountIn, gas: replayed.gas })
  return inputBound ? { ...answer, inputBound } : answer
}

/** A fee of the token in would be a part of the amount that is searched. */
function requireFeeOfTokenOut(fee: Fee | undefined): void {
  if (!fee || fee.of === 'tokenOut') return
  const wanted = 'tokenOut, because the amount in is searched'
  throw new BadOptionsError(`fee.of is ${fee.of}`, { field: 'fee.of', got: fee.of, wanted })
}

/** Every route also costs the gas of the fee. */
function boundWithFee(bound: InputBound, fee: Fee | undefined): InputBound {
  if (!fee) return bound
  const { of, ppm } = fee
  const gas = BigInt(Math.floor(bound.gasCost * FEE_GAS))
  return { ...bound, amount: bound.amount + gas, fee: { of, ppm } }
}

type Found = Candidate & { readonly bounds: readonly InputBound[] }

/** The state of a search: its curve, the cheapest route that pays enough, and all bounds. */
type Reached = {
  readonly curve: Curve
  readonly wanted: ExactOutOrder
  best?: Candidate
  /** The largest sale of the market, where that was asked for. */
  largest?: Sale
  readonly bounds: InputBound[]
}

/**
 * The cheapest route found. Solves for an input, finds what the shares of that route need, and solves for that. Where
 * one more unit pays little, it goes on by Newton's method from the sales that pay too little. Throws if no sale within
 * the market pays enough.
 */
function search(graph: Graph, wanted: ExactOutOrder, options: Options): Found {
  const curve = curveOf(graph, wanted, options)
  const reached: Reached = { curve, wanted, bounds: [] }
  let amountIn: bigint | undefined = startInput(curve, wanted)
  for (let n = 0; n < MAX_SOLVES && amountIn !== undefined; n++) {
    look(reached, searchAt(curve, amountIn))
    amountIn = nextInput(reached)
  }
  const { best, bounds } = reached
  if (best && (options.shouldStop?.() || !isBeyondEnd(curve, best.sale, HALF)))
    return { ...best, bounds }
  const largest = largestSale(curveOf(graph, wanted, options), LARGEST_INPUT)
  const enough = largest && largest.amountOut >= wanted.amountOut
  const paid = enough ? candidateOf(curve, largest, wanted) : undefined
  if (!paid) throw tooMuch(wanted, largest)
  return { ...paid, bounds }
}

/** Takes note of a sale. */
function look(reached: Reached, sale: Sale | undefined): void {
  const { curve, wanted, best, bounds } = reached
  if (!sale) return
  const { graph } = curve
  const bound = sale.bound && inputBoundOf(graph, wanted, sale.order.amountIn, sale.bound)
  if (bound) bounds.push(bound)
  const found = candidateOf(curve, sale, wanted)
  if (found && !(best && found.cost >= best.cost)) reached.best = found
}

/** The next input to search; `undefined` at the end. Throws if no sale within the market pays enough. */
function nextInput(reached: Reached): bigint | undefined {
  const { curve, wanted, best } = reached
  const below = belowOf(reached)
  // A little ahead: what drained pools pay for more cannot be had with the same shares, for less it can.
  const reach = below && stepTo(below, wanted.amountOut)
  const step = reach && reach + (reach >> AHEAD_BITS)
  const isNew = step !== undefined && !curve.asked.has(step)
  if (!best) {
    if (isNew && (!isFlat(below!) || step < below!.order.amountIn << MOST_GROWTH)) return step
    if (reached.largest) throw tooMuch(wanted, reached.largest)
    lookAtEnd(reached)
    return nextInput(reached)
  }
  if (curve.options.shouldStop?.()) return undefined
  const needed = best.bracket.high
  const isSearched = [...curve.asked.keys()].some((one) => isClose(needed, one))
  if (!isFlat(best.from)) return isSearched ? undefined : needed
  if (isClose(needed, best.from.order.amountIn, PPM / PRECISION)) return undefined
  const tooLittle = below?.order.amountIn ?? 0n
  if ((needed - tooLittle) * PRECISION <= needed) return undefined
  const half = needed >> 1n
  if (tooLittle < half && !curve.asked.has(half)) return half
  return isNew && step < needed ? step : between(tooLittle, needed)
}

/** Of the sales that pay too little, the largest below the best route's input, or the one that pays most. */
function belowOf({ curve, wanted, best }: Reached): Sale | undefined {
  const poor = salesOf(curve).filter(({ amountOut }) => amountOut < wanted.amountOut)
  if (best) return poor.findLast(({ order }) => order.amountIn < best.bracket.high)
  return poor.reduce<Sale | undefined>(
    (a, b) => (a && a.amountOut > b.amountOut ? a : b),
    undefined,
  )
}

/** Takes note of the sales at the end of the market. Throws if there are none. */
function lookAtEnd(reached: Reached): void {
  const { graph, ends, options } = reached.curve
  // On a curve of its own, so that a request for the largest sale gets the same answer.
  const curve = curveOf(graph, ends, options)
  const largest = largestSale(curve, LARGEST_INPUT)
  for (const sale of salesOf(curve)) {
    reached.curve.asked.set(sale.order.amountIn, sale)
    look(reached, sale)
  }
  if (!largest) throw tooMuch(reached.wanted, largest)
  reached.largest = largest
}

function tooMuch(wanted: ExactOutOrder, largest: Sale | undefined): InsufficientLiquidityError {
  const details = { ...detailsOf(wanted), largestAmountOut: `${largest?.amountOut ?? 0n}` }
  return new InsufficientLiquidityError('no route found pays the whole wanted amount', details)
}

function isClose(needed: bigint, amountIn: bigint, ppm = CLOSE_PPM): boolean {
  const distance = needed > amountIn ? needed - amountIn : amountIn - needed
  return distance * PPM <= amountIn * ppm
}

/** The bound that leaves the smallest gap. */
function tightest(
  bounds: readonly InputBound[],
  answer: { readonly amountIn: bigint; readonly gas: number },
): InputBound | undefined {
  const gapOf = (inputBound: InputBound) => inputGapBpsOf({ ...answer, inputBound }) ?? -1
  return bounds.toSorted((a, b) => gapOf(a) - gapOf(b))[0]
}

function detailsOf({ tokenIn, tokenOut, amountOut }: ExactOutOrder) {
  return { tokenIn, tokenOut, amountOut: `${amountOut}` }
}
