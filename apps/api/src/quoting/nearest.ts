/**
 * Finds the nearest fill of an order that cannot be filled: the most of it that can, and which pools stay out
 * and why. Only on request, because it takes several searches.
 */
import {
  BaseError,
  type Graph,
  largestFill,
  type Options,
  type Order,
  poolsOffMarket,
} from '@braid-swap/core'
import { ApiError, isErrorCode, type Nearest } from '../errors.js'
import type { Discovery } from '../market/liveMarket.js'

/** The codes of orders that cannot be filled, whatever the caller did right. */
const UNFILLED: ReadonlySet<string> = new Set([
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_TOO_SMALL',
])
/** No pool contract supports a larger amount. */
const LARGEST_INPUT = (1n << 128n) - 1n

/** Input of the search for the nearest fill. */
export type NearestSearch = {
  readonly graph: Graph
  /** Without the amount in, the most that any amount can buy is searched. */
  readonly order: Omit<Order, 'amountIn'> & { readonly amountIn: bigint | undefined }
  readonly options: Options
  readonly discovery: Discovery | undefined
}

/**
 * The error of an order that cannot be filled with `details.nearest`; any other error as it is.
 */
export function withNearest(error: unknown, search: NearestSearch): unknown {
  if (!(error instanceof BaseError && UNFILLED.has(error.code) && isErrorCode(error.code))) {
    return error
  }
  const { code, message, details } = error
  return new ApiError(code, message, { details, nearest: nearestOf(search), cause: error })
}

function nearestOf({ graph, order, options, discovery }: NearestSearch): Nearest {
  const { amountIn = LARGEST_INPUT } = order
  const found = largestFill(graph, { ...order, amountIn }, options)
  return {
    amount: `${found?.order.amountIn ?? 0n}`,
    dstAmount: `${found?.amountOut ?? 0n}`,
    leftOut: [
      ...countVenues(graph, options.excludedPools ?? new Set(), 'EXCLUDED_BY_REQUEST'),
      ...countVenues(graph, new Set(poolsOffMarket(graph)), 'PRICE_OFF_MARKET'),
      ...Object.entries(discovery?.setAside ?? {}).map(([reason, pools]) => ({ reason, pools })),
    ],
  }
}

/** Counts the pools by venue. */
function countVenues(
  { snapshot }: Graph,
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
