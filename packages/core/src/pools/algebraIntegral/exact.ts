import { type SaleEnd, walkTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { updateAdaptiveFee } from './fee.js'
import type { AlgebraIntegralPool } from './pool.js'

/** Reserves are uint128 in the contract: what does not fit is not taken. */
const MAX_UINT128 = (1n << 128n) - 1n

/** Exactly what the pool pays; `0n` where it would revert, pay nothing, or leave input over. */
export function getAmountOut(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  if (amountIn > MAX_UINT128) return 0n
  const end = walk(updateAdaptiveFee(pool), direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick, liquidity, and what the plugin wrote; the ticks themselves do not change. */
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
 * The pool's swap loop at the fee as it stands, for an exact input up to a price limit; `undefined`
 * where it reverts. Nothing but the list of ticks ends a step.
 * SwapCalculation._calculateSwap, integral-core@1.2.10
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
