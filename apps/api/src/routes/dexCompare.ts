import {
  calledContract,
  type Direction,
  type Graph,
  type Order,
  type Pool,
  type QuoteOptions,
  quoteHops,
  toCurve,
  wrappedOf,
} from '@braid-swap/core'
import type { Services } from '../context.js'
import type { ApiContext } from '../middleware/state.js'
import { optionsOf } from '../quoting/constraints.js'
import { exactAnswer, type QuoteAnswer, quoteExact } from '../quoting/quoting.js'
import { decimalsOf } from '../tokens/decimals.js'
import { showAddress } from '../wire/addresses.js'
import { poolTypeOf } from '../wire/graph.js'
import type { DexCompareBody } from '../wire/responses.js'
import { measureSolve, metaOf, setQuoteId } from './meta.js'
import { freshState, readQuery, requireChain, requireTradable } from './request.js'
import { checksumWarnings } from './warnings.js'

const POOLS = 10
/** The depth of a pool is the input that lowers its marginal price to this fraction. */
const DEPTH_PRICE = 0.98

/** `GET /swap/v1/{chainId}/dex-compare`: the aggregated quote and the quotes of single pools. */
export function dexCompareRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    ctx.set('cache-control', 'no-store')
    const params = readQuery(ctx, services.schemas.dexCompare)
    const state = freshState(ctx, services)
    const quoteId = setQuoteId(ctx, state, { endpoint: 'dex-compare', params })
    const { src, dst, amount } = params
    const { snapshot } = state.graph
    await requireTradable(services, state, { src, dst }, ctx)

    const order: Order = { tokenIn: src, tokenOut: dst, amountIn: amount }
    const limit = Number(params.limit ?? POOLS)
    const { value, solveMs } = measureSolve(ctx, services, ({ shouldStop }) =>
      compare(state.graph, order, { limit, shouldStop, ...optionsOf(snapshot, {}, services) }),
    )
    const { answer, pools, leftOut } = value
    ctx.set('x-quote-mode', answer.mode)
    const decimalsOut = decimalsOf(snapshot, dst) ?? 0
    const body: DexCompareBody = {
      serviceQuote: `${answer.amountOut}`,
      decimalsOut,
      pools: pools.map(({ direct, answer: { amountOut } }) => ({
        poolAddress: showAddress(calledContract(direct.pool)),
        poolType: poolTypeOf(direct),
        ...(params.includeMeta && { exchange: direct.pool.venue }),
        amountOut: `${amountOut}`,
        decimalsOut,
      })),
      ...(params.includeMeta && {
        meta: {
          ...metaOf(services, state, {
            ...{ quoteId, answer, order, solveMs },
            warnings: checksumWarnings(ctx, ['src', 'dst']),
          }),
          poolsLeftOut: leftOut,
        },
      }),
    }
    ctx.body = body
  }
}

/** A pool of the pair, in the direction of the order. */
type DirectPool = { readonly pool: Pool; readonly direction: Direction }

/** One pool and its quote for the whole order. */
type Single = { readonly direct: DirectPool; readonly answer: QuoteAnswer }

/**
 * The deepest pools of the pair, best output first, and the aggregated quote, gross of gas. A single
 * pool is a route too: if it pays more than the route found, it becomes the service's quote.
 */
function compare(
  graph: Graph,
  order: Order,
  { limit, ...options }: QuoteOptions & { readonly limit: number },
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
  const aggregated = quoteOr(best, () =>
    orElse(
      () => find('gross'),
      () => find('net'),
    ),
  )
  const answer = best && best.amountOut > aggregated.amountOut ? best : aggregated
  return { answer, pools, leftOut: deepest.length - pools.length }
}

/** If a single pool fills the order, a failed search is not an error. */
function quoteOr(best: QuoteAnswer | undefined, find: () => QuoteAnswer): QuoteAnswer {
  return best ? orElse(find, () => best) : find()
}

/** The first result; if it throws, the second; if both throw, the first error. */
function orElse<T>(first: () => T, second: () => T): T {
  try {
    return first()
  } catch (error) {
    try {
      return second()
    } catch {
      throw error
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
