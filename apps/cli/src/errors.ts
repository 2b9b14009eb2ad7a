import { BaseError } from '@braid-swap/core'

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
