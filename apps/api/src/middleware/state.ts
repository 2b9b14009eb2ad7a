import type { Context, Middleware } from 'koa'

/** What the middleware knows of a request beside the request itself. */
export type RequestState = {
  requestId: string
  keyId?: string
  /** Code of the error that was answered. */
  code?: string
  quoteId?: string
}

/** A Koa middleware of this API. */
export type ApiMiddleware = Middleware<RequestState>

/** A Koa context of this API. */
export type ApiContext = Context & { state: RequestState }
