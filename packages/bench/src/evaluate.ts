import { gasOf, type PlannedHop, replay } from '@braid-swap/core'
import type { Request } from './request.js'

/** What a route is worth, to the wei, by the executor's own rounding. */
export type Evaluation = {
  readonly gross: bigint
  readonly gas: number
  /** `gross` less the gas at the request's price, in wei of the token out; may be negative. */
  readonly net: bigint
  readonly legs: number
}

/**
 * The one judge of every router: replays the hops exactly and charges their gas at the request's
 * price. `undefined` for no route, one that would revert, or one longer than the request allows.
 */
export function evaluate(
  request: Request,
  hops: readonly PlannedHop[] | undefined,
): Evaluation | undefined {
  if (!hops || hops.length === 0 || hops.length > request.maxLegs) return undefined
  const walked = replay(hops, request.order)
  if (!walked) return undefined
  const gas = gasOf(walked.route)
  const net = walked.amountOut - BigInt(Math.round(gas * request.gasCost))
  return { gross: walked.amountOut, gas, net, legs: walked.route.length }
}

/** Which of two net outputs is the better, a tie being at most 0.01 bp or one wei apart. */
export function compareNets(ours: bigint, theirs: bigint): 'win' | 'tie' | 'loss' {
  const difference = ours - theirs
  const size = difference < 0n ? -difference : difference
  const scale = magnitude(ours) > magnitude(theirs) ? magnitude(ours) : magnitude(theirs)
  if (size <= 1n || size * 1_000_000n <= scale) return 'tie'
  return difference > 0n ? 'win' : 'loss'
}

/** How far `value` is above `base` in basis points of `base`; 0 for a base of 0. */
export function bpsAbove(value: bigint, base: bigint): number {
  if (base === 0n) return 0
  return (Number(value - base) / Math.abs(Number(base))) * 10_000
}

function magnitude(x: bigint): bigint {
  return x < 0n ? -x : x
}
