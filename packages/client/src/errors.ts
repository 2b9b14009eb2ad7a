import { BaseError, type ErrorDetails } from '@braid-swap/core'
import type * as z from 'zod/mini'
import type { Nearest, refusal } from './refusal.js'

/** One fault in a request, as the API reports it. */
export type Issue = {
  readonly in: 'query' | 'path' | 'header'
  /** Name of the parameter. */
  readonly path: string
  readonly code: string
  readonly message: string
  readonly received?: string | undefined
  readonly expected: string
}

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

  constructor(
    body: {
      readonly statusCode: number
      readonly code: string
      readonly message: string
      readonly requestId: string
      readonly retryable: boolean
      readonly issues: readonly Issue[]
      readonly details: z.output<typeof refusal>['details']
    },
    retryAfterMs: number | undefined,
  ) {
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
