/**
 * Computes the terms that the visitor agrees to with the button. Input: an order, its quote and the
 * slippage. Output: the amount that the swap sells and the least that it delivers. An amount to receive is the floor itself;
 * the swap then sells the quoted input raised by the slippage, because the router has no refund.
 */
import { type GraphEntry, type Meta, type NetworkFee, networkFeeLimit } from '@braid-swap/client'
import { parseSlippagePpm } from '@braid-swap/core'
import { floorOf, raisedBy } from '@braid-swap/core/advanced'
import { AUTO, type PageOrder, type Sale, saleAt } from './order.js'

const BPS_PER_PERCENT = 100

/** The amount sold and the least received, in wei, at a slippage in percent, and what gas may cost. */
export type Agreed = {
  readonly sale: Sale
  readonly floor: bigint
  readonly slippage: string
  readonly fee: NetworkFee
}

/**
 * `asked` is a slippage in percent or {@link AUTO}. Undefined if it is invalid, or if it is `auto` and
 * the quote has no suggestion.
 */
export function agreedOf(
  order: PageOrder,
  quote: {
    readonly dstAmount: bigint
    readonly srcAmount?: bigint | undefined
    readonly graph: readonly GraphEntry[]
    readonly gas: bigint
    readonly meta: Pick<Meta, 'suggestedSlippageBps' | 'gasPrice' | 'gasCostInDst'>
  },
  asked: string,
): Agreed | undefined {
  const sale = saleAt(order, quote)
  const suggestedBps = quote.meta.suggestedSlippageBps
  const slippage =
    asked === AUTO && suggestedBps !== undefined ? `${suggestedBps / BPS_PER_PERCENT}` : asked
  const ppm = parseSlippagePpm(slippage)
  if (!sale || ppm === undefined) return undefined
  const route = quote.graph.map(({ from, to }) => ({ pool: { tokens: [from, to] } }))
  const { gas, dstAmount, meta } = quote
  const fee = networkFeeLimit(sale, { ...meta, gas, dstAmount, gasPrice: meta.gasPrice ?? 0n })
  if (order.dstAmountExact === undefined) {
    const floor = floorOf({ amountOut: quote.dstAmount, route }, BigInt(ppm))
    return { sale, floor, slippage, fee }
  }
  const amount = raisedBy({ amountIn: sale.amount, route }, BigInt(ppm))
  return { sale: { ...sale, amount }, floor: order.dstAmountExact, slippage, fee }
}
