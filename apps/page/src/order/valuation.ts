/**
 * Values both sides of an order in dollars. One token's price values one side; the quote's own
 * rates before the order convert it to the other side. The two values therefore differ only by the
 * price impact, even if the market has moved since the price was read.
 */
import type { Address } from '@braid-swap/core'
import { type Tokens, toFloat } from '../format.js'
import type { Sale } from './order.js'

/** Dollars for one whole token, by address. */
export type Prices = ReadonlyMap<Address, number>

/** The dollar values of both sides of a quoted order; a side is absent if its value is unknown. */
export type Worth = {
  readonly pay?: number
  readonly receive?: number
  /** Dollars for one whole token received. */
  readonly perDst?: number
}

/** Values what an order sells; `spotDstAmount` (wei) is the output at the rates before the order. */
export function worthOf(
  order: Sale,
  quote: { readonly dstAmount: bigint; readonly spotDstAmount: bigint | undefined },
  by: {
    readonly prices: Prices
    readonly tokens: Tokens
    /** Stablecoins that count as one dollar, the most trusted first. */
    readonly usdTokens: readonly Address[]
  },
): Worth {
  const [src, dst] = [by.tokens.get(order.src), by.tokens.get(order.dst)]
  const anchor = anchorOf(order, by)
  const price = anchor && by.prices.get(anchor)
  if (!src || !dst || price === undefined) return {}
  const received = toFloat(quote.dstAmount, dst.decimals)
  const spot = quote.spotDstAmount && toFloat(quote.spotDstAmount, dst.decimals)
  if (anchor === order.dst) {
    return { receive: received * price, perDst: price, ...(spot && { pay: spot * price }) }
  }
  const pay = toFloat(order.amount, src.decimals) * price
  if (!spot) return { pay }
  return { pay, receive: pay * (received / spot), perDst: pay / spot }
}

/** The token with the most reliable price: a dollar token, else the output, else the input. */
function anchorOf(
  { src, dst }: Sale,
  { prices, usdTokens }: { readonly prices: Prices; readonly usdTokens: readonly Address[] },
): Address | undefined {
  const sides = [dst, src].filter((token) => prices.has(token))
  return usdTokens.find((usd) => sides.includes(usd)) ?? sides[0]
}
