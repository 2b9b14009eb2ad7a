import type { Order } from '@braid-swap/core'
import { calledContract } from '@braid-swap/core/families'
import { askerOf } from '../admission/asker.js'
import { freshState } from '../answers/freshState.js'
import { metaOf } from '../answers/meta.js'
import { requireTradable } from '../answers/tradable.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { optionsOf } from '../quoting/constraints.js'
import { checksumWarnings } from '../quoting/warnings.js'
import { decimalsOf } from '../tokens/decimals.js'
import { showAddress } from '../wire/addresses.js'
import { poolTypeOf } from '../wire/graph.js'
import { quoteIdOf } from '../wire/quoteId.js'
import type { Values } from '../wire/requests.js'
import type { DexCompareBody } from '../wire/responses.js'

const POOLS = 10

/** `GET /swap/v1/{chainId}/dex-compare`: the aggregated quote and the quotes of single pools. */
export function dexCompareRoute(need: Need) {
  return async (ctx: ApiContext, params: Values<'dexCompare'>): Promise<void> => {
    ctx.set('cache-control', 'no-store')
    const state = freshState(ctx, need)
    const quoteId = quoteIdOf(state.graph.snapshot, { endpoint: 'dex-compare', params })
    const asker = askerOf(ctx, need)
    asker.tell({ quoteId })
    const { src, dst, amount } = params
    const { snapshot } = state.graph
    await requireTradable({ src, dst }, state, { asker, ...need })

    const order: Order = { tokenIn: src, tokenOut: dst, amountIn: amount }
    const limit = Number(params.limit ?? POOLS)
    const { value, solveMs } = await asker.search(state.graph, {
      name: 'compare',
      asked: { order, limit },
      options: optionsOf(snapshot, {}, need),
    })
    const { answer, pools, leftOut } = value
    asker.tell({ mode: answer.mode })
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
          ...(await metaOf(need, state, {
            ...{ quoteId, answer, order, params: {}, solveMs },
            warnings: checksumWarnings(ctx.query, ['src', 'dst']),
          })),
          poolsLeftOut: leftOut,
        },
      }),
    }
    ctx.body = body
  }
}
