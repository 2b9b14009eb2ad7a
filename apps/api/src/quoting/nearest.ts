/**
 * Finds the nearest fill of an order that cannot be filled: the most of it that can, and which pools stay out
 * and why. Only on request, because it takes several searches.
 */
import { BaseError, type Graph, type Options, type Order, type Snapshot } from '@braid-swap/core'
import { largestFill, poolsOffMarket } from '@braid-swap/core/advanced'
import { ApiError, type ErrorCode, isErrorCode, type Nearest } from '../errors.js'
import type { Discovery } from '../market/liveMarket.js'

/** The codes of orders that cannot be filled, whatever the caller did right. */
const UNFILLED: ReadonlySet<string> = new Set([
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
])
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
  return {
    amountIn: found?.order.amountIn ?? 0n,
    amountOut: found?.amountOut ?? 0n,
    offMarket: poolsOffMarket(graph),
  }
}

/** True if an error says that an order cannot be filled. */
export function isUnfilled(error: unknown): error is BaseError & { readonly code: ErrorCode } {
  return error instanceof BaseError && UNFILLED.has(error.code) && isErrorCode(error.code)
}

/** The error of an order that cannot be filled with `details.nearest`. */
export function withNearest(
  error: BaseError & { readonly code: ErrorCode },
  { amountIn, amountOut, offMarket }: ReturnType<typeof findNearest>,
  {
    snapshot,
    options,
    discovery,
  }: {
    readonly snapshot: Snapshot
    readonly options: Options
    readonly discovery: Discovery | undefined
  },
): ApiError {
  const { code, message, details } = error
  const nearest: Nearest = {
    amount: `${amountIn}`,
    dstAmount: `${amountOut}`,
    leftOut: [
      ...countVenues(snapshot, options.excludedPools ?? new Set(), 'EXCLUDED_BY_REQUEST'),
      ...countVenues(snapshot, new Set(offMarket), 'PRICE_OFF_MARKET'),
      ...Object.entries(discovery?.setAside ?? {}).map(([reason, pools]) => ({ reason, pools })),
    ],
  }
  return new ApiError(code, message, { details, nearest, cause: error })
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
