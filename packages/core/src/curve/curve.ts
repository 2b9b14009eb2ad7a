/**
 * The curve of sales between two tokens: the amounts at which the search was asked, each with its route, an integer
 * replay. Input: graph, ends, options. Output: the sale of an amount, and whether the market has ended there. It is built on
 * demand: where one more unit pays well, from one search.
 */
import type { Graph } from '../graph.js'
import type { Order } from '../order.js'
import { familyOf } from '../pools/index.js'
import type { Hop } from '../replay.js'
import { replayHops } from '../solver/primal/realise.js'
import { type Solution, solve } from '../solver/solve.js'
import { type Options, type Terms, termsOf } from '../solver/terms.js'

/** The part of its output that the last fifth of an order must buy: a pair ends at 249 reserves. */
const END_OF_MARKET = 1e-3
/** Where one more unit pays less than this part of what all units pay, smaller amounts are searched too. */
const FLAT = 0.5
/** Times that a search is asked whether it should stop, where its sale is compared and not answered. */
const GLANCE = 60

/** No pool contract takes more. */
export const LARGEST_INPUT = (1n << 128n) - 1n

/** The ends of a curve, both ERC-20 tokens. */
export type Ends = Pick<Order, 'tokenIn' | 'tokenOut'>

/** A curve, which grows by the amounts that are asked. */
export type Curve = {
  readonly graph: Graph
  readonly ends: Ends
  readonly options: Options
  readonly terms: Terms
  /** What the search answered, by the amount in wei. */
  readonly asked: Map<bigint, Sale | undefined>
  /** The amounts that were searched with less effort than an answer needs. */
  readonly rough: Set<bigint>
}

/** A sale with its route. */
export type Sale = Solution & { readonly order: Order }

/** A curve without any sale yet. */
export function curveOf(graph: Graph, { tokenIn, tokenOut }: Ends, options: Options): Curve {
  const ends = { tokenIn, tokenOut }
  return {
    graph,
    ends,
    options,
    terms: termsOf(graph, ends, options),
    asked: new Map(),
    rough: new Set(),
  }
}

/**
 * What the search finds for an amount, by default without effort for its bound; `undefined` if no route takes it. An
 * amount is searched once.
 */
export function searchAt(
  curve: Curve,
  amountIn: bigint,
  effort: Options = { certificate: 'fast' },
): Sale | undefined {
  const { asked, rough } = curve
  if (!asked.has(amountIn) || rough.has(amountIn))
    asked.set(amountIn, search(curve, amountIn, effort))
  rough.delete(amountIn)
  return asked.get(amountIn)
}

/** The same with less effort, where the sale is compared and not answered. */
export function glanceAt(curve: Curve, amountIn: bigint): Sale | undefined {
  const { options, asked, rough } = curve
  if (asked.has(amountIn)) return asked.get(amountIn)
  let left = GLANCE
  const shouldStop = () => left-- <= 0 || options.shouldStop?.() === true
  const sale = search(curve, amountIn, { certificate: 'fast', shouldStop })
  if (left < 0) rough.add(amountIn)
  asked.set(amountIn, sale)
  return sale
}

function search(
  { graph, ends, options, asked }: Curve,
  amountIn: bigint,
  effort: Options,
): Sale | undefined {
  const order = { ...ends, amountIn }
  // Prices of an amount far away are a worse start than none.
  const near = [...asked.values()].findLast((sale) => sale && isNear(sale.order.amountIn, amountIn))
  const start = near?.prices ?? options.start
  const solution = solve(graph, order, { ...options, ...effort, ...(start && { start }) })
  return solution && { order, ...solution }
}

/**
 * The amount at which sales would pay an output if they went on from a sale as one constant-product pool does with its
 * rate and last price, or at that price if such a pool never would.
 */
export function stepTo({ order, amountOut, marginal }: Sale, wanted: bigint): bigint {
  const [amount, paid, more] = [Number(order.amountIn), Number(amountOut), Number(wanted)]
  const last = Math.min(1, (marginal * amount) / paid)
  const left = paid - more * (1 - last)
  const by = left > 0 ? ((more - paid) * amount) / left : (more - paid) / marginal
  return order.amountIn + (by < Number(LARGEST_INPUT) ? BigInt(Math.ceil(by)) : LARGEST_INPUT)
}

/** True if one more unit of a sale pays less than a part, by default {@link FLAT}, of what its units pay. */
export function isFlat(
  { marginal, order, amountOut }: Pick<Sale, 'marginal' | 'order' | 'amountOut'>,
  part = FLAT,
): boolean {
  return marginal * Number(order.amountIn) < part * Number(amountOut)
}

/** True if another sale pays at least all but so many times {@link END_OF_MARKET} of what a sale does. */
export function isAsMuch(other: Sale, sale: Sale, times = 1): boolean {
  return other.amountOut >= lessOf(sale, times)
}

/** What a sale pays without so many times {@link END_OF_MARKET}. */
export function lessOf({ amountOut }: Sale, times = 1): bigint {
  return amountOut - BigInt(Math.floor(Number(amountOut) * times * END_OF_MARKET))
}

/** The same hops and shares for another amount; `undefined` beyond what the chain, the caps or the search allow. */
export function resized(
  { terms }: Pick<Curve, 'terms'>,
  { edges, hops, order: asked, prices, marginal }: Sale,
  amountIn: bigint,
): Sale | undefined {
  const order = { ...asked, amountIn }
  const found = replayHops(edges, hops, { order, terms }, { estimate: 0, marginal })
  if (!found || found.route.some((hop) => isBeyondCurve(hop))) return undefined
  return { order, prices, ...found, estimate: found.amountOut }
}

/** Beyond the end of a curve a pool may pay a little more, but neither search nor bound counts it. */
function isBeyondCurve({ pool, direction, amountIn }: Hop): boolean {
  return Number(amountIn) > familyOf(pool).toCurve(pool, direction).limit
}

function isNear(a: bigint, b: bigint): boolean {
  return a <= 2n * b && b <= 2n * a
}

/** The sales of a curve, the smallest first. */
export function salesOf({ asked }: Curve): readonly Sale[] {
  const sales = [...asked.values()].filter((sale) => sale !== undefined)
  return sales.sort((a, b) => (a.order.amountIn < b.order.amountIn ? -1 : 1))
}

/** The middle of two amounts: roughly the geometric mean if they are far apart. */
export function between(low: bigint, high: bigint): bigint {
  const bitsOf = (value: bigint) => value.toString(2).length
  const bits = bitsOf(low) + bitsOf(high)
  return high > low << 3n ? 1n << BigInt(bits >> 1) : (low + high) >> 1n
}
