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
  const end = walk(pool, direction.in === 0, amountIn)
  return end?.remaining === 0n ? end.amountOut : 0n
}

/** Price, tick and liquidity after the swap; the ticks themselves do not change. */
export function applySwap(
  pool: UniswapV3Pool,
  direction: Direction,
  amountIn: bigint,
): UniswapV3Pool {
  const end = walk(pool, direction.in === 0, amountIn)
  if (end?.remaining !== 0n || end.amountOut === 0n) return pool
  return { ...pool, sqrtPriceX96: end.sqrtPriceX96, tick: end.tick, liquidity: end.liquidity }
}

type End = {
  /** Input that was not taken because the price reached its limit. */
  readonly remaining: bigint
  readonly amountOut: bigint
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/**
 * UniswapV3Pool.swap for an exact input up to a price limit, v3-core@1.0.1; `undefined` where it
 * reverts. It stops at every bitmap word, for each stop rounds: jumping to the next initialised
 * tick is off by some wei.
 */
export function walk(
  pool: UniswapV3Pool,
  zeroForOne: boolean,
  amountIn: bigint,
  limitX96: bigint = zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n,
): End | undefined {
  if (amountIn <= 0n || amountIn > MAX_INT256) return undefined
  if (zeroForOne ? limitX96 >= pool.sqrtPriceX96 : limitX96 <= pool.sqrtPriceX96) return undefined
  const feePpm = BigInt(pool.feePpm)
  let { sqrtPriceX96, tick, liquidity } = pool
  let remaining = amountIn
  let amountOut = 0n
  // Index into ticks: of the last one at or below `tick` going down, of the first above going up.
  let at = zeroForOne ? firstAbove(pool, tick) - 1 : firstAbove(pool, tick)

  while (remaining > 0n && sqrtPriceX96 !== limitX96) {
    const initialised = pool.ticks[at]
    const tickNext = nextStop(pool, tick, zeroForOne, liquidity === 0n, initialised?.index)
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
  return { remaining, amountOut, sqrtPriceX96, tick, liquidity }
}

/**
 * The tick at which the next step ends: the next initialised one or the end of its bitmap word,
 * whichever comes first. Without liquidity nothing is traded and nothing rounds, so the empty words
 * on the way are skipped.
 */
function nextStop(
  pool: UniswapV3Pool,
  tick: number,
  zeroForOne: boolean,
  isEmpty: boolean,
  initialised: number | undefined,
): number {
  const end = zeroForOne ? MIN_TICK : MAX_TICK
  if (isEmpty) return initialised ?? end
  const wordEnd = wordEndOf(tick, pool.tickSpacing, zeroForOne)
  const candidates = [wordEnd, end, ...(initialised === undefined ? [] : [initialised])]
  return zeroForOne ? Math.max(...candidates) : Math.min(...candidates)
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

function towards(priceX96: bigint, limitX96: bigint, zeroForOne: boolean): bigint {
  return (zeroForOne ? priceX96 < limitX96 : priceX96 > limitX96) ? limitX96 : priceX96
}
