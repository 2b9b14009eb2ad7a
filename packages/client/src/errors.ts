import { BaseError, type ErrorDetails } from '@braid-swap/core'
import type * as z from 'zod/mini'
import type { Nearest, refusal } from './refusal.js'

/** The body of an error. */
type Refusal = z.output<typeof refusal>
/** One fault in a request, as the API reports it; `path` is the name of the parameter. */
export type Issue = Readonly<Refusal['issues'][number]>

/** The API refused a request. Decide by `code`, listed in `/errors.json`, never by the message. */
export class RefusedError extends BaseError {
  readonly code: string
  readonly status: number
  /** True if the same request may work later. */
  readonly retryable: boolean
  readonly issues: readonly Issue[]
  /** Identifies the request in the operator's log. */
  readonly requestId: string
  /** The wait that the API requests before a retry. */
  readonly retryAfterMs: number | undefined
  /** For an order that cannot be filled, with `includeNearest`. */
  readonly nearest: Nearest | undefined

  constructor(body: Refusal, retryAfterMs: number | undefined) {
    const { nearest, ...details } = body.details
    super(body.message, { status: body.statusCode, ...(details as ErrorDetails) })
    this.nearest = nearest
    this.code = body.code
    this.status = body.statusCode
    this.retryable = body.retryable
    this.issues = body.issues
    this.requestId = body.requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** Nothing answered: no connection, a timeout, or a proxy that says so. */
export class UnreachableError extends BaseError {
  readonly code = 'API_UNREACHABLE'
}

/** The answer is not from this API, or from another version of it. */
export class BadAnswerError extends BaseError {
  readonly code = 'BAD_ANSWER'
}
