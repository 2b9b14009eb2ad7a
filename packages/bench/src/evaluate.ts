import { type PlannedHop, replay, transactionGasOf } from '@braid-swap/core/advanced'
import type { Request } from './request.js'

/** Exact output and gas of a route, with the rounding of the executor. */
export type Evaluation = {
  readonly gross: bigint
  readonly gas: number
  /** `gross` less the gas at the request's price, in wei of the token out; may be negative. */
  readonly net: bigint
  readonly legs: number
}

/**
 * Evaluates the route of any router: replays the hops exactly and charges their gas at the
 * request's price. `undefined` if there is no route, it would revert, or it is longer than the
 * request allows.
 */
export function evaluate(
  request: Request,
  hops: readonly PlannedHop[] | undefined,
): Evaluation | undefined {
  if (!hops || hops.length === 0 || hops.length > request.maxLegs) return undefined
  const replayed = replay(hops, request.order)
  if (!replayed) return undefined
  const gas = transactionGasOf(replayed.route)
  if (request.maxGas !== undefined && gas > request.maxGas) return undefined
  const net = replayed.amountOut - BigInt(Math.round(gas * request.gasCost))
  return { gross: replayed.amountOut, gas, net, legs: replayed.route.length }
}

/**
 * Returns true if an order is beyond the end of the market along some hops: they revert, or its last fifth adds less than
 * a thousandth. The router refuses such orders, because their last part is given away.
 */
export function isBeyondEnd({ order }: Request, hops: readonly PlannedHop[]): boolean {
  const whole = replay(hops, order)
  const less = replay(hops, { ...order, amountIn: (4n * order.amountIn) / 5n })
  return (
    !whole || (less !== undefined && (whole.amountOut - less.amountOut) * 1_000n < whole.amountOut)
  )
}

/** Compares two net outputs; a tie is a difference of at most 0.01 bp or one wei. */
export function compareNets(ours: bigint, theirs: bigint): 'win' | 'tie' | 'loss' {
  const difference = ours - theirs
  const size = difference < 0n ? -difference : difference
  const scale = magnitude(ours) > magnitude(theirs) ? magnitude(ours) : magnitude(theirs)
  if (size <= 1n || size * 1_000_000n <= scale) return 'tie'
  return difference > 0n ? 'win' : 'loss'
}

/** The excess of `value` over `base` in basis points of `base`; 0 for a base of 0. */
export function bpsAbove(value: bigint, base: bigint): number {
  if (base === 0n) return 0
  return (Number(value - base) / Math.abs(Number(base))) * 10_000
}

function magnitude(x: bigint): bigint {
  return x < 0n ? -x : x
}
