/**
 * What the visitor agrees to with the button. Input: an order, its quote and the slippage. Output: the
 * amount that the swap sells and the least that it delivers. An amount to receive is the floor itself;
 * the swap then sells the quoted input raised by the slippage, because the router has no refund.
 */
import type { GraphEntry } from '@braid-swap/client'
import { parseSlippagePpm, raisedBy } from '@braid-swap/core'
import { type PageOrder, type Sale, saleAt } from '../order/order.js'
import { floorAtPercent } from './floor.js'

/** The amount sold and the least received, in wei. */
export type Agreed = { readonly sale: Sale; readonly floor: bigint }

/** Undefined if the slippage, in percent, is invalid. */
export function agreedOf(
  order: PageOrder,
  quote: {
    readonly dstAmount: bigint
    readonly srcAmount?: bigint | undefined
    readonly graph: readonly GraphEntry[]
  },
  slippage: string,
): Agreed | undefined {
  const sale = saleAt(order, quote)
  const ppm = parseSlippagePpm(slippage)
  if (!sale || ppm === undefined) return undefined
  if (order.dstAmountExact === undefined) {
    const floor = floorAtPercent(quote, slippage)
    return floor === undefined ? undefined : { sale, floor }
  }
  const route = quote.graph.map(({ from, to }) => ({ pool: { tokens: [from, to] } }))
  const amount = raisedBy({ amountIn: sale.amount, route }, BigInt(ppm))
  return { sale: { ...sale, amount }, floor: order.dstAmountExact }
}
