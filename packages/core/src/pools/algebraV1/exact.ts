import { type SaleEnd, sellAcrossTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { updateVolumeFee } from './fee.js'
import { addVolume } from './oracle.js'
import type { AlgebraV1Pool } from './pool.js'

/** Exact output of the pool; `0n` if it would revert, pay nothing, or leave input over. */
export function getAmountOut(pool: AlgebraV1Pool, direction: Direction, amountIn: bigint): bigint {
  const end = sellFrom(updateVolumeFee(pool), direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick, liquidity and oracle after the swap; the ticks do not change. */
export function applySwap(
  pool: AlgebraV1Pool,
  direction: Direction,
  amountIn: bigint,
): AlgebraV1Pool {
  const before = updateVolumeFee(pool)
  const end = sellFrom(before, direction.in === 0, amountIn)
  if (end?.remaining !== 0n || end.amountOut === 0n) return pool
  const { sqrtPriceX96, tick, liquidity } = end
  const oracle = addVolume(before.oracle, { amounts: [amountIn, end.amountOut], liquidity })
  return { ...before, sqrtPriceX96, tick, liquidity, oracle }
}

/**
 * The pool's swap loop at its current fee, for an exact input up to a price limit; `undefined` if
 * it reverts. A step ends at every row of 256 bits. AlgebraPool._calculateSwapAndLock,
 * v1-core@1.0.0
 */
export function sellFrom(
  pool: AlgebraV1Pool,
  zeroForOne: boolean,
  amountIn: bigint,
  limitX96?: bigint,
): SaleEnd | undefined {
  const { feePpm, ticksPerBit } = pool
  return sellAcrossTicks(pool, { zeroForOne, amountIn, feePpm, ticksPerBit, limitX96 })
}

/** Returns whether no position has liquidity, in range or out of it. */
export function isEmpty({ ticks }: AlgebraV1Pool): boolean {
  return ticks.length === 0
}
