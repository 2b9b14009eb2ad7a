import { BaseError, type Hex } from '@braid-swap/core'

/** The npm packages have no anvil binary for this platform, or it is not installed. */
export class NoAnvilBinaryError extends BaseError {
  readonly code = 'NO_ANVIL_BINARY'
  constructor(details: { platform: string; arch: string; wanted: string }, cause?: unknown) {
    super(
      `no anvil binary for ${details.platform}-${details.arch}: expected ${details.wanted}`,
      details,
      cause,
    )
  }
}

/** The node exited or timed out before it listened. */
export class AnvilStartError extends BaseError {
  readonly code = 'ANVIL_START'
  constructor(details: { reason: string; port: number; output: string }, cause?: unknown) {
    super(`anvil did not start: ${details.reason}: ${details.output}`, details, cause)
  }
}

/** A transaction sent by the devnet was mined and failed. */
export class TransactionRevertedError extends BaseError {
  readonly code = 'TRANSACTION_REVERTED'
  constructor(details: { label: string; hash: Hex; gasUsed: string; gas: string; reason: string }) {
    super(`${details.label} reverted (${details.reason})`, details)
  }
}

/** Transactions that no block included, because of their gas or their nonce. */
export class TransactionStuckError extends BaseError {
  readonly code = 'TRANSACTION_STUCK'
  constructor(details: { pending: number; minedBlocks: number; first: string }) {
    super(
      `${details.pending} transactions not included after ${details.minedBlocks} blocks, first: ${details.first}`,
      details,
    )
  }
}

/** Pool tokens must be two different lower-case addresses in ascending order, as in the contracts. */
export class TokenOrderError extends BaseError {
  readonly code = 'TOKEN_ORDER'
  constructor(details: { token0: string; token1: string }) {
    super(
      `tokens must be in ascending order and lower case: got ${details.token0}, ${details.token1}`,
      details,
    )
  }
}

/** A token, fee or other name that the devnet does not have. */
export class UnknownNameError extends BaseError {
  readonly code = 'UNKNOWN_NAME'
  constructor(details: { kind: string; got: string; known: string }) {
    super(`no ${details.kind} ${details.got}; known: ${details.known}`, details)
  }
}

/** startTrader was called on a devnet without interval mining. */
export class ManualMiningError extends BaseError {
  readonly code = 'MANUAL_MINING'
  constructor() {
    super("startTrader needs mining: 'interval'; with manual mining, call trade(n) and mine()")
  }
}

/** The node exited during interval mining. */
export class ChainDiedError extends BaseError {
  readonly code = 'CHAIN_DIED'
  constructor(details: { reason: string }) {
    super(`the node has exited: ${details.reason}`, details)
  }
}
