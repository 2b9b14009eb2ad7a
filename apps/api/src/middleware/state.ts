import type { Context, Middleware } from 'koa'
import type { Limits } from '../keys/rateLimiter.js'
import type { Trace } from '../tracing/trace.js'

/** The middleware's data about a request. */
export type RequestState = {
  requestId: string
  /** Id and limits of the presented key. */
  key?: { readonly id: string; readonly limits: Limits }
  /** Code of the error response. */
  code?: string
  quoteId?: string
  /** The request target is neither a path nor a URL. */
  isMalformed?: boolean
  /** Only if traces are on. */
  trace?: Trace
}

/** A Koa middleware of this API. */
export type ApiMiddleware = Middleware<RequestState>

/** A Koa context of this API. */
export type ApiContext = Context & { state: RequestState }
