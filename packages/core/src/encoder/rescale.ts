// Calldata of another amount. A program holds shares and no amounts, so a caller that learns the
// amount only at execution, such as a contract that swaps what it holds, changes two words of the
// calldata and nothing else.

import { BaseError } from '../errors.js'
import { mulDivUp } from '../math/fullMath.js'
import { decodeRouterCall, encodeRouterCall, type RouterCall } from './calldata.js'
import { lessRate } from './leastRate.js'
import { decodeProgram, encodeHops } from './program.js'
import { nativeValueOf, type SwapCall } from './swapCall.js'

/** The new amounts of a swap, in wei. */
export type RescaledAmounts = {
  readonly amountIn: bigint
  /** By default the old floor in proportion to the amounts, rounded up. */
  readonly minAmountOut?: bigint
}

/**
 * The same swap of another amount: only `amountIn`, the floor and the native value change. The shares
 * of a route are best for the amount that was quoted, and pools pay a lower rate for a larger amount,
 * so with the floor in proportion a larger amount may revert, and never pays below the quoted rate.
 * A floor below the proportion lowers the least rates of hops by the same part.
 *
 * Throws BAD_CALLDATA, BAD_PROGRAM, BAD_CALL for an amount or a floor that cannot be encoded, and
 * {@link CannotRescaleError} for one of 0, and for a swap paid by a signature, which covers one amount.
 *
 * @example const { data } = rescale(tx, { amountIn: 3n * 10n ** 18n })
 */
export function rescale(swap: SwapCall, { amountIn, minAmountOut }: RescaledAmounts): SwapCall {
  const call = decodeRouterCall(swap.data)
  if (call.payment) {
    throw new CannotRescaleError('a signature pays exactly one amount', { by: call.payment.by })
  }
  if (call.amountIn === 0n) throw new CannotRescaleError('the amount in is zero', {})
  const floor = minAmountOut ?? mulDivUp(call.minAmountOut, amountIn, call.amountIn)
  if (amountIn === 0n || floor === 0n) {
    throw new CannotRescaleError('the new amount and the floor must be above zero', {
      ...{ amountIn: `${amountIn}`, minAmountOut: `${floor}` },
    })
  }
  // The old floor is for the old amount.
  const kept = [floor * call.amountIn, call.minAmountOut * amountIn] as const
  const program = kept[0] < kept[1] ? withLessRates(call, kept) : call.program
  const rescaled = { ...call, amountIn, minAmountOut: floor, program }
  return { to: swap.to, data: encodeRouterCall(rescaled), value: nativeValueOf(rescaled) }
}

function withLessRates(call: RouterCall, kept: readonly [bigint, bigint]) {
  const { hops, fee } = decodeProgram(call.program, call)
  const lowered = hops.map(({ leastRate, ...hop }) => {
    const less = leastRate && lessRate(leastRate, kept)
    return less ? { ...hop, leastRate: less } : hop
  })
  return encodeHops(lowered, call, fee)
}

/** The swap has no meaning for another amount. */
export class CannotRescaleError extends BaseError {
  readonly code = 'CANNOT_RESCALE'
}
