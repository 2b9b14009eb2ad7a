/**
 * The caller's own terms of a swap. Input: options and tokens. Output: what is sold or bought, and
 * the limit on the other side. An amount to sell has a floor of the output; for an amount to buy,
 * that amount is the floor, and the limit is the most input that the caller accepts.
 */
import { parseAmount } from '@braid-swap/client'
import type { ExactOutOrder, Order } from '@braid-swap/core'
import { type OwnLimit, UsageError } from '../errors.js'
import { type OrderOptions, readExactOut, readOrder } from '../sources/order.js'
import { type ListedToken, resolveToken } from '../sources/tokens.js'
import { type FloorOptions, RATE_DECIMALS, readFloor } from './ownFloor.js'

/** The options for the order and for the limit that the caller accepts. */
export type TermOptions = OrderOptions & FloorOptions & { readonly maxAmountIn?: string }

/** An order with the caller's limit in wei; `undefined` if the options have none. */
export type OwnTerms =
  | { readonly order: Order; readonly ownFloor: bigint | undefined }
  | { readonly wanted: ExactOutOrder; readonly ownMaximum: bigint | undefined }

/** The order of the terms, as the client takes it. */
export function orderOf(terms: OwnTerms) {
  const { tokenIn: src, tokenOut: dst } = 'order' in terms ? terms.order : terms.wanted
  return 'order' in terms
    ? { src, dst, amount: terms.order.amountIn }
    : { src, dst, dstAmountExact: terms.wanted.amountOut }
}

/** True if the options set a limit. */
export function saysLimit({ min, minWei, minRate, maxAmountIn }: TermOptions): boolean {
  return [min, minWei, minRate, maxAmountIn].some((value) => value !== undefined)
}

/** The kind of the caller's own limit: on the output, or for a wanted output on the input. */
export function limitOf({ amountOut }: TermOptions): OwnLimit {
  return amountOut === undefined ? 'floor' : 'maximum'
}

/** Reads the terms. Throws USAGE, BAD_AMOUNT, UNKNOWN_TOKEN, AMBIGUOUS_TOKEN. */
export function readTerms(options: TermOptions, tokens: readonly ListedToken[]): OwnTerms {
  const wanted = readExactOut(options, tokens)
  if (wanted) return { wanted, ownMaximum: readMaximum(options, wanted, tokens) }
  if (options.maxAmountIn !== undefined) {
    throw new UsageError('--max-amount-in is for an amount to buy', {
      got: '--max-amount-in without --amount-out',
      wanted: '--min or --min-rate',
    })
  }
  const order = readOrder(options, tokens)
  return { order, ownFloor: readFloor(options, order, tokens) }
}

/**
 * The most input that the options accept for a wanted output, in wei of the token in, rounded down.
 * If both options are given, the lower one applies; if none is, `undefined`.
 */
function readMaximum(
  { min, minWei, minRate, maxAmountIn }: TermOptions,
  { tokenIn, tokenOut, amountOut }: ExactOutOrder,
  tokens: readonly ListedToken[],
): bigint | undefined {
  if (min !== undefined || minWei !== undefined) {
    throw new UsageError('--amount-out is the least output itself', {
      got: '--min and --amount-out',
      wanted: '--max-amount-in or --min-rate',
    })
  }
  const decimalsOf = (address: string) => resolveToken(address, tokens).decimals
  const limits: bigint[] = []
  if (maxAmountIn !== undefined) limits.push(parseAmount(maxAmountIn, decimalsOf(tokenIn)))
  if (minRate !== undefined) {
    const rate = parseAmount(minRate, RATE_DECIMALS) * 10n ** BigInt(decimalsOf(tokenOut))
    const scale = 10n ** BigInt(RATE_DECIMALS + decimalsOf(tokenIn))
    // A rate of zero would accept any input, so it is refused as the other zero is.
    limits.push(rate === 0n ? 0n : (amountOut * scale) / rate)
  }
  if (limits.some((limit) => limit === 0n)) {
    throw new UsageError('the most that you pay is zero', {
      wanted: '--max-amount-in or --min-rate above 0',
    })
  }
  return limits.length === 0 ? undefined : limits.reduce((a, b) => (a < b ? a : b))
}
