import { type Asker, askerOf } from '../admission/asker.js'
import { answerQuote, type QuoteParams } from '../answers/answerQuote.js'
import { type FreshState, freshState, type StateWish } from '../answers/freshState.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { type FeeOption, feeOption } from '../quoting/fee.js'
import { checksumWarnings } from '../quoting/warnings.js'
import type { Values } from '../wire/requests.js'
import type { Warning } from '../wire/responses.js'
import { logQuote } from './quoteLine.js'

/**
 * `GET /swap/v1/{chainId}/quote`: the best rate found, without transaction data. `wire/requests.ts` has the parameters of
 * each route and `wire/responses.ts` its body; `docs/endpoints.ts` describes it, and `start/keyedRoutes.ts` has one for
 * each path there.
 */
export function quoteRoute(need: Need) {
  return async (ctx: ApiContext, query: Values<'quote'>): Promise<void> => {
    const { maxStateAgeMs, block, ...params } = query
    const wish = { maxStateAgeMs, block }
    const opened = openQuote(ctx, need, { endpoint: 'quote', params, wish })
    if (isHeld(ctx, opened.quoteId)) return
    const warnings = checksumWarnings(ctx.query, ['src', 'dst'])
    ctx.body = (await quoteAt(ctx, need, params, { warnings, ...opened })).body
  }
}

/** The answer to a quote, told in headers and in the log. */
export async function quoteAt(
  ctx: ApiContext,
  need: Need,
  params: QuoteParams,
  { state, ...opened }: Opened & { readonly warnings?: readonly Warning[] },
) {
  const answered = await answerQuote(params, state, { ...opened, ...need })
  const { order, answer, solveMs } = answered
  need.sampler.offer(state, answered)
  logQuote(need, ctx, { endpoint: 'quote', market: state, params, order, answer, solveMs })
  return answered
}

/** What is known of a quote before its search. */
type Opened = {
  readonly state: FreshState
  readonly quoteId: string
  readonly fee: FeeOption
  readonly asker: Asker
}

/** The state and the id of what is quoted, told in headers. */
export function openQuote(
  ctx: ApiContext,
  need: Need,
  asked: {
    readonly endpoint: 'quote' | 'quotes'
    readonly params: Omit<QuoteParams, 'amount' | 'dstAmountExact'>
    readonly wish: StateWish
  },
): Opened {
  const { endpoint, params, wish } = asked
  // Before the state, because a wrong fee is wrong in every state.
  const fee = feeOption(need, { tokenIn: params.src, tokenOut: params.dst }, params)
  const state = freshState(ctx, need, wish)
  const quoteId = need.quoteIdAt(state.graph.snapshot, { endpoint, params })
  const asker = askerOf(ctx, need)
  asker.tell({ quoteId })
  return { state, quoteId, fee, asker }
}

/** True if the caller has the answer already; then the response is 304. */
export function isHeld(ctx: ApiContext, quoteId: string): boolean {
  ctx.set('cache-control', 'private, no-cache')
  ctx.set('etag', `W/"${quoteId}"`)
  const isKnown = ctx.get('if-none-match').includes(quoteId)
  if (isKnown) ctx.status = 304
  return isKnown
}
