import { computeSwapStep } from './swapMath.js'
import {
  getTickAtSqrtPrice,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceAtStop,
} from './tickMath.js'

/** An initialised tick with the liquidity added when the price crosses it upwards. */
export type Tick = { readonly index: number; readonly liquidityNet: bigint }

/** Liquidity that is constant between initialised ticks, and the current price. */
export type Concentrated = {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}

/** A swap of an exact input, and how the contract steps through its ticks. */
export type Sale = {
  /** True if token 0 is the input, so that the price falls. */
  readonly zeroForOne: boolean
  /** Wei, fee included. */
  readonly amountIn: bigint
  readonly feePpm: number
  /**
   * Ticks per bit of the tick bitmap: the contract ends a step at the boundary of each 256-bit
   * word. The tick spacing in Uniswap V3, 1 in Algebra V1.9, `undefined` if ticks are a linked list
   * and steps end only at initialised ticks.
   */
  readonly ticksPerBit: number | undefined
  /** √price at which the swap ends; by default the least or greatest possible price. */
  readonly limitX96?: bigint | undefined
  /** True if a step that ends within its range takes all that is left, as in Uniswap V4. */
  readonly takesRest?: boolean
}

/** The result of a swap. */
export type SaleEnd = {
  /** Input left over because the price reached its limit. */
  readonly remaining: bigint
  readonly amountOut: bigint
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

// A hop asks for its output, the state after it and its gas, each of which takes the whole walk. States never
// change, so the last walk of each is kept.
const lastOf = new WeakMap<
  Concentrated,
  { readonly sale: Sale; readonly end: SaleEnd | undefined }
>()

/**
 * The swap loop of concentrated liquidity for an exact input up to a price limit; `undefined` if it
 * reverts. Each step rounds, so steps end exactly where the contract's do: a step that skips the
 * end of a bitmap word would be off by some wei. UniswapV3Pool.swap, v3-core@1.0.1
 */
export function sellAcrossTicks(pool: Concentrated, sale: Sale): SaleEnd | undefined {
  const last = lastOf.get(pool)
  if (last && isSame(last.sale, sale)) return last.end
  const end = sellThrough(pool, sale)
  lastOf.set(pool, { sale, end })
  return end
}

function isSame(a: Sale, b: Sale): boolean {
  const isAlike = a.amountIn === b.amountIn && a.zeroForOne === b.zeroForOne
  const stepsAlike = a.ticksPerBit === b.ticksPerBit && a.takesRest === b.takesRest
  return isAlike && stepsAlike && a.feePpm === b.feePpm && a.limitX96 === b.limitX96
}

function sellThrough(pool: Concentrated, sale: Sale): SaleEnd | undefined {
  const { zeroForOne, amountIn, ticksPerBit, takesRest = false } = sale
  const limitX96 = sale.limitX96 ?? (zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n)
  if (amountIn <= 0n || amountIn > MAX_INT256) return undefined
  if (zeroForOne ? limitX96 >= pool.sqrtPriceX96 : limitX96 <= pool.sqrtPriceX96) return undefined
  if (limitX96 <= MIN_SQRT_PRICE_X96 || limitX96 >= MAX_SQRT_PRICE_X96) return undefined
  const feePpm = BigInt(sale.feePpm)
  let { sqrtPriceX96, tick, liquidity } = pool
  let remaining = amountIn
  let amountOut = 0n
  // Index of the next initialised tick: the last at or below `tick` downwards, the first above
  // upwards.
  let at = zeroForOne ? firstAbove(pool, tick) - 1 : firstAbove(pool, tick)

  while (remaining > 0n && sqrtPriceX96 !== limitX96) {
    const initialised = pool.ticks[at]
    // Without liquidity nothing is traded and nothing is rounded, so empty words are skipped.
    const bits = liquidity === 0n ? undefined : ticksPerBit
    const tickNext = nextStop(tick, zeroForOne, bits, initialised?.index)
    const sqrtPriceNextX96 = sqrtPriceAtStop(tickNext)
    const step = computeSwapStep({
      sqrtPriceX96,
      sqrtPriceTargetX96: towards(sqrtPriceNextX96, limitX96, zeroForOne),
      liquidity,
      amountRemaining: remaining,
      feePpm,
      takesRest,
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

/** The liquidity in range implied by the ticks: the sum of liquidityNet up to the current tick. */
export function liquidityAt({ ticks, tick }: Pick<Concentrated, 'ticks' | 'tick'>): bigint {
  let sum = 0n
  for (const { index, liquidityNet } of ticks) if (index <= tick) sum += liquidityNet
  return sum
}

/** Number of initialised ticks crossed between two ticks, in either direction. */
export function ticksCrossed(ticks: readonly Tick[], from: number, to: number): number {
  const [low, high] = from < to ? [from, to] : [to, from]
  return ticks.filter(({ index }) => index > low && index <= high).length
}

/** The most that a swap of an exact input takes. */
export const MAX_INT256 = (1n << 255n) - 1n
const BITS_PER_WORD = 256

/**
 * The tick at which the next step ends: the next initialised tick or the end of the bitmap word.
 */
function nextStop(
  tick: number,
  zeroForOne: boolean,
  ticksPerBit: number | undefined,
  initialised: number | undefined,
): number {
  const listed = initialised ?? (zeroForOne ? MIN_TICK : MAX_TICK)
  if (ticksPerBit === undefined) return listed
  const wordEnd = wordEndOf(tick, ticksPerBit, zeroForOne)
  return zeroForOne ? Math.max(wordEnd, listed) : Math.min(wordEnd, listed)
}

/** Index of the first initialised tick above `tick`, by binary search. */
export function firstAbove(pool: Pick<Concentrated, 'ticks'>, tick: number): number {
  let low = 0
  let high = pool.ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pool.ticks[middle]!.index <= tick) low = middle + 1
    else high = middle
  }
  return low
}

// TickBitmap.nextInitializedTickWithinOneWord: downwards it uses the word of `tick` itself, upwards
// the word of the next compressed tick.
function wordEndOf(tick: number, ticksPerBit: number, zeroForOne: boolean): number {
  const compressed = Math.floor(tick / ticksPerBit) + (zeroForOne ? 0 : 1)
  const word = Math.floor(compressed / BITS_PER_WORD)
  return (word * BITS_PER_WORD + (zeroForOne ? 0 : BITS_PER_WORD - 1)) * ticksPerBit
}

function towards(priceX96: bigint, limitX96: bigint, zeroForOne: boolean): bigint {
  return (zeroForOne ? priceX96 < limitX96 : priceX96 > limitX96) ? limitX96 : priceX96
}
