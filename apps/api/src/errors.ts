import { BaseError, type ErrorDetails } from '@braid-swap/core'

/** How a code is answered: its HTTP status, a short title, and whether the same request may work later. */
export type ErrorEntry = {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
}

const refused = (title: string) => ({ status: 400, title, retryable: false })
const unfillable = (title: string) => ({ status: 422, title, retryable: true })
const unavailable = (title: string) => ({ status: 503, title, retryable: true })

/** Every code that the API answers with; `/errors.json` and the responses read this one table. */
export const errorTable = {
  MISSING_PARAMETER: refused('A required parameter is missing'),
  INVALID_CHAIN_ID: refused('The chain id is not an integer'),
  INVALID_ADDRESS: refused('Not an address that can be used here'),
  INVALID_CHECKSUM: refused('The case of a mixed-case address does not match its EIP-55 checksum'),
  INVALID_AMOUNT: refused('Not a decimal integer'),
  AMOUNT_ZERO: refused('The amount is zero'),
  AMOUNT_OUT_OF_RANGE: refused('The number is outside the allowed range'),
  INVALID_SLIPPAGE: refused('The slippage is not a number of percent from 0 to 50'),
  INVALID_BOOLEAN: refused('Not a boolean'),
  INVALID_ENUM: refused('Not one of the allowed values'),
  INVALID_BODY: refused('The body is not what this path takes'),
  DUPLICATE_PARAMETER: refused('A parameter is given more than once'),
  UNKNOWN_PARAMETER: refused('A parameter differs from a known one only in case'),
  SAME_TOKEN: refused('Source and destination are the same token'),
  NATIVE_NOT_APPROVABLE: refused('The native token needs no approval'),
  INVALID_SIGNATURE: refused('Not a signature that can pay for the swap'),
  RECEIVER_REFUSED: refused('The receiver would lose what the swap pays'),
  TOKEN_NOT_FOUND: refused('No token at this address'),
  BALANCE_INSUFFICIENT: refused('The wallet holds less than the amount'),
  ALLOWANCE_INSUFFICIENT: refused('The router may spend less than the amount'),
  API_KEY_MISSING: { status: 401, title: 'The apikey header is missing', retryable: false },
  API_KEY_INVALID: { status: 401, title: 'The API key is not valid', retryable: false },
  API_KEY_FORBIDDEN: { status: 403, title: 'The API key is not for this page', retryable: false },
  NOT_FOUND: { status: 404, title: 'No such path', retryable: false },
  CHAIN_NOT_SUPPORTED: { status: 404, title: 'The chain is not supported', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Only GET is answered', retryable: false },
  BAD_REQUEST: refused('Not HTTP/1.1'),
  URI_TOO_LONG: { status: 414, title: 'The address is longer than 8 KiB', retryable: false },
  HEADERS_TOO_LARGE: {
    ...{ status: 431, title: 'The request line and header exceed 32 KiB', retryable: false },
  },
  STATE_NOT_RETAINED: {
    ...unfillable('That state of the market is not kept any more'),
    retryable: false,
  },
  PRICE_IMPACT_TOO_HIGH: unfillable('The price impact exceeds the limit that the request sets'),
  TOKEN_UNSUPPORTED: {
    ...unfillable('The token does not move amounts as it is told'),
    retryable: false,
  },
  SIMULATION_REVERTED: unfillable('On the node this very swap reverts now'),
  NO_ROUTE: { ...unfillable('No pools connect the two tokens'), retryable: false },
  AMOUNT_TOO_SMALL: { ...unfillable('The best output is zero'), retryable: false },
  INSUFFICIENT_LIQUIDITY: unfillable('No route can take the whole amount'),
  RATE_LIMITED: { status: 429, title: 'More requests than the key may send', retryable: true },
  INTERNAL: { status: 500, title: 'Something went wrong on our side', retryable: true },
  NOT_READY: unavailable('The market has not been read yet'),
  NO_POOLS: unavailable('No venue has a pool to quote from yet'),
  ROUTER_UNCONFIRMED: unavailable('The router is not known to be ours, so nothing may be signed'),
  STATE_STALE: unavailable('The newest market state is too old to quote from'),
  SIMULATION_FAILED: unavailable('The node answered the simulation with no amount above the floor'),
  UPSTREAM_RPC: unavailable('The node behind the API did not answer'),
  OVERLOADED: unavailable('More requests are under way than can be answered in time'),
  DEADLINE_EXCEEDED: unavailable('The answer took too long'),
} as const satisfies Record<string, ErrorEntry>

/** A code of {@link errorTable}. */
export type ErrorCode = keyof typeof errorTable

/** One fault of a request. */
export type Issue = {
  readonly in: 'query' | 'path' | 'header'
  /** Name of the parameter. */
  readonly path: string
  readonly code: string
  /** The rule that it breaks, without its name: `must be above zero`. */
  readonly message: string
  /** What was sent, cut to 100 characters, or what a wallet has where that is too little. */
  readonly received?: string
  /** A pattern, a range or a list of allowed values. */
  readonly expected: string
}

/** What issues say, as the message of their error: each with the name that the issue has in a field. */
export function messageOf(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ')
}

/** An error of the API itself, answered as its entry in {@link errorTable} says. */
export class ApiError extends BaseError {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  /** The status where the table's is not the right one for this path. */
  readonly status: number

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      readonly details?: ErrorDetails
      readonly issues?: readonly Issue[]
      readonly status?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(message, more.details, more.cause)
    this.code = code
    this.issues = more.issues ?? []
    this.status = more.status ?? errorTable[code].status
  }
}

/** Whether a string is a code of {@link errorTable}. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
