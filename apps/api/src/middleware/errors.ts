import { BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { ApiError, type ErrorCode, isErrorCode } from '../errors.js'
import { errorBodyOf, RETRY_AFTER_SECONDS } from '../wire/errorBody.js'
import type { ApiContext, ApiMiddleware } from './state.js'

/** Errors of this process alone: another one, to which a proxy of the operator's may turn, can be well. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  ...(['NOT_READY', 'STATE_STALE', 'WRONG_CHAIN', 'NO_POOLS', 'ROUTER_UNCONFIRMED'] as const),
  'SHUTTING_DOWN',
])

/**
 * The one place where an exception becomes a response. An unknown exception is INTERNAL. A proxy is told where to ask
 * another process: see `operations/nginx.conf`.
 */
export function answerErrors({
  log,
  now,
  proxies = 0,
}: {
  log: Logger
  now: () => number
  proxies?: number | undefined
}): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = toApiError(thrown)
      ctx.state.code = error.code
      if (error.status >= 500) report(log, ctx, error)
      answer(ctx, error, now)
      if (proxies > 0 && ELSEWHERE.has(error.code)) ctx.set('x-accel-redirect', '@another')
    }
  }
}

/** Errors of core and chain keep their code if the table has it. All others are hidden. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof BaseError && isErrorCode(thrown.code)) {
    return new ApiError(thrown.code, thrown.message, { details: thrown.details, cause: thrown })
  }
  const message = 'internal error; the operator can find it in the log by the request id'
  return new ApiError('INTERNAL', message, { cause: thrown })
}

/** Logs the stack of our own faults only. A cause from a node may contain its URL: only its name. */
function report(log: Logger, ctx: ApiContext, error: ApiError): void {
  const { code, message, cause } = error
  const { requestId } = ctx.state
  if (code === 'INTERNAL') log.error({ requestId, code, err: cause }, message)
  else
    log.warn({ requestId, code, cause: cause instanceof Error ? cause.name : undefined }, message)
}

function answer(ctx: ApiContext, error: ApiError, now: () => number): void {
  const { status } = error
  const { requestId } = ctx.state
  ctx.status = status
  ctx.set('cache-control', 'no-store')
  // The ETag would identify the error body, which is always sent in full.
  ctx.remove('etag')
  if (status === 503) ctx.set('retry-after', `${RETRY_AFTER_SECONDS}`)
  if (status === 405) ctx.set('allow', 'GET, HEAD, OPTIONS')
  // Koa finds no path in some malformed request targets.
  ctx.body = errorBodyOf(error, { requestId, path: ctx.path ?? '', nowMs: now() })
  ctx.type = 'application/json; charset=utf-8'
}
