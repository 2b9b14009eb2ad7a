import {
  type Address,
  BaseError,
  type Graph,
  type Hex,
  type Order,
  type Pool,
  priceImpactBps,
  type Quote,
  type QuoteOptions,
  quote,
} from '@braid-swap/core'
import { pricesOfTokens } from '@braid-swap/core/advanced'
import { toCurve } from '@braid-swap/core/families'
import { decimalsOf } from './decimals.js'

/** Buy and sell price of one whole token in USD; null if no trusted route gives a price. */
export type Prices = {
  readonly buyPriceUsd: number | null
  readonly sellPriceUsd: number | null
}

/** The notional of the quotes that prices come from. */
const NOTIONAL_USD = 1_000n
const MAX_IMPACT_BPS = 500
const SIGNIFICANT_DIGITS = 12
const NO_PRICES: Prices = { buyPriceUsd: null, sellPriceUsd: null }

/** Cache time of token responses, and so the maximum age of a price in a list, in seconds. */
export const PRICE_MAX_AGE_S = 30

/** The token of a price, and what it comes from. */
export type PriceAsked = {
  readonly token: Address
  /** Tokens worth one USD, the preferred first. */
  readonly usdTokens: readonly Address[]
  /** The only tokens that a price passes on its way. */
  readonly trusted: ReadonlySet<Address>
}

/** Runs the search for a price, {@link findPrices}, where it delays nobody. Rejects as a search does. */
export type FindPrices = (asked: PriceAsked) => Promise<Prices>

/** Prices of tokens. A price takes two solves, so prices are cached. */
export type PriceBook = {
  /** Exact for this market state. */
  readonly exact: (graph: Graph, token: Address, find: FindPrices) => Promise<Prices>
  /** At most half a minute old; undefined if none is known. */
  readonly recent: (token: Address) => Prices | undefined
}

/** What prices come from. */
export type PriceTerms = Omit<PriceAsked, 'token'> & {
  /** A steady clock in milliseconds. */
  readonly now: () => number
}

/** Prices that are found once for each market state. */
export function createPriceBook({ now, ...terms }: PriceTerms): PriceBook {
  const byGraph = new WeakMap<Graph, Map<Address, Prices>>()
  const recent = new Map<Address, { readonly prices: Prices; readonly atMs: number }>()
  const exact = async (graph: Graph, token: Address, find: FindPrices) => {
    const ofGraph = byGraph.get(graph) ?? new Map<Address, Prices>()
    byGraph.set(graph, ofGraph)
    const prices = ofGraph.get(token) ?? (await find({ token, ...terms }))
    ofGraph.set(token, prices)
    // Callers choose any address; only tokens of the market are cached across states.
    const isOfMarket = graph.snapshot.tokens.some(({ address }) => address === token)
    if (isOfMarket) recent.set(token, { prices, atMs: now() })
    return prices
  }
  const isRecent = ({ atMs }: { readonly atMs: number }) => now() - atMs < PRICE_MAX_AGE_S * 1_000
  return {
    exact,
    recent: (token) => {
      const last = recent.get(token)
      return last && isRecent(last) ? last.prices : undefined
    },
  }
}

/**
 * Prices from our own quotes against the first of `usdTokens` that gives a trusted price, at a notional
 * of 1,000 USD. Buying spends that amount; selling sells the bought tokens. A price whose impact
 * exceeds 5 % is null. A pool that cannot pay twice the notional takes no part, so that nobody moves a price with
 * a small one.
 */
export function findPrices(
  graph: Graph,
  { token, usdTokens, trusted }: PriceAsked,
  more: QuoteOptions,
): Prices {
  if (token === usdTokens[0]) return { buyPriceUsd: 1, sellPriceUsd: 1 }
  for (const usd of usdTokens) {
    const usdUnit = unitOf(graph, usd)
    const unit = unitOf(graph, token)
    if (usd === token || usdUnit === undefined || unit === undefined) continue
    const spent = NOTIONAL_USD * usdUnit
    const options = {
      onlyIntermediates: trusted,
      excludedPools: poolsBelow(graph, usd, 2n * spent),
      ...more,
    }
    const bought = tryQuote(graph, { tokenIn: usd, tokenOut: token, amountIn: spent }, options)
    if (!bought) continue
    const rest = { tokenIn: token, tokenOut: usd, amountIn: bought.amountOut }
    const sold = tryQuote(graph, rest, options)
    const perToken = (usdAmount: bigint) =>
      round(Number(usdAmount) / Number(usdUnit) / (Number(bought.amountOut) / Number(unit)))
    const buyPriceUsd = isTrusted(bought) ? perToken(spent) : null
    const sellPriceUsd = sold && isTrusted(sold) ? perToken(sold.amountOut) : null
    if (buyPriceUsd !== null || sellPriceUsd !== null) return { buyPriceUsd, sellPriceUsd }
  }
  return NO_PRICES
}

const capacities = new WeakMap<Pool, readonly number[]>()
/** More than any pool takes. */
const ENDLESS = 1e50

/** The most that a pool pays of each of its tokens, in raw units. */
function capacityOf(pool: Pool): readonly number[] {
  const known = capacities.get(pool)
  if (known) return known
  const numbers = pool.tokens.map((_, i) => i)
  const capacity = numbers.map((to) => {
    const outs = numbers.map((from) => {
      if (from === to) return 0
      const { out, limit } = toCurve(pool, { in: from, out: to })
      return out(Math.min(limit, ENDLESS))
    })
    return Math.max(...outs)
  })
  capacities.set(pool, capacity)
  return capacity
}

const smallPools = new WeakMap<Graph, Map<Address, ReadonlySet<Hex>>>()

/** The pools that cannot pay an amount of a token's worth, at the reference prices; wrapping is no pool. */
function poolsBelow(graph: Graph, usd: Address, amount: bigint): ReadonlySet<Hex> {
  const ofGraph = smallPools.get(graph) ?? new Map<Address, ReadonlySet<Hex>>()
  smallPools.set(graph, ofGraph)
  const known = ofGraph.get(usd)
  if (known) return known
  const prices = pricesOfTokens(graph)
  const least = Number(amount) * (prices.get(usd) ?? 0)
  const isBelow = (pool: Pool) => {
    const capacity = capacityOf(pool)
    return pool.tokens.every((token, i) => capacity[i]! * (prices.get(token) ?? 0) < least)
  }
  const { pools } = graph.snapshot
  const below = new Set(
    pools.filter((pool) => pool.family !== 'wrap' && isBelow(pool)).map(({ id }) => id),
  )
  ofGraph.set(usd, below)
  return below
}

function tryQuote(graph: Graph, order: Order, options: QuoteOptions): Quote | undefined {
  try {
    return quote(graph, order, options)
  } catch (error) {
    // No route or too little liquidity means no price.
    if (error instanceof BaseError) return undefined
    throw error
  }
}

function isTrusted(quoted: Quote): boolean {
  const impact = priceImpactBps(quoted, quoted.order)
  return impact !== null && impact <= MAX_IMPACT_BPS
}

/** Smallest units in one whole token. */
function unitOf({ snapshot }: Graph, address: Address): bigint | undefined {
  const decimals = decimalsOf(snapshot, address)
  return decimals === undefined ? undefined : 10n ** BigInt(decimals)
}

function round(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(SIGNIFICANT_DIGITS)) : null
}
