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

const known = new WeakMap<Graph, Map<Address, Prices>>()

/**
 * Prices of a token from our own quotes against the first of `usdTokens` that gives a trusted one, at a
 * notional of 1,000 USD: buying spends that much, selling gives back what it bought. A price whose
 * impact exceeds 5 % is null. Computed once per market state.
 */
export function pricesOf(graph: Graph, token: Address, usdTokens: readonly Address[]): Prices {
  const ofGraph = known.get(graph) ?? new Map<Address, Prices>()
  known.set(graph, ofGraph)
  const remembered = ofGraph.get(token)
  if (remembered) return remembered
  const prices = findPrices(graph, token, usdTokens)
  ofGraph.set(token, prices)
  return prices
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
