/** The answer to a quote: for HTTP, a list of amounts, a stream, or a client of another service. */
import type { Order, QuoteOptions } from '@braid-swap/core'
import type { Asker } from '../admission/asker.js'
import type { Need } from '../need.js'
import { constraintWarnings, optionsOf, requireImpact } from '../quoting/constraints.js'
import type { FeeOption } from '../quoting/fee.js'
import type { Search } from '../search/searches.js'
import { toGraph } from '../wire/graph.js'
import type { Values } from '../wire/requests.js'
import type { QuoteBody, Warning } from '../wire/responses.js'
import type { FreshState } from './freshState.js'
import { metaOf, observeGap, withNearestFill } from './meta.js'
import { readRoutes, readTokenInfos } from './tokenMetadata.js'
import { requireTradable } from './tradable.js'

/** The parameters of a quote without the choice of a state. */
export type QuoteParams = Omit<Values<'quote'>, 'maxStateAgeMs' | 'block'>

/** What an answer is made with, and what its caller knows of it. */
export type QuoteNeed = Need & {
  readonly asker: Asker
  readonly quoteId: string
  readonly fee: FeeOption
  readonly warnings?: readonly Warning[]
}

/** A search of a quote. */
type QuoteSearch = Search<'sell'> | Search<'estimate'> | Search<'buy'>

/**
 * The best rate at a state, with the fields that the parameters ask for, and what it was made from. Throws what
 * makes the request wrong, or the market unable to fill it.
 */
export async function answerQuote(params: QuoteParams, state: FreshState, need: QuoteNeed) {
  const { graph } = state
  const { src, dst, amount: amountIn, includeNearest } = params
  await requireTradable({ src, dst }, state, need)
  const options = { ...optionsOf(graph.snapshot, params, need), ...need.fee }
  const search: QuoteSearch = searchOf(params, options)
  const asked = { includeNearest, graph, options, order: { tokenIn: src, tokenOut: dst, amountIn } }
  const { value, solveMs } = await withNearestFill(asked, need, () =>
    need.asker.search(graph, search),
  )
  const { order, answer } = value
  observeGap(need, answer)
  requireImpact(answer, order, params)
  need.asker.tell({ mode: answer.mode })
  const { route } = answer
  const warnings = [...(need.warnings ?? []), ...constraintWarnings(graph.snapshot, params)]
  const { quoteId } = need
  const body: QuoteBody = {
    dstAmount: `${answer.amountOut}`,
    ...(params.dstAmountExact && { srcAmount: `${order.amountIn}` }),
    ...(params.includeTokensInfo && (await readTokenInfos(need, { src, dst }))),
    ...(params.includeRoutes &&
      route && { routes: [...(await readRoutes(need, { ...answer, route }, order))] }),
    ...(params.includeGas && { gas: `${answer.gas}` }),
    ...(params.includeGraph && route && { graph: [...toGraph(route)] }),
    ...(params.includeMeta && {
      meta: await metaOf(need, state, { quoteId, answer, order, params, solveMs, warnings }),
    }),
  }
  return { body, order, answer, solveMs }
}

/** The search: for the output of the amount to sell, or the input for the amount to buy. */
function searchOf(params: QuoteParams, options: QuoteOptions): QuoteSearch {
  const { src: tokenIn, dst: tokenOut, amount, dstAmountExact } = params
  if (dstAmountExact !== undefined) {
    return { name: 'buy', asked: { tokenIn, tokenOut, amountOut: dstAmountExact }, options }
  }
  const asked: Order = { tokenIn, tokenOut, amountIn: amount! }
  // Routes, graph and price impact are only known after the exact walk.
  const { includeRoutes, includeGraph, maxPriceImpact, exactQuote } = params
  const mustWalk = includeRoutes || includeGraph || maxPriceImpact !== undefined
  return { name: mustWalk || exactQuote !== 'no' ? 'sell' : 'estimate', asked, options }
}
