import type { Order, QuoteOptions } from '@braid-swap/core'
import type { z } from 'zod'
import type { MarketState } from '../market/liveMarket.js'
import type { ApiContext } from '../middleware/state.js'
import { constraintWarnings, optionsOf, requireImpact } from '../quoting/constraints.js'
import { feeOption } from '../quoting/fee.js'
import type { PartialOrder } from '../quoting/nearest.js'
import type { QuoteAnswer } from '../quoting/quoting.js'
import { suspendedPools } from '../quoting/suspensions.js'
import { recordQuote } from '../records/quoteRecord.js'
import type { Search } from '../search/searches.js'
import type { Services } from '../services/services.js'
import { toGraph } from '../wire/graph.js'
import type { RequestSchemas } from '../wire/requests.js'
import type { QuoteBody, Warning } from '../wire/responses.js'
import { measureSolve, metaOf, observeGap, setQuoteId, withNearestFill } from './meta.js'
import { freshState, readQuery, requireChain, requireTradable } from './request.js'
import { readRoutes, readTokenInfos } from './tokenMetadata.js'
import { checksumWarnings } from './warnings.js'

/**
 * `GET /swap/v1/{chainId}/quote`: the best rate found, without transaction data. `wire/requests.ts` has the parameters of
 * each route and `wire/responses.ts` its body; `docs/endpoints.ts` describes it, and `start/keyedRoutes.ts` has one for
 * each path there.
 */
export function quoteRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    const opened = await openQuote(ctx, services, 'quote')
    if (!opened) return
    const { params, state, quoteId } = opened
    const { graph } = state
    const { body, order, answer, solveMs } = await buildQuote(services, state, {
      params,
      quoteId,
      warnings: checksumWarnings(ctx, ['src', 'dst']),
      run: ({ order: asked, search }) => {
        const { includeNearest } = params
        const { options } = search
        return withNearestFill(
          { ctx, includeNearest, graph, order: asked, options },
          services,
          () => measureSolve(ctx, services, graph, search),
        )
      },
    })
    ctx.state.found = { order, answer }
    ctx.set('x-quote-mode', answer.mode)
    recordQuote(services, ctx, { endpoint: 'quote', market: state, order, answer, solveMs })
    ctx.body = body
  }
}

/**
 * The parameters, the state and the id of what is quoted, or `undefined` if the caller has the answer
 * already: 304.
 */
export async function openQuote<N extends 'quote' | 'quotes'>(
  ctx: ApiContext,
  services: Services,
  endpoint: N,
) {
  requireChain(ctx, services)
  const query = readQuery(ctx, services.schemas[endpoint]) as z.output<RequestSchemas[N]>
  const { maxStateAgeMs, block, ...params } = query
  const { src, dst } = query
  // Before the state, because a wrong fee is wrong in every state.
  feeOption(services, { tokenIn: src, tokenOut: dst }, query)
  const state = freshState(ctx, services, { maxStateAgeMs, block })
  const suspended = suspendedPools(state.graph.snapshot, services.suspensions)
  const quoteId = setQuoteId(ctx, state, { endpoint, params, suspended })
  ctx.set('cache-control', 'private, no-cache')
  ctx.set('etag', `W/"${quoteId}"`)
  if (ctx.get('if-none-match').includes(quoteId)) {
    ctx.status = 304
    return undefined
  }
  await requireTradable(services, state, { src, dst }, ctx)
  return { params, state, quoteId }
}

/** The parameters of a quote without the choice of a state. */
export type QuoteParams = Omit<z.output<RequestSchemas['quote']>, 'maxStateAgeMs' | 'block'>

type Found = { readonly order: Order; readonly answer: QuoteAnswer }

/** A search of a quote. */
type QuoteSearch = Search<'sell'> | Search<'estimate'> | Search<'buy'>

/** Runs a search within its time, measures it, and completes its error. */
type Run = (asked: {
  readonly order: PartialOrder
  readonly search: QuoteSearch
}) => Promise<{ readonly value: Found; readonly solveMs: number }>

/** The answer to a request at a state, for `/quote` and for a stream of it. */
export async function buildQuote(
  services: Services,
  state: MarketState & { readonly ageMs: number },
  asked: {
    readonly params: QuoteParams
    readonly quoteId: string
    readonly warnings: readonly Warning[]
    readonly run: Run
  },
) {
  const { params, quoteId } = asked
  const { graph } = state
  const { src, dst, amount: amountIn } = params
  const fee = feeOption(services, { tokenIn: src, tokenOut: dst }, params)
  const options = { ...optionsOf(graph.snapshot, params, services), ...fee }
  const { value, solveMs } = await asked.run({
    order: { tokenIn: src, tokenOut: dst, amountIn },
    search: searchOf(params, services, options),
  })
  const { order, answer } = value
  observeGap(services, answer)
  requireImpact(answer, order, params)
  const { route } = answer
  const body: QuoteBody = {
    dstAmount: `${answer.amountOut}`,
    ...(params.dstAmountExact && { srcAmount: `${order.amountIn}` }),
    ...(params.includeTokensInfo && (await readTokenInfos(services, { src, dst }))),
    ...(params.includeRoutes &&
      route && { routes: [...(await readRoutes(services, { ...answer, route }, order))] }),
    ...(params.includeGas && { gas: `${answer.gas}` }),
    ...(params.includeGraph && route && { graph: [...toGraph(route)] }),
    ...(params.includeMeta && {
      meta: metaOf(services, state, {
        quoteId,
        answer,
        order,
        solveMs,
        warnings: [...asked.warnings, ...constraintWarnings(graph.snapshot, params)],
      }),
    }),
  }
  return { body, order, answer, solveMs }
}

/** The search: for the output of the amount to sell, or the input for the amount to buy. */
function searchOf(params: QuoteParams, services: Services, options: QuoteOptions): QuoteSearch {
  const { src: tokenIn, dst: tokenOut, amount, dstAmountExact } = params
  if (dstAmountExact !== undefined) {
    return { name: 'buy', asked: { tokenIn, tokenOut, amountOut: dstAmountExact }, options }
  }
  const asked: Order = { tokenIn, tokenOut, amountIn: amount! }
  return { name: mustWalk(params, services) ? 'sell' : 'estimate', asked, options }
}

/** Routes, graph and price impact are only known after the exact walk. */
function mustWalk(
  params: {
    readonly includeRoutes?: boolean | undefined
    readonly includeGraph?: boolean | undefined
    readonly maxPriceImpact?: number | undefined
    readonly exactQuote?: 'yes' | 'no' | undefined
  },
  { config }: Services,
): boolean {
  if (params.includeRoutes || params.includeGraph) return true
  if (params.maxPriceImpact !== undefined) return true
  return params.exactQuote ? params.exactQuote === 'yes' : config.exactQuoteByDefault
}
