import { BaseError, type ErrorDetails } from '@braid-swap/core'

/** What was typed cannot be understood. */
export class UsageError extends BaseError {
  readonly code = 'USAGE'
}

/** A file that was named is absent or not in its format. */
export class FileError extends BaseError {
  readonly code = 'FILE_UNREADABLE'

  constructor(file: string, why: string, cause?: unknown) {
    super(`${file}: ${why}`, { file }, cause)
  }
}

/** No known token is called that. */
export class UnknownTokenError extends BaseError {
  readonly code = 'UNKNOWN_TOKEN'
}

/** Several tokens are called that; only an address tells them apart. */
export class AmbiguousTokenError extends BaseError {
  readonly code = 'AMBIGUOUS_TOKEN'
}

/** The node could not be asked, or answered with an error. */
export class NodeError extends BaseError {
  readonly code = 'RPC_FAILED'
}

/** Calldata does something else than what was asked. */
export class MismatchError extends BaseError {
  readonly code = 'MISMATCH'
}

/** A transaction was mined and failed. */
export class RevertedError extends BaseError {
  readonly code = 'REVERTED'
}

/** The wallet holds less than the swap takes. */
export class BalanceError extends BaseError {
  readonly code = 'BALANCE_INSUFFICIENT'

  constructor(owner: string, got: bigint, wanted: bigint) {
    super(`${owner} holds less than the amount`, { got: `${got} wei`, wanted: `${wanted} wei` })
  }
}

/** An API built the swap, and nothing but its own word says what the swap should bring. */
export class NoOwnFloorError extends BaseError {
  readonly code = 'NO_OWN_FLOOR'

  constructor(why: string, cause?: unknown) {
    const wanted =
      '--min or --min-rate, the least that you accept, or --rpc with venues (--venues) that it can be quoted on'
    super(`nothing but the API says what this swap should bring: ${why}`, { wanted }, cause)
  }
}

/** What is promised is less than the caller accepts. */
export class FloorError extends BaseError {
  readonly code = 'BELOW_OWN_FLOOR'

  constructor(got: string, floor: string) {
    super('the quote is below your own floor', { got, wanted: `at least ${floor}` })
  }
}

/** The market pays less by now than the floor that was quoted. Nothing was swapped. */
export class PriceMovedError extends BaseError {
  readonly code = 'PRICE_MOVED'

  constructor(details: ErrorDetails, cause?: unknown) {
    super('prices moved since the quote, and nothing was swapped: ask again', details, cause)
  }
}

/** A market without a pool: there is nothing to quote from. */
export class NoPoolsError extends BaseError {
  readonly code = 'NO_POOLS'
}
