import type { Direction } from '../family.js'
import { reservesAfter } from '../pairReserves.js'
import { isFresh } from '../sampled.js'
import { convertToToken0, convertToToken1, feeBipsOf } from './fee.js'
import type { StexPool } from './pool.js'

export { isEmpty } from '../pairReserves.js'

const BIPS = 10_000n

/**
 * Exact output of the pool; `0n` if it would revert, or if the state is not of the last block.
 *
 *   n = ⌊a·10⁴ / (10⁴ + fee)⌋,  out = ⌊n·rate/10¹⁸⌋, or ⌊n·10¹⁸/rate⌋ for token 1 without a fee
 *   SovereignPool.swap, valantis-core; STEXAMM.getLiquidityQuote, valantis-stex
 */
export function getAmountOut(pool: StexPool, direction: Direction, amountIn: bigint): bigint {
  return swapOf(pool, direction, amountIn)?.amountOut ?? 0n
}

/** The pool after that swap; the manager's share of the fee does not stay in the reserves. */
export function applySwap(pool: StexPool, direction: Direction, amountIn: bigint): StexPool {
  const swap = swapOf(pool, direction, amountIn)
  if (!swap) return pool
  const kept = amountIn - (swap.fee * BigInt(pool.poolManagerFeeBips)) / BIPS
  return { ...pool, reserves: reservesAfter(pool, direction, [kept, swap.amountOut]) }
}

// No product exceeds 256 bits before the output exceeds the reserve: the loader bounds all of them.
function swapOf(
  pool: StexPool,
  direction: Direction,
  amountIn: bigint,
): { readonly amountOut: bigint; readonly fee: bigint } | undefined {
  if (amountIn <= 0n || pool.isPaused || !isFresh(pool)) return undefined
  const isZeroToOne = direction.in === 0
  const feeBips = isZeroToOne ? feeBipsOf(pool, amountIn) : 0n
  if (feeBips === undefined) return undefined
  const net = (amountIn * BIPS) / (BIPS + feeBips)
  const amountOut = isZeroToOne ? convertToToken1(pool, net) : convertToToken0(pool, net)
  if (amountOut === 0n || amountOut > pool.reserves[direction.out]!) return undefined
  return { amountOut, fee: amountIn - net }
}
