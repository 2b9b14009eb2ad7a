/**
 * Dollars for an order. Both sides are valued by one price of one token, and by the rates of the
 * quote itself: what is received at that price, what is paid at the rates before the order. So the
 * two differ by the price impact and by nothing else, whatever the market did since a price was read.
 */
import type { Address } from '@braid-swap/core'
import type { PageOrder } from './order.js'
import { type Tokens, toFloat } from './text.js'

/** Dollars for one whole token, by address. */
export type Prices = ReadonlyMap<Address, number>

/** What both sides of a quoted order are worth in dollars, each where it can be told. */
export type Worth = {
  readonly pay?: number
  readonly receive?: number
  /** Dollars for one whole token received. */
  readonly perDst?: number
}

/** Values an order by its quote; `spotDstAmount` (wei) is what the rates before the order bring. */
export function worthOf(
  order: PageOrder,
  quote: { readonly dstAmount: bigint; readonly spotDstAmount: bigint | undefined },
  by: {
    readonly prices: Prices
    readonly tokens: Tokens
    /** Tokens that stand for dollars, the most trusted first. */
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

/** The side whose price is the surest: a dollar, else what is received, else what is paid. */
function anchorOf(
  { src, dst }: PageOrder,
  { prices, usdTokens }: { readonly prices: Prices; readonly usdTokens: readonly Address[] },
): Address | undefined {
  const sides = [dst, src].filter((token) => prices.has(token))
  return usdTokens.find((usd) => sides.includes(usd)) ?? sides[0]
}
