/**
 * The largest sale on a curve: within the market, or within a price impact. Input: a curve and the most to sell. Output:
 * the sale. From below, because a route for far more than the market takes says nothing: amounts grow until one more unit
 * pays little, then Newton's method goes to where the curve turns.
 */
import { priceImpactBps } from '../priceImpact.js'
import { referenceOf } from '../reference/referencePrices.js'
import { solve } from '../solver/solve.js'
import {
  between,
  type Curve,
  glanceAt,
  isAsMuch,
  isFlat,
  lessOf,
  resized,
  type Sale,
  salesOf,
  searchAt,
  stepTo,
} from './curve.js'

/** Searches for where a sale stops to hold, and the part of its amount that is not worth another. */
const MAX_END_SEARCHES = 16
const END_PRECISION = 1e-3
/** Searches where a curve turns. */
const MAX_TURN_STEPS = 4
/** The part of what any amount pays that is not worth more, in ends of the market. */
const TURN = 4
/** The percent of an amount that must not pay as much as all of it. */
const REST = 80n
/** The part of what all units pay at which one more pays so little that a search finds less for more. */
const NOTHING = 1e-2
/** An amount so many times as large as what moves the pools of an end by two percent is looked at from below. */
const FAR = 1_000
/** Bits by which amounts grow: of single paths, which are searched fast, and of sales. */
const [PATH_BITS, SALE_BITS] = [4n, 2n]

/** The sale of a whole amount; `undefined` if no route takes it, or beyond the end of the market. */
export function sellAll(curve: Curve, amountIn: bigint): Sale | undefined {
  const { options } = curve
  const isStopped = () => options.shouldStop?.() === true
  const depth = depthOf(curve)
  const isFar = depth > 0 && Number(amountIn) > FAR * depth
  if (isFar && !isStopped() && climb(curve, partOf(amountIn, REST)).end) return undefined
  const sale = searchAt(curve, amountIn, {})
  return sale && !isStopped() && isBeyondEnd(curve, sale) ? undefined : sale
}

/**
 * True beyond the end of the market: if a part of a sale, by default the first four fifths, pays as much. Where one more
 * unit pays well, no smaller amount is searched to know.
 */
export function isBeyondEnd(curve: Curve, sale: Sale, part = REST): boolean {
  if (!isFlat(sale)) return false
  const rest = partOf(sale.order.amountIn, part)
  const smaller = salesOf(curve).filter(({ order }) => order.amountIn < sale.order.amountIn)
  if (smaller.some((one) => one.order.amountIn >= rest && !isAsMuch(one, sale))) return false
  const isKnown = () =>
    salesOf(curve).some((one) => one.order.amountIn <= rest && isAsMuch(one, sale))
  if (isKnown()) return true
  glanceAt(curve, rest)
  if (isKnown() || !isFlat(sale, NOTHING)) return isKnown()
  if (climb(curve, rest).end || isKnown()) return true
  // Sales that grow by so much pass a turn between two of them.
  const before = salesOf(curve).findLast((one) => one.order.amountIn < rest && !isFlat(one))
  if (before) glanceAt(curve, least(stepTo(before, sale.amountOut), rest))
  return isKnown()
}

/**
 * The largest sale up to an amount: all of it, or the most that routes take, or beyond the end of the market about the
 * least amount that pays as much as any. `undefined` if no part can be sold.
 */
export function largestSale(curve: Curve, most: bigint): Sale | undefined {
  const { below, end } = climb(curve, most)
  const top = below && end ? highest(curve, below, end) : below
  if (!top || curve.options.shouldStop?.()) return top
  return searchAt(curve, atTurn(curve, top).order.amountIn)
}

/**
 * The amount in wei that moves the pools of an end by about two percent, at the end where less does; 0 if that is not
 * known.
 */
function depthOf({ graph, ends }: Curve): number {
  const { price } = referenceOf(graph)
  const [source, sink] = [graph.tokenNumber.get(ends.tokenIn), graph.tokenNumber.get(ends.tokenOut)]
  if (source === undefined || sink === undefined) return 0
  const worthOf = (k: number, side: Float64Array) => {
    let depth = 0
    for (let e = graph.firstFrom[k]!; e < graph.firstFrom[k + 1]!; e++)
      depth += side === graph.depthIn ? side[e]! : side[graph.reverse[e]!]!
    return depth * price[k]!
  }
  const value = Math.min(worthOf(source, graph.depthIn), worthOf(sink, graph.depthOut))
  return value > 0 ? value / price[source]! : 0
}

/** Where sales that grow from below stop to pay more: an amount that no route takes, or one that pays no more. */
type End = { readonly above: bigint; readonly next?: Sale }

/** The largest sale before the end of those that grow from below, and that end if it is below an amount. */
function climb(curve: Curve, most: bigint): { readonly below?: Sale; readonly end?: End } {
  if (most <= 0n) return {}
  let below = firstSale(curve, most)
  while (below && below.order.amountIn < most && !curve.options.shouldStop?.()) {
    const above = least(below.order.amountIn << SALE_BITS, most)
    const next = glanceAt(curve, above)
    if (!next) return { below, end: { above } }
    // A step of less than a fifth buys less where the market goes on, too.
    const fifths = Math.min(1, (1 - Number(below.order.amountIn) / Number(above)) * 5)
    if (isAsMuch(below, next, fifths)) return { below, end: { above, next } }
    below = next
  }
  return below ? { below } : {}
}

