import {
  type Address,
  BaseError,
  type Graph,
  type Order,
  type Quote,
  quote,
} from '@braid-swap/core'
import { decimalsOf } from './marketTokens.js'
import { priceImpactBps } from './quoting.js'

/** What one whole token costs and brings in USD, both null where no trusted path tells. */
export type Prices = {
  readonly buyPriceUsd: number | null
  readonly sellPriceUsd: number | null
}

/** The notional that prices are stated at. */
const NOTIONAL_USD = 1_000n
const MAX_IMPACT_BPS = 500
const SIGNIFICANT_DIGITS = 12
const NO_PRICES: Prices = { buyPriceUsd: null, sellPriceUsd: null }

/** What answers about tokens may be kept for, and so what a price may be old in a list. */
export const PRICES_STAND_S = 30

/** Prices of tokens; a price takes two searches, so what was computed is remembered. */
export type PriceBook = {
  /** In this very market state. */
  readonly now: (graph: Graph, token: Address) => Prices
  /** At most half a minute old; computed if there is none and there `isTime`, else undefined. */
  readonly lately: (graph: Graph, token: Address, isTime: () => boolean) => Prices | undefined
}

/**
 * Prices from our own quotes against the first of `usdTokens` that gives a trusted one, at a notional
 * of 1,000 USD: buying spends that much, selling gives back what it bought. A price whose impact
 * exceeds 5 % is null.
 */
export function createPriceBook(usdTokens: readonly Address[], now: () => number): PriceBook {
  const exact = new WeakMap<Graph, Map<Address, Prices>>()
  const recent = new Map<Address, { readonly prices: Prices; readonly atMs: number }>()
  const priceNow = (graph: Graph, token: Address) => {
    const ofGraph = exact.get(graph) ?? new Map<Address, Prices>()
    exact.set(graph, ofGraph)
    const prices = ofGraph.get(token) ?? findPrices(graph, token, usdTokens)
    ofGraph.set(token, prices)
    // Any address may be asked for; only those of the market are remembered longer.
    if (graph.tokenNumber.has(token)) recent.set(token, { prices, atMs: now() })
    return prices
  }
  const priceLately = (graph: Graph, token: Address, isTime: () => boolean) => {
    const last = recent.get(token)
    if (last && now() - last.atMs < PRICES_STAND_S * 1_000) return last.prices
    return isTime() ? priceNow(graph, token) : undefined
  }
  return { now: priceNow, lately: priceLately }
}

function findPrices(graph: Graph, token: Address, usdTokens: readonly Address[]): Prices {
  if (token === usdTokens[0]) return { buyPriceUsd: 1, sellPriceUsd: 1 }
  for (const usd of usdTokens) {
    const usdUnit = unitOf(graph, usd)
    const unit = unitOf(graph, token)
    if (usd === token || usdUnit === undefined || unit === undefined) continue
    const spent = NOTIONAL_USD * usdUnit
    const bought = tryQuote(graph, { tokenIn: usd, tokenOut: token, amountIn: spent })
    if (!bought) continue
    const rest = { tokenIn: token, tokenOut: usd, amountIn: bought.amountOut }
    const sold = tryQuote(graph, rest)
    const perToken = (usdAmount: bigint) =>
      round(Number(usdAmount) / Number(usdUnit) / (Number(bought.amountOut) / Number(unit)))
    const buyPriceUsd = isTrusted(bought) ? perToken(spent) : null
    const sellPriceUsd = sold && isTrusted(sold) ? perToken(sold.amountOut) : null
    if (buyPriceUsd !== null || sellPriceUsd !== null) return { buyPriceUsd, sellPriceUsd }
  }
  return NO_PRICES
}

function tryQuote(graph: Graph, order: Order): Quote | undefined {
  try {
    return quote(graph, order)
  } catch (error) {
    // No route, too little liquidity: no price.
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
