import { BaseError, type ErrorDetails } from '@braid-swap/core'

/** The largest part of an order that can be filled, and which pools stay out of every route. */
export type Nearest = {
  /** Wei. */
  readonly amount: string
  readonly dstAmount: string
  /** The most that sells below a loss, in basis points. */
  readonly atLoss?: {
    readonly lossBps: number
    readonly amount: string
    readonly dstAmount: string
  }
  readonly leftOut: {
    readonly exchange?: string | undefined
    readonly reason: string
    readonly pools: number
  }[]
}

/** The response to a code: HTTP status, short title, and whether a retry may succeed. */
export type ErrorEntry = {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
}

const refused = (title: string) => ({ status: 400, title, retryable: false })
const unfillable = (title: string) => ({ status: 422, title, retryable: true })
/** No later block changes it. */
const hopeless = (title: string) => ({ status: 422, title, retryable: false })
const unavailable = (title: string) => ({ status: 503, title, retryable: true })

/** Every error code of the API. `/errors.json` and the responses use this one table. */
export const errorTable = {
  MISSING_PARAMETER: refused('A required parameter is missing'),
  INVALID_CHAIN_ID: refused('The chain id is not an integer'),
  INVALID_ADDRESS: refused('The address is malformed or not allowed here'),
  INVALID_CHECKSUM: refused('The case of a mixed-case address does not match its EIP-55 checksum'),
  INVALID_AMOUNT: refused('The value is not a decimal integer'),
  AMOUNT_ZERO: refused('The amount is zero'),
  AMOUNT_AMBIGUOUS: refused('Both the amount to sell and the amount to buy are given'),
  AMOUNT_OUT_OF_RANGE: refused('The number is outside the allowed range'),
  INVALID_SLIPPAGE: refused('The slippage is not a percentage from 0 to 50'),
  INVALID_BOOLEAN: refused('The value is not a boolean'),
  INVALID_ENUM: refused('The value is not one of the allowed values'),
  INVALID_BODY: refused('The request body is not valid for this path'),
  DUPLICATE_PARAMETER: refused('A parameter is given more than once'),
  UNKNOWN_PARAMETER: refused('A parameter name has the wrong case'),
  SAME_TOKEN: refused('Source and destination are the same token'),
  NATIVE_NOT_APPROVABLE: refused('The native token needs no approval'),
  INVALID_SIGNATURE: refused('The signature cannot pay for the swap'),
  RECEIVER_REFUSED: refused('The receiver would lose the output of the swap'),
  TOKEN_NOT_FOUND: refused('No token at this address'),
  BALANCE_INSUFFICIENT: refused('The balance of the wallet is below the amount'),
  GAS_NOT_COVERED: refused('The balance of the wallet covers the amount, but not the gas'),
  ALLOWANCE_INSUFFICIENT: refused('The allowance is below the amount'),
  API_KEY_MISSING: { status: 401, title: 'The apikey header is missing', retryable: false },
  API_KEY_INVALID: { status: 401, title: 'The API key is not valid', retryable: false },
  API_KEY_FORBIDDEN: {
    status: 403,
    title: 'The API key is not allowed for this origin',
    retryable: false,
  },
  NOT_FOUND: { status: 404, title: 'No such path', retryable: false },
  CHAIN_NOT_SUPPORTED: { status: 404, title: 'The chain is not supported', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed', retryable: false },
  BAD_REQUEST: refused('The request is not valid HTTP/1.1'),
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time', retryable: true },
  URI_TOO_LONG: { status: 414, title: 'The URL is longer than 8 KiB', retryable: false },
  HEADERS_TOO_LARGE: {
    ...{ status: 431, title: 'The request line and headers exceed 32 KiB', retryable: false },
  },
  MARKET_RECORDED: {
    ...{ status: 501, title: 'The market is recorded, so nothing can be sent', retryable: false },
  },
  STATE_NOT_RETAINED: hopeless('The requested market state is not retained'),
  PRICE_IMPACT_TOO_HIGH: unfillable(
    'The price impact is unknown or exceeds the limit of the request',
  ),
  TOKEN_UNSUPPORTED: hopeless(
    'The token is not supported: transfer fee, rebasing, paused, or refused by the operator',
  ),
  SWAP_WOULD_REVERT: unfillable('The swap would revert, so no transaction is returned'),
  SIMULATION_REVERTED: unfillable('The swap reverts in simulation'),
  NO_ROUTE: { ...unfillable('No route connects the two tokens'), retryable: false },
  ROUTE_UNTRUSTED: hopeless('Only a route through tokens that are not trusted connects the two'),
  AMOUNT_TOO_SMALL: hopeless('The amount is too small: the best output is zero'),
  INSUFFICIENT_LIQUIDITY: unfillable('No route has enough liquidity for the whole amount'),
  RATE_LIMITED: { status: 429, title: 'The rate limit of the key is exceeded', retryable: true },
  INTERNAL: { status: 500, title: 'An internal error occurred', retryable: true },
  NOT_READY: unavailable('The market is not loaded yet'),
  NO_POOLS: unavailable('No venue has a pool to quote from yet'),
  ROUTER_UNCONFIRMED: unavailable(
    'The code of the router is not confirmed, so no transaction is returned',
  ),
  GAS_PRICE_ABSURD: unavailable(
    'The node tells a base fee that cannot follow from the blocks before',
  ),
  STATE_STALE: unavailable('The market state is too old, or the RPC nodes disagree on it'),
  WRONG_CHAIN: unavailable('The RPC node serves another chain'),
  SIMULATION_FAILED: unavailable('The simulation returned no amount at or above the floor'),
  UPSTREAM_RPC: unavailable('The RPC node behind the API failed to answer'),
  OVERLOADED: unavailable('Too many requests are in progress'),
  DEADLINE_EXCEEDED: unavailable('The request timed out'),
  SHUTTING_DOWN: unavailable('The server is shutting down'),
} as const satisfies Record<string, ErrorEntry>

/** What stops an order, by the code of its refusal. */
export const stops: Readonly<Partial<Record<ErrorCode, string>>> = {
  ...{ ROUTE_UNTRUSTED: 'policy', NO_ROUTE: 'liquidity', INSUFFICIENT_LIQUIDITY: 'liquidity' },
  ...{ PRICE_IMPACT_TOO_HIGH: 'liquidity', AMOUNT_TOO_SMALL: 'dust', STATE_STALE: 'age' },
  ...{ GAS_NOT_COVERED: 'gas', GAS_PRICE_ABSURD: 'gas', TOKEN_UNSUPPORTED: 'behaviour' },
  ...{ SWAP_WOULD_REVERT: 'behaviour', SIMULATION_REVERTED: 'behaviour' },
}

/** A code of {@link errorTable}. */
export type ErrorCode = keyof typeof errorTable

/** One fault of a request. */
export type Issue = {
  readonly in: 'query' | 'path' | 'header'
  /** Name of the parameter. */
  readonly path: string
  readonly code: string
  /** The rule that the value breaks, without the name of the parameter: `must be above zero`. */
  readonly message: string
  /** The value sent, cut to 100 characters; the balance or allowance if that is too small. */
  readonly received?: string
  /** A pattern, a range or a list of allowed values. */
  readonly expected: string
}

/** Joins issues into the message of their error: `name rule; name rule`. */
export function messageOf(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ')
}

/** An error of the API itself. Its entry in {@link errorTable} sets the response. */
export class ApiError extends BaseError {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  /** For an order that cannot be filled, if it was asked for. */
  readonly nearest: Nearest | undefined
  /** Overrides the status of the table, such as 404 for an unknown token in the path. */
  readonly status: number

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      readonly details?: ErrorDetails
      readonly issues?: readonly Issue[]
      readonly nearest?: Nearest
      readonly status?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(message, more.details, more.cause)
    this.code = code
    this.issues = more.issues ?? []
    this.nearest = more.nearest
    this.status = more.status ?? errorTable[code].status
  }
}

/** The error of one fault of a request, whose code it has. */
export function refusal(
  {
    in: where = 'query',
    ...fault
  }: Omit<Issue, 'in' | 'code'> & {
    readonly code: ErrorCode
    readonly in?: Issue['in']
  },
  more: {
    readonly message?: string
    readonly details?: ErrorDetails
    readonly status?: number
  } = {},
): ApiError {
  const { message = messageOf([{ in: where, ...fault }]), ...rest } = more
  return new ApiError(fault.code, message, { issues: [{ in: where, ...fault }], ...rest })
}

/** True if a string is a code of {@link errorTable}. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
