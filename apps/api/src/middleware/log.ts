import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Metrics } from '../http/metrics.js'
import { withoutKeys } from '../wire/errorBody.js'
import { callerAt } from './callerAddress.js'
import type { ApiMiddleware } from './state.js'

const INBOUND_ID = /^[A-Za-z0-9._-]{8,128}$/

/**
 * Gives every request an id, measures it and logs one line about it, without headers and keys, with the network of its
 * caller.
 */
export function logRequests(log: Logger, { requestSeconds }: Metrics, proxies = 0): ApiMiddleware {
  return async (ctx, next) => {
    // A request that is ended for its size has no connection afterwards.
    const caller = callerAt(ctx.req, proxies)
    ctx.state.requestId = isId(ctx.get('x-request-id')) ? ctx.get('x-request-id') : randomUUID()
    ctx.set('x-request-id', ctx.state.requestId)
    const startMs = performance.now()
    await next()
    const ms = Math.round((performance.now() - startMs) * 100) / 100
    const { method, path, status, state } = ctx
    const { requestId, quoteId, key, code } = state
    // The pattern of the path, never the path itself, because it contains values of callers.
    const route = String(ctx['_matchedRoute'] ?? 'none')
    requestSeconds.observe({ route, status, code: code ?? 'none' }, ms / 1_000)
    const of = { requestId, quoteId, keyId: key?.id, caller }
    log.info({ ...of, code, method, path, status, ms }, 'request')
  }
}

/** True if an inbound id is well-formed and not an API key, which must not appear in the log. */
function isId(inbound: string): boolean {
  return INBOUND_ID.test(inbound) && withoutKeys(inbound) === inbound
}
