/**
 * The most of an order that the market can take. Input: graph, order, options. Output: the largest
 * amount found with its exact output. Bisection on the amount: single paths find a power of two that can
 * be filled, solves the rest. It is here for callers who want to say more than that an order cannot be filled.
 */
import { checkOptions, checkOrder } from './checkCall.js'
import { type Graph, graphOf, type OpaqueGraph } from './graph.js'
import type { Hex } from './hex.js'
import type { Order } from './order.js'
import { priceImpactBps } from './priceImpact.js'
import { type Quote, quoteHops, wrapEnds } from './quote.js'
import { referenceOf, setAsideOf } from './reference/referencePrices.js'
import { solve } from './solver/solve.js'
import type { Options } from './solver/terms.js'

/** Powers of two between two probes, and bisections between the best probe and the order: 7 from 2^256 to 4, 12 more. */
const PROBE_BITS = 8n
const BISECTIONS = 20

/**
 * The largest part of an order that a route can take, to about one part in a thousand, with the
 * quote for it; `undefined` if no part of it can be filled. `shouldStop` ends the search with the
 * largest found so far. Throws BAD_ORDER, BAD_OPTIONS or BAD_SNAPSHOT.
 */
export function largestFill(
  market: OpaqueGraph,
  order: Order,
  { mostImpactBps, ...options }: FillOptions = {},
): Fill | undefined {
  const graph = graphOf(market)
  checkOrder(order)
  checkOptions(options, graph.snapshot.block)
  const { shouldStop = () => false } = options
  const fill = (amountIn: bigint) => {
    const found = fillOf(graph, { ...order, amountIn }, options)
    const impact = mostImpactBps !== undefined && found ? priceImpactBps(found, found.order) : 0
    return (impact ?? Number.POSITIVE_INFINITY) <= (mostImpactBps ?? 0) ? found : undefined
  }
  let best = fill(order.amountIn)
  if (best) return best
  let high = order.amountIn
  const inner = wrapEnds(graph, order).order
  for (let bits = probeBelow(high); bits >= 0n && !best; bits -= PROBE_BITS) {
    const amountIn = 1n << bits
    // A search that stops at once returns the best single path. If there is none, a split may still take the amount.
    if (solve(graph, { ...inner, amountIn }, { ...options, shouldStop: () => true }))
      best = fill(amountIn)
  }
  for (let n = 0; n < BISECTIONS && best && !shouldStop(); n++) {
    const low = best.order.amountIn
    if (high - low <= low >> 10n) break
    // By the geometric mean while the two are far apart, because they may differ by many powers of two.
    const middle = high > 4n * low ? low << (bitsOf(high / low) / 2n) : (low + high) / 2n
    const found = middle > low ? fill(middle) : undefined
    if (found) best = found
    else high = middle
  }
  return best
}

/** The pools that a search leaves out because their price is too far off the market, by id. */
export function poolsOffMarket(market: OpaqueGraph): readonly Hex[] {
  const graph = graphOf(market)
  return setAsideOf(graph, referenceOf(graph))
}

/** Options of a search, and the most price impact of the fill, in basis points. */
export type FillOptions = Options & { readonly mostImpactBps?: number }

/** A fill as {@link largestFill} returns it. */
export type Fill = Pick<Quote, 'order' | 'amountOut' | 'gas' | 'block' | 'route'>

function fillOf(graph: Graph, order: Order, options: Options): Fill | undefined {
  if (order.amountIn === 0n) return undefined
  const { order: inner, isOnlyWrap } = wrapEnds(graph, order)
  if (isOnlyWrap) return quoteHops(graph, order, [])
  const found = solve(graph, inner, options)
  return found && quoteHops(graph, order, found.hops)
}

/** The largest multiple of the stride whose power of two is below an amount; −1 if none is. */
function probeBelow(amount: bigint): bigint {
  const bits = bitsOf(amount) - 1n
  const stride = (bits / PROBE_BITS) * PROBE_BITS
  return 1n << stride < amount ? stride : stride - PROBE_BITS
}

function bitsOf(amount: bigint): bigint {
  return BigInt(amount.toString(2).length)
}
