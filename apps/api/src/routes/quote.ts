import { answerQuote, type QuoteParams, quoteIdAt } from '../answers/answerQuote.js'
import type { FreshState } from '../market/stateAge.js'
import { askerOf } from '../middleware/asker.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { feeOption } from '../quoting/fee.js'
import { checksumWarnings } from '../quoting/warnings.js'
import type { Warning } from '../wire/responses.js'
import { logQuote } from './quoteLine.js'
import { freshState, readQuery, requireChain, type StateWish } from './request.js'

/**
 * `GET /swap/v1/{chainId}/quote`: the best rate found, without transaction data. `wire/requests.ts` has the parameters of
 * each route and `wire/responses.ts` its body; `docs/endpoints.ts` describes it, and `start/keyedRoutes.ts` has one for
 * each path there.
 */
export function quoteRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx['params'].chainId, need)
    const { maxStateAgeMs, block, ...params } = readQuery(ctx, need.schemas.quote)
    const wish = { maxStateAgeMs, block }
    const opened = openQuote(ctx, need, { endpoint: 'quote', params, wish })
    if (isHeld(ctx, opened.quoteId)) return
    const warnings = checksumWarnings(ctx.query, ['src', 'dst'])
    ctx.body = (await quoteAt(ctx, need, params, { warnings, ...opened })).body
  }
}

/** The answer to a quote, told in headers. */
export async function quoteAt(
  ctx: ApiContext,
  need: Need,
  params: QuoteParams,
  { state, quoteId, warnings = [] }: Opened & { readonly warnings?: readonly Warning[] },
) {
  const asker = askerOf(ctx, need)
  const answered = await answerQuote(params, state, { asker, quoteId, warnings, ...need })
  const { order, answer, solveMs } = answered
  logQuote(need, ctx, { endpoint: 'quote', market: state, params, order, answer, solveMs })
  return answered
}

type Opened = { readonly state: FreshState; readonly quoteId: string }

/** The state and the id of what is quoted, told in headers. */
export function openQuote(
  ctx: ApiContext,
  need: Need,
  {
    endpoint,
    params,
    wish,
  }: {
    readonly endpoint: 'quote' | 'quotes'
    readonly params: Omit<QuoteParams, 'amount' | 'dstAmountExact'>
    readonly wish: StateWish
  },
): Opened {
  // Before the state, because a wrong fee is wrong in every state.
  feeOption(need, { tokenIn: params.src, tokenOut: params.dst }, params)
  const state = freshState(ctx, need, wish)
  const quoteId = quoteIdAt(state, { endpoint, params }, need)
  askerOf(ctx, need).tell({ quoteId })
  return { state, quoteId }
}

/** True if the caller has the answer already; then the response is 304. */
export function isHeld(ctx: ApiContext, quoteId: string): boolean {
  ctx.set('cache-control', 'private, no-cache')
  ctx.set('etag', `W/"${quoteId}"`)
  const isKnown = ctx.get('if-none-match').includes(quoteId)
  if (isKnown) ctx.status = 304
  return isKnown
}
