/**
 * The refusal of an order that cannot be filled: in words, and on request with the most of it that can be, and which
 * pools stay out and why. Only on request, because that takes several searches.
 */
import type { Address, BaseError, Graph, Options, Snapshot } from '@braid-swap/core'
import {
  type Nearest as Found,
  findNearest,
  type PartialOrder,
  poolsOffMarket,
  refusalWords,
  untrustedOf,
} from '@braid-swap/core/advanced'
import { ApiError, type ErrorCode, type Nearest } from '../errors.js'
import type { Discovery } from '../market/liveMarket.js'
import { namesOf } from '../tokens/names.js'
import type { TokenBook } from '../tokens/tokenBook.js'

/** What of an order would work, and the pools that are off the market. */
export function searchNearest(graph: Graph, order: PartialOrder, options: Options) {
  return { ...findNearest(graph, order, options), offMarket: poolsOffMarket(graph) }
}

/** The refusal of an order with its tokens by their symbols; `details.nearest` if that was searched. */
export async function inWords(
  error: BaseError,
  order: PartialOrder,
  {
    tokens,
    nearest,
    ...market
  }: {
    readonly tokens: Pick<TokenBook, 'read' | 'isKnown'>
    readonly nearest: ReturnType<typeof searchNearest> | undefined
    readonly snapshot: Snapshot
    readonly options: Options
    readonly discovery: Discovery | undefined
  },
): Promise<ApiError> {
  const { details } = error
  const named = [order.tokenIn, order.tokenOut, ...untrustedOf(details)]
  const texts = await namesOf(tokens, named)
  const words = { wordsOf: (token: Address) => texts?.get(token), nearest }
  const message = refusalWords(error, order, words)
  const more = nearest && { nearest: { ...textOf(nearest), leftOut: leftOut(nearest, market) } }
  return new ApiError(error.code as ErrorCode, message, { details, ...more, cause: error })
}

function textOf({ amountIn, amountOut, atLoss }: Found): Omit<Nearest, 'leftOut'> {
  const sale = (of: Found) => ({
    ...{ amount: `${of.amountIn}`, dstAmount: `${of.amountOut}` },
  })
  return {
    ...sale({ amountIn, amountOut }),
    ...(atLoss && { atLoss: { lossBps: atLoss.lossBps, ...sale(atLoss) } }),
  }
}

/** The pools that no route uses, by the reason. */
function leftOut(
  { offMarket }: Pick<ReturnType<typeof searchNearest>, 'offMarket'>,
  {
    snapshot,
    options,
    discovery,
  }: {
    readonly snapshot: Snapshot
    readonly options: Options
    readonly discovery: Discovery | undefined
  },
): Nearest['leftOut'] {
  return [
    ...countVenues(snapshot, options.excludedPools ?? new Set(), 'EXCLUDED_BY_REQUEST'),
    ...countVenues(snapshot, new Set(offMarket), 'PRICE_OFF_MARKET'),
    ...Object.entries(discovery?.setAside ?? {}).map(([reason, pools]) => ({ reason, pools })),
  ]
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
