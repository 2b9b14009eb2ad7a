import { BaseError } from '@braid-swap/core'
import type { Logger } from 'pino'
import { ApiError, type ErrorCode, errorTable, isErrorCode } from '../errors.js'
import type { ErrorBody } from '../wire/responses.js'
import type { ApiContext, ApiMiddleware } from './state.js'

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  414: 'URI Too Long',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
const RETRY_AFTER_SECONDS = '1'

/** The one place where what was thrown becomes an answer; what has no code of ours is INTERNAL. */
export function answerErrors({ log, now }: { log: Logger; now: () => number }): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = toApiError(thrown)
      ctx.state.code = error.code
      if (error.status >= 500) report(log, ctx, error)
      answer(ctx, error, now)
    }
  }
}

/** Errors of core and chain keep their code if the table has it; nothing else of them is shown. */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof BaseError && isErrorCode(thrown.code)) {
    return new ApiError(thrown.code, thrown.message, { details: thrown.details, cause: thrown })
  }
  const message = 'something went wrong on our side; the request id finds it in the log'
  return new ApiError('INTERNAL', message, { cause: thrown })
}

/** Only a fault of ours needs its stack; a cause from the node may hold its address, so only its kind. */
function report(log: Logger, ctx: ApiContext, error: ApiError): void {
  const { code, message, cause } = error
  const { requestId } = ctx.state
  if (code === 'INTERNAL') log.error({ requestId, code, err: cause }, message)
  else
    log.warn({ requestId, code, cause: cause instanceof Error ? cause.name : undefined }, message)
}

function answer(ctx: ApiContext, error: ApiError, now: () => number): void {
  const { code, status, message, issues, details } = error
  const { title, retryable } = errorTable[code]
  const body: ErrorBody = {
    statusCode: status,
    error: reasons[status] ?? 'Error',
    code,
    message,
    requestId: ctx.state.requestId,
    timestamp: new Date(now()).toISOString(),
    path: ctx.path,
    retryable,
    issues: [...issues],
    details: { ...details },
  }
  ctx.status = status
  ctx.set('cache-control', 'no-store')
  if (status === 503) ctx.set('retry-after', RETRY_AFTER_SECONDS)
  if (status === 405) ctx.set('allow', 'GET, HEAD, OPTIONS')
  if (ctx.accepts('application/json', 'application/problem+json') === 'application/problem+json') {
    ctx.body = { type: typeOf(code), title, status, detail: message, instance: ctx.path, ...body }
    ctx.type = 'application/problem+json; charset=utf-8'
  } else {
    ctx.body = body
    ctx.type = 'application/json; charset=utf-8'
  }
}

/** RFC 9457's `type`: where the code is described. */
function typeOf(code: ErrorCode): string {
  return `/errors.json#${code}`
}
