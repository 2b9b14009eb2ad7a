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
import { amountOutOf } from '../replay.js'
import { solve } from '../solver/solve.js'
import type { Options } from '../solver/terms.js'
import { type Candidate, candidateOf } from './candidate.js'
import { inputBoundOf, inputGapBpsOf } from './inputBound.js'
import { narrow } from './leastInput.js'
import {
  between,
  LARGEST_INPUT,
  least,
  leastInputBy,
  most,
  nextInput,
  type Reached,
  withSolve,
} from './nextInput.js'
import { paidByPath, startInput } from './startInput.js'

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
const MAX_SOLVES = 16
// The input for which a route was solved is close enough to the one it needs: the error of the cost
// is about the square of this.
const CLOSE_PPM = 20n
const PPM = 1_000_000n
// The part of an input that is not worth another solve where sales decide.
const PRECISION = 1_000n
/**
 * The least input found that buys at least `amountOut` wei, replayed in exact integers. The route
 * minimises the input plus its gas, or with `objective: 'gross'` the input alone.
 *
 * Throws {@link AmountTooSmallError} for a wanted amount below one wei, and as `quote` does
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
  const answer = { order: asked, wanted, ...replayed, block, prices: found.prices }
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

type Found = {
  /** The cheapest route that pays enough. */
  readonly best: Candidate | undefined
  /** The bounds of all solves. */
  readonly bounds: readonly InputBound[]
  readonly reached: Reached
}

/** The cheapest route found. Throws if none pays enough. */
function search(
  graph: Graph,
  order: ExactOutOrder,
  options: Options,
): Candidate & Pick<Found, 'bounds'> {
  const first = searchFrom(graph, order, options, startInput(graph, order, options))
  if (first.best) return { ...first.best, bounds: first.bounds }
  // The reference prices can be far off if a stale pool is the only one of a token.
  const other = paidByPath(graph, order, options)
  const second = other === undefined ? undefined : searchFrom(graph, order, options, other)
  if (second?.best) return { ...second.best, bounds: second.bounds }
  // Near the end of the market a larger input may pay less: the search may have stepped over those that pay enough.
  const { proven, low } = first.reached
  const third = proven < low ? searchFrom(graph, order, options, between(proven, low)) : undefined
  if (third?.best) return { ...third.best, bounds: third.bounds }
  const details = { ...detailsOf(order), largestAmountOut: `${first.reached.mostOut}` }
  throw new InsufficientLiquidityError('no route found pays the whole wanted amount', details)
}

/** The fixed-point iteration from one input. */
function searchFrom(
  graph: Graph,
  order: ExactOutOrder,
  options: Options,
  firstInput: bigint,
): Found {
  const { tokenIn, tokenOut } = order
  const bounds: InputBound[] = []
  let best: Candidate | undefined
  let last: { readonly amountIn: bigint; readonly prices: Quote['prices'] } | undefined
  let reached: Reached = { low: 0n, high: LARGEST_INPUT, proven: 0n, mostOut: 0n, solves: 0n }
  let [tooLittle, enough] = [0n, LARGEST_INPUT]
  let amountIn: bigint | undefined = firstInput
  for (let n = 0; n < MAX_SOLVES && amountIn !== undefined; n++) {
    const asked: Order = { tokenIn, tokenOut, amountIn }
    // Prices of an input far away are a worse start than none.
    const start = last && isNear(last.amountIn, amountIn) ? last.prices : options.start
    // Only a bound without caps on inputs says something about other inputs.
    const certificate = 'fast' as const
    const solution = solve(graph, asked, { ...options, certificate, ...(start && { start }) })
    if (solution) last = { amountIn, prices: solution.prices }
    const bound: InputBound | undefined =
      solution?.bound && inputBoundOf(graph, order, amountIn, solution.bound)
    if (bound) bounds.push(bound)
    const found: Candidate | undefined =
      solution && candidateOf({ order, asked, solution, bound, options })
    const isCheaper: boolean = found !== undefined && !(best && found.cost >= best.cost)
    if (isCheaper) best = found
    if (!best) {
      reached = withSolve(reached, asked, { solution, bound })
      amountIn = nextInput(reached, order, solution)
      continue
    }
    const needed = best.bracket.high
    const isSettled: boolean = isClose(needed, amountIn) && !isDrained(best)
    if (isSettled || options.shouldStop?.()) break
    // A route for another input is no longer the best at the one that it needs, or that is beyond the end of the
    // market: what a sale pays decides, between too little and enough.
    const isEnough: boolean = solution !== undefined && solution.amountOut >= order.amountOut
    if (bound) tooLittle = most(tooLittle, leastInputBy(bound))
    if (solution && !isEnough) tooLittle = most(tooLittle, amountIn)
    enough = least(least(enough, needed), isEnough ? amountIn : enough)
    if ((enough - tooLittle) * PRECISION <= enough) break
    amountIn = isClose(needed, amountIn) || !isCheaper ? between(tooLittle, enough) : needed
  }
  return { best, bounds, reached }
}

/**
 * True if nine tenths of the input pay more than 19/20 of what is wanted: then many inputs pay about the same, and a
 * route that needs the input it was solved for may still need far too much.
 */
function isDrained({ target, bracket }: Candidate): boolean {
  const less = { ...target, amountIn: (bracket.high * 9n) / 10n }
  return (amountOutOf(target.hops, less) ?? 0n) * 20n > target.amountOut * 19n
}

function isNear(a: bigint, b: bigint): boolean {
  return a <= 2n * b && b <= 2n * a
}

function isClose(needed: bigint, amountIn: bigint): boolean {
  const distance = needed > amountIn ? needed - amountIn : amountIn - needed
  return distance * PPM <= amountIn * CLOSE_PPM
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
