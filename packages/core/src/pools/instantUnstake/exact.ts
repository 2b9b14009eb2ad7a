import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { InstantUnstakePool } from './pool.js'

const BIPS = 10_000n
const ONE = 10n ** 18n

/**
 * Exact output of `instantUnstake`; `0n` for the other direction, if the pool has too little, or if the state
 * is not of the last block.
 *
 *   fee = ⌊a·feeRateBps / 10⁴⌋,  out = ⌊(a − fee)·rate / 10¹⁸⌋
 *   what `previewInstantUnstake` answers, with which the loader compares it
 */
export function getAmountOut(
  pool: InstantUnstakePool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  const { buffer, minAmountIn } = pool
  if (direction.in !== 0 || amountIn <= 0n || amountIn < minAmountIn || !isFresh(pool)) return 0n
  const amountOut = previewInstantUnstake(pool, amountIn)
  return amountOut <= buffer ? amountOut : 0n
}

/**
 * The pool without anything to pay. Part of a fee is burnt, which raises the rate, and how it is rounded is not
 * published, so what a second swap in the same block pays is not known to the wei.
 */
export function applySwap(
  pool: InstantUnstakePool,
  direction: Direction,
  amountIn: bigint,
): InstantUnstakePool {
  return getAmountOut(pool, direction, amountIn) === 0n ? pool : { ...pool, buffer: 0n }
}

/** Returns whether the pool has nothing to pay. */
export function isEmpty({ buffer }: InstantUnstakePool): boolean {
  return buffer === 0n
}

/** What the rate and the fee give for `amountIn`, whatever the pool has. */
export function previewInstantUnstake(
  { rate, feeRateBps }: Pick<InstantUnstakePool, 'rate' | 'feeRateBps'>,
  amountIn: bigint,
): bigint {
  const fee = (amountIn * BigInt(feeRateBps)) / BIPS
  return ((amountIn - fee) * rate) / ONE
}

/** The largest input whose output the pool has. */
export function largestInput({ rate, feeRateBps, buffer }: InstantUnstakePool): bigint {
  const net = ((buffer + 1n) * ONE - 1n) / rate
  return (net * BIPS) / (BIPS - BigInt(feeRateBps))
}
