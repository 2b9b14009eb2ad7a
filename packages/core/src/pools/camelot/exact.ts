import { payableOut, type StableSide, solveYOriginal, stableAmountOut } from '../../math/solidly.js'
import type { Direction } from '../family.js'
import { reservesAfter } from '../pairReserves.js'
import type { CamelotPool } from './pool.js'

export { isEmpty } from '../pairReserves.js'

const FEE_DENOMINATOR = 100_000n
const MAX_UINT112 = (1n << 112n) - 1n

/**
 * Exact output for the executor: the pair's own quote, or one wei less if the pair's invariant
 * check refuses the quote; `0n` if it refuses both.
 */
export function getAmountOut(pool: CamelotPool, direction: Direction, amountIn: bigint): bigint {
  const input = sideOf(pool, direction.in as 0 | 1)
  const output = sideOf(pool, direction.out as 0 | 1)
  if (amountIn <= 0n || input.reserve === 0n || output.reserve === 0n) return 0n
  const kept = amountIn - leavingOf(pool, direction, amountIn)
  if (input.reserve + kept > MAX_UINT112) return 0n
  const quoted = quoteOf(pool, direction, amountIn)
  const lessFee = amountIn - feeOf(pool, direction, amountIn)
  return payableOut([input, output], { isStable: pool.stableSwap, amountIn: lessFee, quoted })
}

/** Returns whether the pair refuses its own quote, so that the swap is tried twice. */
export function refusesItsQuote(
  pool: CamelotPool,
  direction: Direction,
  amountIn: bigint,
): boolean {
  return getAmountOut(pool, direction, amountIn) === quoteOf(pool, direction, amountIn) - 1n
}

/** The reserves after the swap; only a stable pair sends the owner's share of the fee out. */
export function applySwap(pool: CamelotPool, direction: Direction, amountIn: bigint): CamelotPool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const kept = amountIn - leavingOf(pool, direction, amountIn)
  return { ...pool, reserves: reservesAfter(pool, direction, [kept, amountOut]) }
}

// Constant product: y = ⌊x·Y / (X·10⁵ + x)⌋ with x = a·(10⁵ − φ). Stable: the fee is floored first.
function quoteOf(pool: CamelotPool, direction: Direction, amountIn: bigint): bigint {
  const input = sideOf(pool, direction.in as 0 | 1)
  const output = sideOf(pool, direction.out as 0 | 1)
  if (pool.stableSwap) {
    const x = amountIn - feeOf(pool, direction, amountIn)
    return stableAmountOut(input, output, { amountIn: x, solveY: solveYOriginal })
  }
  const x = amountIn * (FEE_DENOMINATOR - feeShareOf(pool, direction))
  return (x * output.reserve) / (input.reserve * FEE_DENOMINATOR + x)
}

function feeOf(pool: CamelotPool, direction: Direction, amountIn: bigint): bigint {
  return (amountIn * feeShareOf(pool, direction)) / FEE_DENOMINATOR
}

/** The part of the input that goes to the factory's owner in the swap. */
function leavingOf(pool: CamelotPool, direction: Direction, amountIn: bigint): bigint {
  if (!pool.stableSwap) return 0n
  const share = BigInt(pool.ownerFeeShare) * feeShareOf(pool, direction)
  return (amountIn * share) / FEE_DENOMINATOR ** 2n
}

function feeShareOf(pool: CamelotPool, direction: Direction): bigint {
  return BigInt(pool.feePercents[direction.in as 0 | 1])
}

function sideOf(pool: CamelotPool, index: 0 | 1): StableSide {
  return { reserve: pool.reserves[index], unit: pool.precisionMultipliers[index] }
}
