/**
 * Quotes of several amounts from one state of the market, so that the answers can be compared: a curve
 * of prices, a split by the caller, a list of sizes. Each amount is answered as `/quote` answers it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'
import { answerQuote } from '../answers/answerQuote.js'
import { readTokenInfos } from '../answers/tokenMetadata.js'
import { requireTradable } from '../answers/tradable.js'
import { errorTable, isErrorCode } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { checksumWarnings } from '../quoting/warnings.js'
import type { QuotesBody } from '../wire/quotesBody.js'
import type { Values } from '../wire/requests.js'
import { isHeld, openQuote } from './quote.js'
import { logQuote } from './quoteLine.js'

/** `GET /swap/v1/{chainId}/quotes`: a quote or the error of each amount, all at one state. */
export function quotesRoute(need: Need) {
  return async (ctx: ApiContext, query: Values<'quotes'>): Promise<void> => {
    const { maxStateAgeMs, block, ...params } = query
    const wish = { maxStateAgeMs, block }
    const opened = openQuote(ctx, need, { endpoint: 'quotes', params, wish })
    if (isHeld(ctx, opened.quoteId)) return
    const { amounts, includeTokensInfo, ...shared } = params
    const { src, dst } = shared
    const { state, fee } = opened
    const asking = { fee, asker: { ...opened.asker, tell: () => {} }, ...need }
    await requireTradable({ src, dst }, state, asking)
    const warnings = checksumWarnings(ctx.query, ['src', 'dst'])
    const quotes: QuotesBody['quotes'] = []
    for (const amount of amounts) {
      // Others have their turn between two searches. Nobody reads the rest if the client is gone or
      // the time of the request is over.
      await nextTurn()
      if (ctx.res.writableEnded || ctx.res.destroyed) return
      const asked = { ...shared, amount }
      const request = { endpoint: 'quote', params: asked }
      const quoteId = need.quoteIdAt(state.graph.snapshot, request)
      try {
        const answered = await answerQuote(asked, state, { quoteId, warnings, ...asking })
        const { body, ...found } = answered
        const recorded = { state: { ...ctx.state, quoteId } }
        const line = { endpoint: 'quote', market: state, params: asked, ...found } as const
        logQuote(need, recorded, line)
        quotes.push({ amount: `${amount}`, quoteId, ...body })
      } catch (error) {
        quotes.push({ amount: `${amount}`, error: faultOf(error) })
      }
    }
    const infos = includeTokensInfo && (await readTokenInfos(need, { src, dst }))
    const body: QuotesBody = { quotes, ...infos }
    ctx.body = body
  }
}

/** Shows an error of the market as that of one amount. Rethrows faults of the whole request or of ours. */
function faultOf(error: unknown) {
  if (!(error instanceof BaseError) || !isErrorCode(error.code)) throw error
  const { code, message } = error
  const { status, retryable } = errorTable[code]
  if (status !== 422) throw error
  return { code, message, retryable }
}
