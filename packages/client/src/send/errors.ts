import { BaseError, type ErrorDetails, type Hex } from '@braid-swap/core'

/** How sending can end without a swap. Nothing was sent, except where it says so. */
export type SendCode =
  /** The wallet uses another chain. */
  | 'WRONG_CHAIN'
  | 'BALANCE_INSUFFICIENT'
  /** The owner lowered the approval in the wallet. The approval itself was sent. */
  | 'ALLOWANCE_INSUFFICIENT'
  /** The token has no permit of EIP-2612 that can be signed. */
  | 'PERMIT_UNSUPPORTED'
  /** The market pays less than the floor. */
  | 'PRICE_MOVED'
  /** Gas would cost more than `maxNetworkFee`. */
  | 'NETWORK_FEE_TOO_HIGH'
  /** Only big blocks have room for the gas, and the wallet does not use them. */
  | 'BIG_BLOCK_REQUIRED'
  /** The transaction would revert; with `hash` in the details, it was mined and did. */
  | 'REVERTED'
  /** Another transaction of the account was mined in its place, `details.other`. */
  | 'REPLACED'

/** A swap was not performed; `code` says why. */
export class SendError extends BaseError {
  readonly code: SendCode

  constructor(code: SendCode, message: string, details?: ErrorDetails, cause?: unknown) {
    super(message, details, cause)
    this.code = code
  }
}

/**
 * A transaction was sent, or may have been, and nobody can say whether it was or will be mined. Do not
 * send the swap again before its deadline has passed, or before `confirmSwap` says how it ended.
 */
export class OutcomeUnknownError extends BaseError {
  readonly code = 'OUTCOME_UNKNOWN'
  /** Absent if the wallet gave none. */
  readonly hash: Hex | undefined

  constructor(hash: Hex | undefined, why: string, cause?: unknown) {
    super(
      `the transaction ${hash ? 'was' : 'may have been'} sent, but its outcome is unknown: ${why}`,
      {
        ...(hash !== undefined && { hash }),
        wanted: 'a look at this transaction or at the wallet before another try',
      },
      cause,
    )
    this.hash = hash
  }
}
