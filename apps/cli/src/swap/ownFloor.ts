import { decodeRouterCall, divUp, encodeRouterCall, type Order } from '@braid-swap/core'
import { parseAmount } from '@braid-swap/draw'
import { UsageError } from '../errors.js'
import { type ListedToken, resolveToken } from '../sources/tokens.js'
import type { SwapTransaction } from './transaction.js'

// The floor of a quote is the opinion of the one who quoted. The caller's own floor is what the caller
// says, or what the caller's own node says: a swap below it is refused, and one above it carries it.

/** The options by which a caller says the least that must come out. */
export type FloorOptions = { readonly min?: string; readonly minRate?: string }

const RATE_DECIMALS = 36

/** Whether the options say the least that must come out. */
export function saysFloor({ min, minRate }: FloorOptions): boolean {
  return min !== undefined || minRate !== undefined
}

/**
 * The least that the options accept for an order, in wei of the token out, rounded up: the higher one
 * where both are given, `undefined` where none is. Throws USAGE, BAD_AMOUNT.
 */
export function readFloor(
  { min, minRate }: FloorOptions,
  { tokenIn, tokenOut, amountIn }: Order,
  tokens: readonly ListedToken[],
): bigint | undefined {
  const decimalsOf = (address: string) => resolveToken(address, tokens).decimals
  const floors = [
    ...(min === undefined ? [] : [parseAmount(min, decimalsOf(tokenOut))]),
    ...(minRate === undefined
      ? []
      : [
          divUp(
            amountIn * parseAmount(minRate, RATE_DECIMALS) * 10n ** BigInt(decimalsOf(tokenOut)),
            10n ** BigInt(RATE_DECIMALS + decimalsOf(tokenIn)),
          ),
        ]),
  ]
  if (floors.some((floor) => floor === 0n)) {
    throw new UsageError('a floor of nothing is none', { wanted: '--min or --min-rate above 0' })
  }
  return floors.length === 0 ? undefined : floors.reduce((a, b) => (a > b ? a : b))
}

/** The same transaction with a floor of at least `minAmountOut` wei. */
export function raiseFloor(tx: SwapTransaction, minAmountOut: bigint): SwapTransaction {
  const call = decodeRouterCall(tx.data)
  if (call.minAmountOut >= minAmountOut) return tx
  return { ...tx, data: encodeRouterCall({ ...call, minAmountOut }) }
}
