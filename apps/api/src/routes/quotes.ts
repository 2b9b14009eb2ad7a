/**
 * Quotes of several amounts from one state of the market, so that the answers can be compared: a curve
 * of prices, a split by the caller, a list of sizes. Each amount is answered as `/quote` answers it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BaseError } from '@braid-swap/core'
import { errorTable, isErrorCode } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import { suspendedPools } from '../quoting/suspensions.js'
import { recordQuote } from '../records/quoteRecord.js'
import type { Services } from '../services/services.js'
import { quoteIdOf } from '../wire/quoteId.js'
import type { QuotesBody } from '../wire/quotesBody.js'
import { measureSolve } from './meta.js'
import { buildQuote, openQuote } from './quote.js'
import { readTokenInfos } from './tokenMetadata.js'
import { checksumWarnings } from './warnings.js'

/** `GET /swap/v1/{chainId}/quotes`: a quote or the error of each amount, all at one state. */
export function quotesRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    const opened = await openQuote(ctx, services, 'quotes')
    if (!opened) return
    const { params, state } = opened
    const { amounts, includeTokensInfo, ...shared } = params
    const { src, dst } = shared
    const warnings = checksumWarnings(ctx, ['src', 'dst'])
    const quotes: QuotesBody['quotes'] = []
    let sumMs = 0
    for (const amount of amounts) {
      // Others have their turn between two searches. Nobody reads the rest if the client is gone or
      // the time of the request is over.
      await nextTurn()
      if (ctx.res.writableEnded || ctx.res.destroyed) return
      const asked = { ...shared, amount }
      const { snapshot } = state.graph
      const suspended = suspendedPools(snapshot, services.suspensions)
      const quoteId = quoteIdOf(snapshot, { endpoint: 'quote', params: asked, suspended })
      try {
        const { body, order, answer, solveMs } = await buildQuote(services, state, {
          ...{ params: asked, quoteId, warnings },
          run: ({ search }) => measureSolve(ctx, services, state.graph, search),
        })
        sumMs += solveMs
        const recorded = { state: { ...ctx.state, quoteId } }
        recordQuote(services, recorded, {
          endpoint: 'quote',
          market: state,
          order,
          answer,
          solveMs,
        })
        quotes.push({ amount: `${amount}`, quoteId, ...body })
      } catch (error) {
        quotes.push({ amount: `${amount}`, error: faultOf(error) })
      }
    }
    ctx.set('server-timing', `solve;dur=${Math.round(sumMs * 100) / 100}`)
    const body: QuotesBody = {
      quotes,
      ...(includeTokensInfo && (await readTokenInfos(services, { src, dst }))),
    }
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
