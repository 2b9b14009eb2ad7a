import { RefusedError } from '@braid-swap/client'
import { BaseError } from '@braid-swap/core'
import { ownValue } from '@braid-swap/core/advanced'
import { CommanderError } from 'commander'

const DONE = 0
const INTERNAL = 1
const USAGE = 2
const NO_QUOTE = 3
const NETWORK = 4
const REFUSED = 5
const NO_ROUTER = 6
const UNKNOWN = 7

/** The error codes of each exit code. INTERNAL is a bug of an API; bugs of the CLI have no code. */
const CODES: Readonly<Record<number, string>> = {
  [USAGE]: `
    USAGE BAD_AMOUNT UNKNOWN_TOKEN AMBIGUOUS_TOKEN FILE_UNREADABLE BAD_SNAPSHOT BAD_EVIDENCE BAD_ORDER
    BAD_OPTIONS BAD_FAMILY BAD_CALL BAD_CALLDATA BAD_PROGRAM API_KEY_MISSING API_KEY_INVALID
    TOKEN_NOT_FOUND API_KEY_FORBIDDEN INVALID_ADDRESS INVALID_CHECKSUM AMOUNT_ZERO
    PERMIT_UNSUPPORTED BAD_TERMS AMOUNT_AMBIGUOUS INVALID_AMOUNT AMOUNT_OUT_OF_RANGE INVALID_SLIPPAGE SAME_TOKEN NOT_FOUND
  `,
  [NO_QUOTE]: `
    NO_ROUTE ROUTE_UNTRUSTED TOKEN_UNSUPPORTED AMOUNT_TOO_SMALL INSUFFICIENT_LIQUIDITY PRICE_IMPACT_TOO_HIGH
    STATE_NOT_RETAINED NO_POOLS ORDERS_UNFILLED
  `,
  [NETWORK]: `
    RPC_FAILED WRONG_CHAIN CHAIN_NOT_SUPPORTED BLOCK_UNAVAILABLE NO_WRAPPED_NATIVE
    TOKEN_UNREADABLE API_UNREACHABLE BAD_ANSWER NOT_READY STATE_STALE UPSTREAM_RPC OVERLOADED
    REQUEST_TIMEOUT SHUTTING_DOWN RATE_LIMITED DEADLINE_EXCEEDED INTERNAL
  `,
  [REFUSED]: `
    MISMATCH NOT_ACCEPTED RECEIVER_REFUSED NO_OWN_FLOOR BELOW_OWN_FLOOR NO_OWN_MAXIMUM ABOVE_OWN_MAXIMUM
    DECLINED PRICE_MOVED REVERTED REPLACED EXPIRED CALLS_UNSUPPORTED NETWORK_FEE_TOO_HIGH
    BALANCE_INSUFFICIENT ALLOWANCE_INSUFFICIENT GAS_NOT_COVERED SIMULATION_REVERTED SIMULATION_FAILED
    SWAP_WOULD_REVERT
  `,
  [NO_ROUTER]: `
    ROUTER_UNVERIFIED ROUTER_UNCONFIRMED
  `,
  [UNKNOWN]: `
    OUTCOME_UNKNOWN
  `,
}

/**
 * The exit code of each error code. Another code of an API has that of its HTTP status: 2 for 4xx, 4 for
 * 5xx. Any other code has 1.
 */
export const exitCodes: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(CODES).flatMap(([exitCode, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(exitCode)]),
  ),
)

/** The meaning of the exit codes, for `--help`. */
export const exitCodeHelp = `Exit codes: 0 done, 1 a bug, 2 wrong input, 3 no quote, 4 node or API failed,
5 refused, 6 not our router, 7 sent with an unknown outcome: run it again to
learn how it ended.`

/** The exit code of an error. */
export function exitCodeOf(error: unknown): number {
  // Commander has already printed its message or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : USAGE
  if (!(error instanceof BaseError)) return INTERNAL
  return (
    ownValue(exitCodes, error.code) ?? (error instanceof RefusedError ? codeOf(error) : INTERNAL)
  )
}

// An API may be newer than this program, and most of its codes for a wrong request mean the same here.
function codeOf({ status }: RefusedError): number {
  return status < 500 ? USAGE : NETWORK
}
