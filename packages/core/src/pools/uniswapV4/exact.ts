import { type SaleEnd, sellAcrossTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { swapFeePpm } from './fee.js'
import type { UniswapV4Pool } from './pool.js'

// The manager keeps what is owed and due in signed integers of 128 bits.
const MAX_IN = 1n << 127n
const MAX_OUT = MAX_IN - 1n
const PPM = 1_000_000

/** Exact output of the pool; `0n` if it would revert, pay nothing, or leave input over. */
export function getAmountOut(pool: UniswapV4Pool, direction: Direction, amountIn: bigint): bigint {
  return swap(pool, direction, amountIn)?.amountOut ?? 0n
}

/** Price, tick and liquidity after the swap; the ticks themselves do not change. */
export function applySwap(
  pool: UniswapV4Pool,
  direction: Direction,
  amountIn: bigint,
): UniswapV4Pool {
  const end = swap(pool, direction, amountIn)
  if (!end) return pool
  const { sqrtPriceX96, tick, liquidity } = end
  return { ...pool, sqrtPriceX96, tick, liquidity }
}

/** Returns whether no position has liquidity, in range or out of it. */
export function isEmpty({ ticks }: UniswapV4Pool): boolean {
  return ticks.length === 0
}

/**
 * Pool.swap for an exact input without a price limit, v4-core@1.0.2; `undefined` if it reverts, pays
 * nothing or leaves input over. The steps are those of Uniswap V3, but a step that ends within its range
 * takes all that is left.
 */
function swap(pool: UniswapV4Pool, direction: Direction, amountIn: bigint): SaleEnd | undefined {
  const zeroForOne = direction.in === 0
  const feePpm = swapFeePpm(pool, zeroForOne)
  // A fee of the whole input moves no price.
  if (amountIn > MAX_IN || feePpm >= PPM) return undefined
  const { tickSpacing: ticksPerBit } = pool
  const end = sellAcrossTicks(pool, { zeroForOne, amountIn, feePpm, ticksPerBit, takesRest: true })
  if (end?.remaining !== 0n || end.amountOut === 0n || end.amountOut > MAX_OUT) return undefined
  return end
}
