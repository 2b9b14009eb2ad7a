import { type SaleEnd, sellAcrossTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { feePpmOf } from './fee.js'
import { writeObservation } from './oracle.js'
import type { UniswapV3Pool } from './pool.js'

/** Exact output of the pool; `0n` if it would revert, pay nothing, or leave input over. */
export function getAmountOut(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): bigint {
  const end = sellFrom(pool, direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick and liquidity after the swap; the ticks themselves do not change. */
export function applySwap(
  pool: UniswapV3Pool,
  direction: Direction,
  amountIn: bigint,
): UniswapV3Pool {
  // The fee takes the whole input, as of the one wei by which the least gas is estimated.
  if (amountIn * BigInt(1_000_000 - feePpmOf(pool)) < 1_000_000n) return pool
  const end = sellFrom(pool, direction.in === 0, amountIn)
  if (end?.remaining !== 0n || end.amountOut === 0n) return pool
  const { sqrtPriceX96, tick, liquidity } = end
  const moved = { ...pool, sqrtPriceX96, tick, liquidity }
  return tick === pool.tick ? moved : withObservation(moved, pool)
}

/** Writes `before.tick` to the oracle of a pool with a dynamic fee, after the tick has changed. */
function withObservation(pool: UniswapV3Pool, before: UniswapV3Pool): UniswapV3Pool {
  const { dynamicFee, quotedAt } = pool
  if (!dynamicFee || quotedAt === undefined) return pool
  const write = { timestamp: quotedAt, tick: before.tick, keepSeconds: dynamicFee.secondsAgo }
  const oracle = writeObservation(dynamicFee.oracle, write)
  return { ...pool, dynamicFee: { ...dynamicFee, oracle } }
}

/**
 * UniswapV3Pool.swap for an exact input up to a price limit, v3-core@1.0.1; `undefined` if it
 * reverts. A step ends at every word of the bitmap, which is compressed by the tick spacing.
 */
export function sellFrom(
  pool: UniswapV3Pool,
  zeroForOne: boolean,
  amountIn: bigint,
  limitX96?: bigint,
): SaleEnd | undefined {
  const { tickSpacing: ticksPerBit } = pool
  return sellAcrossTicks(pool, {
    zeroForOne,
    amountIn,
    feePpm: feePpmOf(pool),
    ticksPerBit,
    limitX96,
  })
}

/** Returns whether no position has liquidity, in range or out of it. */
export function isEmpty({ ticks }: UniswapV3Pool): boolean {
  return ticks.length === 0
}
