/**
 * Finds the nearest fill of an order that cannot be filled: the most of it that can, and which pools stay out
 * and why. Only on request, because it takes several searches.
 */
import { BaseError, type Graph, type Options, type Order, type Snapshot } from '@braid-swap/core'
import {
  amountWords,
  LIMITS,
  largestFill,
  percentWords,
  poolsOffMarket,
  shortAddress,
} from '@braid-swap/core/advanced'
import { ApiError, type ErrorCode, isErrorCode, type Nearest } from '../errors.js'
import type { Discovery } from '../market/liveMarket.js'
import { namesOf } from '../tokens/names.js'
import type { TokenBook } from '../tokens/tokenBook.js'

/** The codes of orders that cannot be filled, whatever the caller did right. */
const UNFILLED: ReadonlySet<string> = new Set([
  'NO_ROUTE',
  'ROUTE_UNTRUSTED',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
])
/** The loss at which an order need not be accepted by its owner yet. */
const STATED_LOSS_BPS = LIMITS.PRICE_IMPACT_HIGH.ask

/** No pool contract supports a larger amount. */
const LARGEST_INPUT = (1n << 128n) - 1n

/** The order, of which the amount in may be open: then the most that any amount can buy is searched. */
export type PartialOrder = Omit<Order, 'amountIn'> & { readonly amountIn: bigint | undefined }

/** The largest part of an order that can be filled, 0 if none, and the pools that are off the market. */
export function findNearest(
  graph: Graph,
  { amountIn = LARGEST_INPUT, ...ends }: PartialOrder,
  options: Options,
) {
  const found = largestFill(graph, { ...ends, amountIn }, options)
  const order = { ...ends, amountIn: found?.order.amountIn ?? 0n }
  const modest = found && largestFill(graph, order, { ...options, mostImpactBps: STATED_LOSS_BPS })
  return {
    ...(modest && { atLoss: { amountIn: modest.order.amountIn, amountOut: modest.amountOut } }),
    amountIn: found?.order.amountIn ?? 0n,
    amountOut: found?.amountOut ?? 0n,
    offMarket: poolsOffMarket(graph),
  }
}

/** True if an error says that an order cannot be filled. */
export function isUnfilled(error: unknown): error is BaseError & { readonly code: ErrorCode } {
  return error instanceof BaseError && UNFILLED.has(error.code) && isErrorCode(error.code)
}

type Names = Pick<TokenBook, 'read' | 'isKnown'>

/** The refusal with the tokens by their symbols, and with what would work. */
export async function inWords(
  { code, message, details, cause }: BaseError & { readonly code: ErrorCode },
  { tokenIn, tokenOut }: PartialOrder,
  tokens: Names,
): Promise<ApiError> {
  const untrusted = `${details['untrusted'] ?? ''}`.split(',').filter((token) => token !== '')
  const passed = untrusted as Order['tokenIn'][]
  const texts = await namesOf(tokens, [tokenIn, tokenOut, ...passed])
  const nameOf = (token: Order['tokenIn']) => texts?.get(token)?.symbol || shortAddress(token)
  const pair = `${nameOf(tokenIn)} to ${nameOf(tokenOut)}`
  const names = passed.map((token) => `${nameOf(token)} (${shortAddress(token)})`).join(', ')
  const said =
    code === 'ROUTE_UNTRUSTED'
      ? `${pair} is only connected through ${names}, which nobody here vouches for`
      : `${pair}: ${message}`
  return new ApiError(code, said, { details, cause })
}

/** What the market does take of an order, as the end of a sentence. */
export async function nearestWords(
  { amountIn, amountOut, atLoss }: ReturnType<typeof findNearest>,
  { tokenIn, tokenOut }: PartialOrder,
  tokens: Names,
): Promise<string> {
  const texts = await namesOf(tokens, [tokenIn, tokenOut])
  const [sold, bought] = [texts?.get(tokenIn), texts?.get(tokenOut)]
  if (amountIn === 0n || !sold || !bought) return ''
  const sale = (paid: bigint, got: bigint) =>
    `${amountWords(paid, sold)} for ${amountWords(got, bought)}`
  const modest = atLoss
    ? `, and at most ${sale(atLoss.amountIn, atLoss.amountOut)} at a loss of ${percentWords(STATED_LOSS_BPS)}`
    : ''
  return `. It takes ${sale(amountIn, amountOut)}${modest}`
}

/** The error of an order that cannot be filled with `details.nearest`. */
export function withNearest(
  error: ApiError,
  { amountIn, amountOut, atLoss, offMarket }: ReturnType<typeof findNearest>,
  {
    found,
    snapshot,
    options,
    discovery,
  }: {
    readonly found: string
    readonly snapshot: Snapshot
    readonly options: Options
    readonly discovery: Discovery | undefined
  },
): ApiError {
  const { code, message, details } = error
  const nearest: Nearest = {
    amount: `${amountIn}`,
    dstAmount: `${amountOut}`,
    ...(atLoss && {
      atLoss: {
        lossBps: STATED_LOSS_BPS,
        amount: `${atLoss.amountIn}`,
        dstAmount: `${atLoss.amountOut}`,
      },
    }),
    leftOut: [
      ...countVenues(snapshot, options.excludedPools ?? new Set(), 'EXCLUDED_BY_REQUEST'),
      ...countVenues(snapshot, new Set(offMarket), 'PRICE_OFF_MARKET'),
      ...Object.entries(discovery?.setAside ?? {}).map(([reason, pools]) => ({ reason, pools })),
    ],
  }
  return new ApiError(code, `${message}${found}`, { details, nearest, cause: error })
}

/** Counts the pools by venue. */
function countVenues(
  snapshot: Snapshot,
  ids: ReadonlySet<string>,
  reason: string,
): Nearest['leftOut'] {
  if (ids.size === 0) return []
  const counts = new Map<string, number>()
  for (const { id, venue, family } of snapshot.pools) {
    if (ids.has(id) && family !== 'wrap') counts.set(venue, (counts.get(venue) ?? 0) + 1)
  }
  return [...counts].sort().map(([exchange, pools]) => ({ exchange, reason, pools }))
}
