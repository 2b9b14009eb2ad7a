import { MAX_INT256, type SaleEnd, sellAcrossTicks } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { beforeSwap, swapFeePpm } from './fee.js'
import type { AlgebraIntegralPool } from './pool.js'

/** Reserves are uint128 in the contract, so larger inputs are refused. */
const MAX_UINT128 = (1n << 128n) - 1n

/** Wei kept free for fees that positions have not collected: the reserve includes them, the state does not. */
export const ROOM_FOR_FEES = 1n << 112n

/**
 * The most wei of the token in that fit in the pool's uint128 reserve, in addition to what the
 * positions hold. They hold what they would pay for the other token if it were sold, without a fee,
 * to the end of the price range. The loader refuses a pool whose reserve leaves less room than this.
 */
export function mostIntoReserve(pool: AlgebraIntegralPool, direction: Direction): bigint {
  const sale = { amountIn: MAX_INT256, feePpm: 0, ticksPerBit: undefined }
  const held = sellAcrossTicks(pool, { ...sale, zeroForOne: direction.in !== 0 })?.amountOut ?? 0n
  const most = MAX_UINT128 - held - ROOM_FOR_FEES
  return most > ROOM_FOR_FEES ? most : ROOM_FOR_FEES
}

function fitsReserve(pool: AlgebraIntegralPool, direction: Direction, amountIn: bigint): boolean {
  return amountIn <= ROOM_FOR_FEES || amountIn <= mostIntoReserve(pool, direction)
}

/** Exact output of the pool; `0n` if it would revert, pay nothing, or leave input over. */
export function getAmountOut(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  if (!fitsReserve(pool, direction, amountIn)) return 0n
  const end = sellFrom(beforeSwap(pool), direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick, liquidity and the plugin's state after the swap; the ticks do not change. */
export function applySwap(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): AlgebraIntegralPool {
  if (!fitsReserve(pool, direction, amountIn)) return pool
  const before = beforeSwap(pool)
  const end = sellFrom(before, direction.in === 0, amountIn)
  if (end?.remaining !== 0n || end.amountOut === 0n) return pool
  return { ...before, sqrtPriceX96: end.sqrtPriceX96, tick: end.tick, liquidity: end.liquidity }
}

/**
 * The pool's swap loop at its current fee in the direction, for an exact input up to a price limit; `undefined` if
 * it reverts. Only initialised ticks end a step. SwapCalculation._calculateSwap,
 * integral-core@1.2.10
 */
export function sellFrom(
  pool: AlgebraIntegralPool,
  zeroForOne: boolean,
  amountIn: bigint,
  limitX96?: bigint,
): SaleEnd | undefined {
  const feePpm = swapFeePpm(pool, zeroForOne)
  return sellAcrossTicks(pool, { zeroForOne, amountIn, feePpm, ticksPerBit: undefined, limitX96 })
}

/** Returns whether no position has liquidity, in range or out of it. */
export function isEmpty({ ticks }: AlgebraIntegralPool): boolean {
  return ticks.length === 0
}
