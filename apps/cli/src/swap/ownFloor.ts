import { parseAmount } from '@braid-swap/client'
import { decodeRouterCall, encodeRouterCall, type Hex, type Order } from '@braid-swap/core'
import { divUp } from '@braid-swap/core/families'
import { UsageError } from '../errors.js'
import { type ListedToken, resolveToken } from '../sources/tokens.js'

// A quote's floor is only the opinion of its source. The caller's own floor comes from the caller's
// options or from the caller's own node. A swap that promises less is refused; in any other swap, the
// floor is raised to it.

/** The options for the least output that the caller accepts. */
export type FloorOptions = {
  readonly min?: string
  /** In wei, so that nobody's decimals matter. */
  readonly minWei?: string
  readonly minRate?: string
}

/** The decimals of a rate in options. */
export const RATE_DECIMALS = 36

/**
 * The least output that the options accept for an order, in wei of the token out, rounded up. If both
 * options are given, the higher floor applies; if none is, `undefined`. Throws USAGE, BAD_AMOUNT.
 */
export function readFloor(
  { min, minWei, minRate }: FloorOptions,
  { tokenIn, tokenOut, amountIn }: Order,
  tokens: readonly ListedToken[],
): bigint | undefined {
  const decimalsOf = (address: string) => resolveToken(address, tokens).decimals
  const floors = [
    ...(min === undefined ? [] : [parseAmount(min, decimalsOf(tokenOut))]),
    ...(minWei === undefined ? [] : [parseAmount(minWei, 0)]),
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
    throw new UsageError('the floor is zero', { wanted: '--min, --min-wei or --min-rate above 0' })
  }
  return floors.length === 0 ? undefined : floors.reduce((a, b) => (a > b ? a : b))
}

/** The same transaction with a floor of at least `minAmountOut` wei. */
export function raiseFloor<T extends { readonly data: Hex }>(tx: T, minAmountOut: bigint): T {
  const call = decodeRouterCall(tx.data)
  if (call.minAmountOut >= minAmountOut) return tx
  return { ...tx, data: encodeRouterCall({ ...call, minAmountOut }) }
}
