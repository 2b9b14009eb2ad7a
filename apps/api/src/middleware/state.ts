import type { Context, Middleware } from 'koa'
import type { Limits } from '../keys/rateLimiter.js'

/** A presented key. */
export type CallerKey = {
  /** Whose part of the capacity its requests use: all callers without a key are one, and all visitors of the page. */
  readonly id: string
  readonly limits: Limits
  /** What its limits count for: the key, or an address of those. */
  readonly bucket: string
  /** False once the key is revoked or expired. */
  readonly isActive: () => Promise<boolean>
}

/** The middleware's data about a request. */
export type RequestState = {
  requestId: string
  key?: CallerKey
  /** Time that the searches of the request took, in milliseconds. */
  solvedMs?: number
  /** Code of the error response. */
  code?: string
  quoteId?: string
  /** The request target is neither a path nor a URL. */
  isMalformed?: boolean
}

/** A Koa middleware of this API. */
export type ApiMiddleware = Middleware<RequestState>

/** A Koa context of this API. */
export type ApiContext = Context & { state: RequestState }
