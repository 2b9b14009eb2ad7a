import { type SaleEnd, walkTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { updateAdaptiveFee } from './fee.js'
import type { AlgebraIntegralPool } from './pool.js'

/** Reserves are uint128 in the contract, so larger inputs are refused. */
const MAX_UINT128 = (1n << 128n) - 1n

/** Exact output of the pool; `0n` if it would revert, pay nothing, or leave input over. */
export function getAmountOut(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  if (amountIn > MAX_UINT128) return 0n
  const end = walk(updateAdaptiveFee(pool), direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick, liquidity and the plugin's state after the swap; the ticks do not change. */
export function applySwap(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): AlgebraIntegralPool {
  if (amountIn > MAX_UINT128) return pool
  const before = updateAdaptiveFee(pool)
  const end = walk(before, direction.in === 0, amountIn)
  if (end?.remaining !== 0n || end.amountOut === 0n) return pool
  return { ...before, sqrtPriceX96: end.sqrtPriceX96, tick: end.tick, liquidity: end.liquidity }
}

/**
 * The pool's swap loop at its current fee, for an exact input up to a price limit; `undefined` if
 * it reverts. Only initialised ticks end a step. SwapCalculation._calculateSwap,
 * integral-core@1.2.10
 */
export function walk(
  pool: AlgebraIntegralPool,
  zeroForOne: boolean,
  amountIn: bigint,
  limitX96?: bigint,
): SaleEnd | undefined {
  const { feePpm } = pool
  return walkTicks(pool, { zeroForOne, amountIn, feePpm, ticksPerBit: undefined, limitX96 })
}
