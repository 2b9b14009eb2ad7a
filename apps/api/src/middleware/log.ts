import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { ApiMiddleware } from './state.js'

const INBOUND_ID = /^[A-Za-z0-9._-]{8,128}$/

/** Gives every request an id and writes one line about it; no header and no key is ever written. */
export function logRequests(log: Logger): ApiMiddleware {
  return async (ctx, next) => {
    const inbound = ctx.get('x-request-id')
    ctx.state.requestId = INBOUND_ID.test(inbound) ? inbound : ulid()
    ctx.set('x-request-id', ctx.state.requestId)
    const startMs = performance.now()
    await next()
    const ms = Math.round((performance.now() - startMs) * 100) / 100
    const { method, path, status, state } = ctx
    const { requestId, quoteId, key, code } = state
    log.info({ requestId, quoteId, keyId: key?.id, code, method, path, status, ms }, 'request')
  }
}
