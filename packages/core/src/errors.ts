/** JSON-ready details of an error: what was received and what was expected. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>

/** Base of every error that a caller can act on: a literal `code` and structured `details`. */
export abstract class BaseError extends Error {
  abstract readonly code: string
  readonly details: ErrorDetails

  constructor(message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.details = details
  }
}

/** An option has a value that nothing can be computed with; details name it. */
export class BadOptionsError extends BaseError {
  readonly code = 'BAD_OPTIONS'
}
