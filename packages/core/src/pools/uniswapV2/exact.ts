import type { Direction } from '../family.js'
import { reservesAfter } from '../pairReserves.js'
import type { UniswapV2Pool } from './pool.js'

export { isEmpty } from '../pairReserves.js'

const FEE_ONE = 1_000_000n
const MAX_UINT112 = (1n << 112n) - 1n

/**
 * Exact output of the pair; `0n` if its swap would revert.
 *
 * y = ⌊x·(1−φ)·Y / (X + x·(1−φ))⌋   UniswapV2Library.getAmountOut, v2-periphery@1.1.0-beta.0,
 * with the fee in parts per million: 997/1000 and 997000/1000000 give the same result.
 */
export function getAmountOut(pool: UniswapV2Pool, direction: Direction, amountIn: bigint): bigint {
  const reserveIn = pool.reserves[direction.in as 0 | 1]
  const reserveOut = pool.reserves[direction.out as 0 | 1]
  if (amountIn <= 0n || reserveIn === 0n || reserveOut === 0n) return 0n
  // The pair stores its balances as uint112 and reverts with OVERFLOW beyond.
  if (reserveIn + amountIn > MAX_UINT112) return 0n
  const amountInLessFee = amountIn * (FEE_ONE - BigInt(pool.feePpm))
  return (amountInLessFee * reserveOut) / (reserveIn * FEE_ONE + amountInLessFee)
}

/** The reserves after the swap: the whole input stays in the pair. */
export function applySwap(
  pool: UniswapV2Pool,
  direction: Direction,
  amountIn: bigint,
): UniswapV2Pool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  return { ...pool, reserves: reservesAfter(pool, direction, [amountIn, amountOut]) }
}
