import type { Address, Order } from '@braid-swap/core'
import type { Market } from './market.js'

/** One request, the same for every router. */
export type Request = {
  readonly id: string
  /** Label in the tables: a stratum, a notional, an adversarial case. */
  readonly label: string
  readonly order: Order
  /** Wei of native per gas. */
  readonly gasPrice: bigint
  /** Wei of the token out per gas: the one price of gas for routers and evaluator alike. */
  readonly gasCost: number
  /** Most hops of a route. */
  readonly maxLegs: number
  /** Most gas of the whole transaction; no limit if absent. */
  readonly maxGas?: number
}

/** No cap on hops. */
export const ANY_LEGS = Number.POSITIVE_INFINITY

/** Wei of native per gwei. */
const GWEI = 1e9

/** Price of one gas in wei of `tokenOut`, at the market's reference prices; 0 if unpriced. */
function gasCostOf(market: Market, tokenOut: Address, gasPrice: bigint): number {
  const price = market.prices.priceOf.get(tokenOut)
  return price === undefined ? 0 : Number(gasPrice) / price
}

/** A request at a gas price in gwei. */
export function toRequest(
  market: Market,
  ask: {
    readonly id: string
    readonly label: string
    readonly order: Order
    readonly gwei: number
    readonly maxLegs?: number
    readonly maxGas?: number
  },
): Request {
  const gasPrice = BigInt(Math.round(ask.gwei * GWEI))
  return {
    id: ask.id,
    label: ask.label,
    order: ask.order,
    gasPrice,
    gasCost: gasCostOf(market, ask.order.tokenOut, gasPrice),
    maxLegs: ask.maxLegs ?? ANY_LEGS,
    ...(ask.maxGas !== undefined && { maxGas: ask.maxGas }),
  }
}
