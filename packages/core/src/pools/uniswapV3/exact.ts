import { computeSwapStep } from '../../math/swapMath.js'
import {
  getSqrtPriceAtTick,
  getTickAtSqrtPrice,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
} from '../../math/tickMath.js'
import type { Direction } from '../family.js'
import type { UniswapV3Pool } from './pool.js'

const MAX_INT256 = (1n << 255n) - 1n
const TICKS_PER_WORD = 256

/** Exactly what the pool pays; `0n` where it would revert, pay nothing, or leave input over. */
export function getAmountOut(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): bigint {
  return swapExactIn(pool, direction.in === 0, amountIn)?.amountOut ?? 0n
}

/** Price, tick and liquidity after the swap; the ticks themselves do not change. */
export function applySwap(
  pool: UniswapV3Pool,
  direction: Direction,
  amountIn: bigint,
): UniswapV3Pool {
  const end = swapExactIn(pool, direction.in === 0, amountIn)
  if (!end) return pool
  return { ...pool, sqrtPriceX96: end.sqrtPriceX96, tick: end.tick, liquidity: end.liquidity }
}

type End = {
  readonly amountOut: bigint
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/**
 * UniswapV3Pool.swap for an exact input up to the extreme price limits, v3-core@1.0.1. It stops at
 * every bitmap word, for each stop rounds: jumping to the next initialised tick is off by some wei.
 */
function swapExactIn(pool: UniswapV3Pool, zeroForOne: boolean, amountIn: bigint): End | undefined {
  if (amountIn <= 0n || amountIn > MAX_INT256 || pool.sqrtPriceX96 === 0n) return undefined
  const limitX96 = zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n
  const feePpm = BigInt(pool.feePpm)
  let { sqrtPriceX96, tick, liquidity } = pool
  let remaining = amountIn
  let amountOut = 0n
  // Index into ticks: of the last one at or below `tick` going down, of the first above going up.
  let at = zeroForOne ? firstAbove(pool, tick) - 1 : firstAbove(pool, tick)

  while (remaining > 0n) {
    if (sqrtPriceX96 === limitX96) return undefined
    const initialised = pool.ticks[at]
    // Without liquidity nothing is traded until the next initialised tick, so no step rounds.
    if (liquidity === 0n && !initialised) return undefined
    const wordEnd = wordEndOf(tick, pool.tickSpacing, zeroForOne)
    const stopsAtTick = liquidity === 0n || (initialised && isWithin(initialised.index, wordEnd))
    const tickNext = clampTick(initialised && stopsAtTick ? initialised.index : wordEnd, zeroForOne)
    const sqrtPriceNextX96 = getSqrtPriceAtTick(tickNext)
    const step = computeSwapStep({
      sqrtPriceX96,
      sqrtPriceTargetX96: towards(sqrtPriceNextX96, limitX96, zeroForOne),
      liquidity,
      amountRemaining: remaining,
      feePpm,
    })
    remaining -= step.amountIn + step.feeAmount
    amountOut += step.amountOut
    if (step.sqrtPriceNextX96 === sqrtPriceNextX96) {
      if (initialised && initialised.index === tickNext) {
        liquidity += zeroForOne ? -initialised.liquidityNet : initialised.liquidityNet
        at += zeroForOne ? -1 : 1
      }
      tick = zeroForOne ? tickNext - 1 : tickNext
    } else if (step.sqrtPriceNextX96 !== sqrtPriceX96) {
      tick = getTickAtSqrtPrice(step.sqrtPriceNextX96)
    }
    sqrtPriceX96 = step.sqrtPriceNextX96
  }
  return { amountOut, sqrtPriceX96, tick, liquidity }

  function isWithin(index: number, end: number): boolean {
    return zeroForOne ? index >= end : index <= end
  }
}

/** Index of the first initialised tick above `tick`, by bisection. */
function firstAbove(pool: UniswapV3Pool, tick: number): number {
  let low = 0
  let high = pool.ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pool.ticks[middle]!.index <= tick) low = middle + 1
    else high = middle
  }
  return low
}

// TickBitmap.nextInitializedTickWithinOneWord: downwards the word of `tick` itself, upwards that of
// the next compressed tick.
function wordEndOf(tick: number, tickSpacing: number, zeroForOne: boolean): number {
  const compressed = Math.floor(tick / tickSpacing) + (zeroForOne ? 0 : 1)
  const word = Math.floor(compressed / TICKS_PER_WORD)
  return (word * TICKS_PER_WORD + (zeroForOne ? 0 : TICKS_PER_WORD - 1)) * tickSpacing
}

function clampTick(tick: number, zeroForOne: boolean): number {
  return zeroForOne ? Math.max(tick, MIN_TICK) : Math.min(tick, MAX_TICK)
}

function towards(priceX96: bigint, limitX96: bigint, zeroForOne: boolean): bigint {
  return (zeroForOne ? priceX96 < limitX96 : priceX96 > limitX96) ? limitX96 : priceX96
}
