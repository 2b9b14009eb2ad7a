/**
 * The fields of CoW Protocol's solver-engine API that a solver of single orders needs. Other fields are
 * ignored, because the protocol adds some from time to time.
 */
import { type Address, NATIVE } from '@braid-swap/core'
import { z } from 'zod'

const address = z
  .string()
  .regex(/^0x[a-fA-F0-9]{40}$/)
  .transform((text) => text.toLowerCase() as Address)
/** An amount in the smallest unit, as a decimal string. */
const amount = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)

const order = z.object({
  uid: z.string().regex(/^0x[a-fA-F0-9]{112}$/),
  sellToken: address,
  buyToken: address,
  /** The amount left to fill, and the signed one; they differ for a partly filled order. */
  sellAmount: amount,
  fullSellAmount: amount.optional(),
  buyAmount: amount,
  fullBuyAmount: amount.optional(),
  kind: z.enum(['sell', 'buy']),
})

/** An auction of the solver-engine API. */
export const auctionSchema = z.object({
  /** Null if it only asks for a price. */
  id: z.string().nullable(),
  tokens: z.record(
    z.string(),
    z.object({
      /** Wei of the native token for 10^18 of the token's smallest unit. */
      referencePrice: amount.nullish(),
    }),
  ),
  orders: z.array(order),
  /** Wei per gas. */
  effectiveGasPrice: amount,
  deadline: z.iso.datetime({ offset: true }),
})

/** An auction as it is solved. */
export type Auction = z.output<typeof auctionSchema>
/** An order of an auction. */
export type AuctionOrder = Auction['orders'][number]

/** The price of a token in an auction; `undefined` if the auction has none. */
export function referencePriceOf({ tokens }: Auction, token: Address): bigint | undefined {
  const found = Object.entries(tokens).find(([name]) => name.toLowerCase() === token)
  return found?.[1].referencePrice ?? undefined
}

/** True if the order buys the native token, which the settlement contract would have to unwrap. */
export const buysNative = ({ buyToken }: AuctionOrder): boolean => buyToken === NATIVE
