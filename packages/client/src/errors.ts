import { BaseError, type ErrorDetails } from '@braid-swap/core'

/** One fault of a request, as the API found it. */
export type Issue = {
  readonly in: 'query' | 'path' | 'header'
  /** Name of the parameter. */
  readonly path: string
  readonly code: string
  readonly message: string
  readonly received?: string | undefined
  readonly expected: string
}

/** The API's own no. Decide by `code`, which `/errors.json` lists, never by the message. */
export class RefusedError extends BaseError {
  readonly code: string
  readonly status: number
  /** Whether the same request may work later. */
  readonly retryable: boolean
  readonly issues: readonly Issue[]
  /** Finds the request in the operator's log. */
  readonly requestId: string
  /** How long the API asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    body: {
      readonly statusCode: number
      readonly code: string
      readonly message: string
      readonly requestId: string
      readonly retryable: boolean
      readonly issues: readonly Issue[]
      readonly details: ErrorDetails
    },
    retryAfterMs: number | undefined,
  ) {
    super(body.message, { status: body.statusCode, ...body.details })
    this.code = body.code
    this.status = body.statusCode
    this.retryable = body.retryable
    this.issues = body.issues
    this.requestId = body.requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** Nothing answered: no connection, or none in time. */
export class UnreachableError extends BaseError {
  readonly code = 'API_UNREACHABLE'
}

/** What answered is not this API, or of another version. */
export class BadAnswerError extends BaseError {
  readonly code = 'BAD_ANSWER'
}