/**
 * The sale that pays most about an end: the largest one, or the one that pays most of both and some between them, where
 * the smaller one is not flat.
 */
function highest(curve: Curve, below: Sale, { above, next }: End): Sale {
  if (!next) return furthest(curve, { below, above, holds: () => true })
  let top = next.amountOut > below.amountOut ? next : below
  let high = above
  for (let n = 0; n < MAX_TURN_STEPS && !isFlat(top); n++) {
    const middle = between(top.order.amountIn, high)
    const sale = glanceAt(curve, middle)
    if (sale && sale.amountOut > top.amountOut) top = sale
    else high = middle
  }
  return top
}

/** The largest sale up to that of a sale within a price impact in basis points. */
export function largestSaleWithin(curve: Curve, most: Sale, impactBps: number): Sale | undefined {
  const holds = (sale: Sale) =>
    (priceImpactBps(sale, sale.order) ?? Number.POSITIVE_INFINITY) <= impactBps
  if (holds(most)) return most
  const above = most.order.amountIn
  const smaller = salesOf(curve).filter(({ order }) => order.amountIn < above)
  const below = smaller.findLast(holds) ?? glanceAt(curve, 1n << BigInt(bitsOf(above) >> 1))
  return below && holds(below) ? furthest(curve, { below, above, holds }) : undefined
}

/**
 * The sale of an amount where the best single path still pays well for the next unit: of powers of 16, about the largest
 * one. Looked for from the depth of the pools upwards, or downwards if a path for that pays little.
 */
function firstSale(curve: Curve, most: bigint): Sale | undefined {
  const { graph, ends, options } = curve
  const paysWell = (amountIn: bigint): boolean => {
    const order = { ...ends, amountIn }
    // A search that stops at once returns the best single path. If there is none, a split may still take the amount.
    const path = solve(graph, order, { ...options, shouldStop: () => true })
    return path !== undefined && !isFlat({ ...path, order })
  }
  const depth = BigInt(Math.ceil(Math.min(depthOf(curve), Number(most))))
  const start = powerUpTo(least(depth, most))
  let amountIn = start
  while (amountIn > 0n && !paysWell(amountIn)) amountIn >>= PATH_BITS
  // So little may buy less than a unit.
  if (amountIn === 0n)
    for (amountIn = start; amountIn <= most && !paysWell(amountIn); ) amountIn <<= PATH_BITS
  if (amountIn > most) return glanceAt(curve, most)
  for (let next = amountIn << PATH_BITS; next <= most && paysWell(next); next <<= PATH_BITS)
    amountIn = next
  return glanceAt(curve, amountIn)
}

/** The largest power of 16 up to an amount. */
function powerUpTo(amount: bigint): bigint {
  let power = 1n
  while (power << PATH_BITS <= amount) power <<= PATH_BITS
  return power
}

/**
 * About the least amount that pays as much as any, by steps from below: beyond it nothing is bought, and it is within the
 * market. The last fifth of a pair buys {@link END_OF_MARKET} where all of it pays four times as much less than any amount.
 */
function atTurn(curve: Curve, top: Sale): Sale {
  // Of a full market too the last price is low, though all of it buys.
  if (!isBeyondEnd(curve, top)) return top
  const wanted = lessOf(top, TURN)
  for (let n = 0; n < MAX_TURN_STEPS; n++) {
    const before = salesOf(curve).findLast(({ order, amountOut }) => {
      return amountOut < wanted && order.amountIn < top.order.amountIn
    })
    const step = before && stepTo(before, wanted)
    if (!step || step >= top.order.amountIn || curve.asked.has(step)) break
    glanceAt(curve, step)
  }
  const sales = salesOf(curve)
  const turn = sales.findIndex((sale) => isAsMuch(sale, top, TURN))
  return isBeyondEnd(curve, sales[turn]!) ? (sales[turn - 1] ?? top) : sales[turn]!
}

/** What is not known of the largest amount at which a sale holds: more than that of one sale, less than an amount. */
type Open = {
  readonly below: Sale
  readonly above: bigint
  readonly holds: (sale: Sale) => boolean
}

/** The largest sale that holds. */
function furthest(curve: Curve, { below, above, holds }: Open): Sale {
  let [low, high, last] = [below, above, below]
  for (let n = 0; n < MAX_END_SEARCHES; n++) {
    const from = low.order.amountIn
    if (Number(high - from) <= END_PRECISION * Number(from)) break
    const trial = furthestAlong(curve, last, { from, high }, holds) ?? between(from, high)
    const next = glanceAt(curve, trial)
    if (next && holds(next)) low = next
    else high = trial
    last = next ?? low
  }
  return low
}

/** The largest amount between two at which the route of a sale still holds; undefined if that is about the smaller. */
function furthestAlong(
  curve: Curve,
  sale: Sale,
  { from, high }: { readonly from: bigint; readonly high: bigint },
  holds: (sale: Sale) => boolean,
): bigint | undefined {
  let [low, end] = [from, high]
  for (let n = 0; n < MAX_END_SEARCHES && end - low > 1n; n++) {
    const middle = between(low, end)
    const same = resized(curve, sale, middle)
    if (same && holds(same)) low = middle
    else end = middle
  }
  return Number(low - from) > END_PRECISION * Number(from) ? low : undefined
}

function bitsOf(amount: bigint): number {
  return amount.toString(2).length
}

function partOf(amountIn: bigint, percent: bigint): bigint {
  return (amountIn * percent) / 100n
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
