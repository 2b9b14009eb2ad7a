import { calledContract, type Order } from '@braid-swap/core'
import type { ApiContext } from '../middleware/state.js'
import { optionsOf } from '../quoting/constraints.js'
import type { Services } from '../services/services.js'
import { decimalsOf } from '../tokens/decimals.js'
import { showAddress } from '../wire/addresses.js'
import { poolTypeOf } from '../wire/graph.js'
import type { DexCompareBody } from '../wire/responses.js'
import { measureSolve, metaOf, setQuoteId } from './meta.js'
import { freshState, readQuery, requireChain, requireTradable } from './request.js'
import { checksumWarnings } from './warnings.js'

const POOLS = 10

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
    const { value, solveMs } = await measureSolve(ctx, services, state.graph, {
      name: 'compare',
      asked: { order, limit },
      options: optionsOf(snapshot, {}, services),
    })
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
