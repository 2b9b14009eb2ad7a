import type { Context, Middleware } from 'koa'
import type { Limits } from '../limiter.js'

/** What the middleware knows of a request beside the request itself. */
export type RequestState = {
  requestId: string
  /** The key that was presented, by its id, and what it may ask for. */
  key?: { readonly id: string; readonly limits: Limits }
  /** Code of the error that was answered. */
  code?: string
  quoteId?: string
}

/** A Koa middleware of this API. */
export type ApiMiddleware = Middleware<RequestState>

/** A Koa context of this API. */
export type ApiContext = Context & { state: RequestState }
