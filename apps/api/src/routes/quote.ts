import type { Graph, Options, Order } from '@braid-swap/core'
import type { z } from 'zod'
import type { RouteParts } from '../context.js'
import type { ApiContext } from '../middleware/state.js'
import { optionsOf, requireImpact } from '../quoting/constraints.js'
import { quoteInput } from '../quoting/exactOut.js'
import { type Answer, quoteEstimate, quoteExact } from '../quoting/quoting.js'
import { recordQuote } from '../records/quoteRecord.js'
import { toGraph } from '../wire/graph.js'
import type { RequestSchemas } from '../wire/requests.js'
import type { QuoteBody } from '../wire/responses.js'
import { identify, metaOf, observeGap, timed } from './meta.js'
import { freshState, readQuery, requireChain, requireTradable } from './request.js'
import { readRoutes, readTokenInfos } from './tokenMetadata.js'
import { checksumWarnings } from './warnings.js'

/** `GET /swap/v1/{chainId}/quote`: the best rate found, without transaction data. */
export function quoteRoute(parts: RouteParts) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, parts)
    const { maxStateAgeMs, block, ...params } = readQuery(ctx, parts.schemas.quote)
    const state = freshState(ctx, parts, { maxStateAgeMs, block })
    const quoteId = identify(ctx, state, { endpoint: 'quote', params })
    ctx.set('cache-control', 'private, no-cache')
    ctx.set('etag', `W/"${quoteId}"`)
    if (ctx.get('if-none-match').includes(quoteId)) {
      ctx.status = 304
      return
    }
    const { graph } = state
    const { src, dst } = params
    await requireTradable(parts, state, { src, dst })

    const options = optionsOf(graph.snapshot, params)
    const find = finderOf(params, parts)
    const { value, solveMs } = timed(ctx, parts, (watch) => find(graph, { ...options, ...watch }))
    const { order, answer } = value
    observeGap(parts, answer)
    requireImpact(answer, order, params)
    ctx.set('x-quote-mode', answer.mode)

    const { route } = answer
    const body: QuoteBody = {
      dstAmount: `${answer.amountOut}`,
      ...(params.dstAmountExact && { srcAmount: `${order.amountIn}` }),
      ...(params.includeTokensInfo && (await readTokenInfos(parts, { src, dst }))),
      ...(params.includeRoutes &&
        route && { routes: [...(await readRoutes(parts, route, order))] }),
      ...(params.includeGas && { gas: `${answer.gas}` }),
      ...(params.includeGraph && route && { graph: [...toGraph(route)] }),
      ...(params.includeMeta && {
        meta: metaOf(parts, state, {
          ...{ quoteId, answer, order, solveMs },
          warnings: checksumWarnings(ctx, ['src', 'dst']),
        }),
      }),
    }
    recordQuote(parts, ctx, { endpoint: 'quote', market: state, order, answer, solveMs })
    ctx.body = body
  }
}

/** What finds the answer: to the amount to sell, or the amount to sell for the one to buy. */
function finderOf(params: z.output<RequestSchemas['quote']>, parts: RouteParts) {
  const { src: tokenIn, dst: tokenOut, amount, dstAmountExact } = params
  return (graph: Graph, options: Options): { readonly order: Order; readonly answer: Answer } => {
    if (dstAmountExact !== undefined) {
      return quoteInput(graph, { tokenIn, tokenOut, amountOut: dstAmountExact }, options)
    }
    const order: Order = { tokenIn, tokenOut, amountIn: amount! }
    const find = mustWalk(params, parts) ? quoteExact : quoteEstimate
    return { order, answer: find(graph, order, options) }
  }
}

/** Routes, graph and price impact are only known after the exact walk. */
function mustWalk(
  params: {
    readonly includeRoutes?: boolean | undefined
    readonly includeGraph?: boolean | undefined
    readonly maxPriceImpact?: number | undefined
    readonly exactQuote?: 'yes' | 'no' | undefined
  },
  { config }: RouteParts,
): boolean {
  if (params.includeRoutes || params.includeGraph) return true
  if (params.maxPriceImpact !== undefined) return true
  return params.exactQuote ? params.exactQuote === 'yes' : config.exactQuoteByDefault
}
