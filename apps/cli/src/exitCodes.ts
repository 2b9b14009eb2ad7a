import { BaseError, ownValue } from '@braid-swap/core'
import { CommanderError } from 'commander'

const DONE = 0
const INTERNAL = 1
const USAGE = 2
const NO_QUOTE = 3
const NETWORK = 4
const REFUSED = 5
const NO_ROUTER = 6

/** The exit code of each error code; an error code that is not in the table has 1. */
export const exitCodes: Readonly<Record<string, number>> = {
  USAGE,
  BAD_AMOUNT: USAGE,
  UNKNOWN_TOKEN: USAGE,
  AMBIGUOUS_TOKEN: USAGE,
  FILE_UNREADABLE: USAGE,
  BAD_SNAPSHOT: USAGE,
  BAD_CALLDATA: USAGE,
  BAD_PROGRAM: USAGE,
  API_KEY_MISSING: USAGE,
  API_KEY_INVALID: USAGE,
  TOKEN_NOT_FOUND: USAGE,
  API_KEY_FORBIDDEN: USAGE,
  INVALID_ADDRESS: USAGE,
  INVALID_CHECKSUM: USAGE,
  AMOUNT_ZERO: USAGE,
  AMOUNT_AMBIGUOUS: USAGE,
  INVALID_AMOUNT: USAGE,
  AMOUNT_OUT_OF_RANGE: USAGE,
  INVALID_SLIPPAGE: USAGE,
  SAME_TOKEN: USAGE,
  NOT_FOUND: USAGE,
  NO_ROUTE: NO_QUOTE,
  TOKEN_UNSUPPORTED: NO_QUOTE,
  AMOUNT_TOO_SMALL: NO_QUOTE,
  INSUFFICIENT_LIQUIDITY: NO_QUOTE,
  PRICE_IMPACT_TOO_HIGH: NO_QUOTE,
  STATE_NOT_RETAINED: NO_QUOTE,
  NO_POOLS: NO_QUOTE,
  RPC_FAILED: NETWORK,
  WRONG_CHAIN: NETWORK,
  CHAIN_NOT_SUPPORTED: NETWORK,
  BLOCK_UNAVAILABLE: NETWORK,
  NO_WRAPPED_NATIVE: NETWORK,
  TOKEN_UNREADABLE: NETWORK,
  API_UNREACHABLE: NETWORK,
  BAD_ANSWER: NETWORK,
  NOT_READY: NETWORK,
  STATE_STALE: NETWORK,
  UPSTREAM_RPC: NETWORK,
  OVERLOADED: NETWORK,
  REQUEST_TIMEOUT: NETWORK,
  SHUTTING_DOWN: NETWORK,
  RATE_LIMITED: NETWORK,
  DEADLINE_EXCEEDED: NETWORK,
  // A bug of the API; bugs of the CLI are errors without a code.
  INTERNAL: NETWORK,
  MISMATCH: REFUSED,
  RECEIVER_REFUSED: REFUSED,
  NO_OWN_FLOOR: REFUSED,
  BELOW_OWN_FLOOR: REFUSED,
  NO_OWN_MAXIMUM: REFUSED,
  ABOVE_OWN_MAXIMUM: REFUSED,
  DECLINED: REFUSED,
  PRICE_MOVED: REFUSED,
  REVERTED: REFUSED,
  BALANCE_INSUFFICIENT: REFUSED,
  ALLOWANCE_INSUFFICIENT: REFUSED,
  SIMULATION_REVERTED: REFUSED,
  SIMULATION_FAILED: REFUSED,
  ROUTER_UNVERIFIED: NO_ROUTER,
  ROUTER_UNCONFIRMED: NO_ROUTER,
}

/** What the exit codes mean, for `--help`. */
export const exitCodeHelp =
  'Exit codes: 0 done, 1 a bug, 2 wrong input, 3 no quote, 4 node or API failed, 5 refused, 6 not our router.'

/** The exit code of an error. */
export function exitCodeOf(error: unknown): number {
  // Commander has already printed its message or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE
  return error instanceof BaseError ? (ownValue(exitCodes, error.code) ?? INTERNAL) : INTERNAL
}
