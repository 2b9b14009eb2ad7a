import { BaseError, type ErrorDetails, type Hex } from '@braid-swap/core'
import type { SentSwap } from './memory.js'

/** How sending can end without a swap. */
export type SendCode =
  /** The wallet uses another chain. */
  | 'WRONG_CHAIN'
  | 'BALANCE_INSUFFICIENT'
  /** The balance covers the amount, but not the gas; the details say what can be sold, in wei. */
  | 'GAS_NOT_COVERED'
  /** The approval was sent, but the allowance stayed lower: its owner lowered it, or it was not mined. */
  | 'ALLOWANCE_INSUFFICIENT'
  /** The token has no permit of EIP-2612 that can be signed. */
  | 'PERMIT_UNSUPPORTED'
  /** The wallet does not execute several calls as one. */
  | 'CALLS_UNSUPPORTED'
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
  /** Its deadline has passed, and no block before has it. */
  | 'EXPIRED'

/** A swap was not performed and will not be; `code` says why. */
export class SendError extends BaseError {
  readonly code: SendCode

  constructor(code: SendCode, message: string, details?: ErrorDetails, cause?: unknown) {
    super(message, details, cause)
    this.code = code
  }
}

/**
 * A swap was handed over, and nobody can say whether it was or will be performed. Do not send the same order
 * again before `confirmSwap` says how `sent` ended.
 */
export class OutcomeUnknownError extends BaseError {
  readonly code = 'OUTCOME_UNKNOWN'
  readonly sent: SentSwap
  /** Absent if the wallet gave none. */
  readonly hash: Hex | undefined

  constructor(sent: SentSwap, why: string, cause?: unknown) {
    const { hash } = sent
    super(
      `the transaction may have been sent, and its outcome is unknown: ${why}`,
      {
        ...(hash !== undefined && { hash }),
        wanted: 'a look at this transaction or at the wallet before another try',
      },
      cause,
    )
    this.sent = sent
    this.hash = hash
  }
}
