/** A plain JSON-ready record of what was got and what was wanted. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>

/** What every error a caller can act on extends: a literal `code` and structured `details`. */
export abstract class BaseError extends Error {
  abstract readonly code: string
  readonly details: ErrorDetails

  constructor(message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.details = details
  }
}
