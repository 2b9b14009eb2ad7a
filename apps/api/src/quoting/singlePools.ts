import {
  BaseError,
  type Direction,
  type Graph,
  type Order,
  type Pool,
  type QuoteOptions,
} from '@braid-swap/core'
import { quoteHops, wrappedOf } from '@braid-swap/core/advanced'
import { toCurve } from '@braid-swap/core/families'
import { exactAnswer, type QuoteAnswer, quoteExact } from './quoting.js'

/** The depth of a pool is the input that lowers its marginal price to this fraction. */
const DEPTH_PRICE = 0.98

/** A pool of the pair, in the direction of the order. */
type DirectPool = { readonly pool: Pool; readonly direction: Direction }

/** One pool and its quote for the whole order. */
type Single = { readonly direct: DirectPool; readonly answer: QuoteAnswer }

/**
 * The deepest pools of the pair, best output first, and the aggregated quote, gross of gas. A single
 * pool is a route too: if it pays more than the route found, it becomes the service's quote. Throws what a quote of
 * the order throws, also if a single pool would take it.
 */
export function compare(
  graph: Graph,
  { order, limit }: { readonly order: Order; readonly limit: number },
  options: QuoteOptions,
) {
  const deepest = directPools(graph, order)
    .filter(({ pool }) => !options.excludedPools?.has(pool.id))
    .map((direct) => ({ direct, depth: depthOf(direct) }))
    .sort((a, b) => b.depth - a.depth || (a.direct.pool.id < b.direct.pool.id ? -1 : 1))
    .slice(0, limit)
  const pools = deepest.flatMap(({ direct }): Single[] => {
    const alone = quoteAlone(graph, order, direct)
    return alone ? [{ direct, answer: alone }] : []
  })
  pools.sort(byOutput)
  const best = pools[0]?.answer
  const find = (objective: 'gross' | 'net') => quoteExact(graph, order, { ...options, objective })
  // For dust amounts, the gross search may end with an output rounded to zero where the net search
  // finds a route.
  const aggregated = orElse(
    () => find('gross'),
    () => find('net'),
  )
  const answer = best && best.amountOut > aggregated.amountOut ? best : aggregated
  return { answer, pools, leftOut: deepest.length - pools.length }
}

/** The first result; if it is an error of the order, the second; if both are, the first error. */
function orElse<T>(first: () => T, second: () => T): T {
  try {
    return first()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    try {
      return second()
    } catch (other) {
      throw other instanceof BaseError ? error : other
    }
  }
}

function quoteAlone(graph: Graph, order: Order, direct: DirectPool): QuoteAnswer | undefined {
  const found = quoteHops(graph, order, [{ ...direct, share: 0 }])
  return found && exactAnswer(found)
}

/** The pools of both tokens (wrapped if native), in the direction of the order. */
function directPools({ snapshot }: Graph, order: Order): readonly DirectPool[] {
  const tokenIn = wrappedOf(order.tokenIn, snapshot.wrappedNative)
  const tokenOut = wrappedOf(order.tokenOut, snapshot.wrappedNative)
  return snapshot.pools.flatMap((pool): DirectPool[] => {
    const direction = { in: pool.tokens.indexOf(tokenIn), out: pool.tokens.indexOf(tokenOut) }
    const isDirect = tokenIn !== tokenOut && direction.in !== -1 && direction.out !== -1
    return isDirect ? [{ pool, direction }] : []
  })
}

function depthOf({ pool, direction }: DirectPool): number {
  const curve = toCurve(pool, direction)
  return curve.inputAt(curve.price(0) * DEPTH_PRICE)
}

function byOutput(a: Single, b: Single): number {
  if (a.answer.amountOut !== b.answer.amountOut) {
    return a.answer.amountOut > b.answer.amountOut ? -1 : 1
  }
  return a.direct.pool.id < b.direct.pool.id ? -1 : 1
}
