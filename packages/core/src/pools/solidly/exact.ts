import { TWO_256 } from '../../math/fullMath.js'
import {
  payableOut,
  REVERTS,
  type SolveY,
  type StableSide,
  solveYOriginal,
  solveYVelodrome,
  stableAmountOut,
} from '../../math/solidly.js'
import type { Direction } from '../family.js'
import { reservesAfter } from '../pairReserves.js'
import type { SolidlyPool, SolidlyVariant } from './pool.js'

export { isEmpty } from '../pairReserves.js'

type Rules = {
  readonly solveY: SolveY
  /** Wei that the pair's quote subtracts from its formula. */
  readonly withheld: bigint
  /** True if the fee leaves the pair in the swap. */
  readonly feeLeaves: boolean
  /** The largest possible reserve. */
  readonly maxReserve: bigint
}

const RULES: Readonly<Record<SolidlyVariant, Rules>> = {
  solidly: { solveY: solveYOriginal, withheld: 0n, feeLeaves: true, maxReserve: TWO_256 - 1n },
  ramses: { solveY: solveYOriginal, withheld: 1n, feeLeaves: false, maxReserve: (1n << 112n) - 1n },
  velodrome: { solveY: solveYVelodrome, withheld: 0n, feeLeaves: true, maxReserve: TWO_256 - 1n },
}

/** The largest possible reserve of the pair. */
export function maxReserveOf(pool: Pick<SolidlyPool, 'variant'>): bigint {
  return RULES[pool.variant].maxReserve
}

/**
 * Exact output for the executor: the pair's own quote, or one wei less if the pair's invariant
 * check refuses the quote; `0n` if it refuses both.
 */
export function getAmountOut(pool: SolidlyPool, direction: Direction, amountIn: bigint): bigint {
  const { withheld, maxReserve } = RULES[pool.variant]
  const input = sideOf(pool, direction.in as 0 | 1)
  const output = sideOf(pool, direction.out as 0 | 1)
  if (amountIn <= 0n || input.reserve === 0n || output.reserve === 0n) return 0n
  if (input.reserve + amountIn > maxReserve || amountIn > maxInputOf(pool)) return 0n
  const quoted = quoteOf(pool, [input, output], amountIn) - withheld
  const lessFee = amountIn - feeOf(pool, amountIn)
  return payableOut([input, output], { isStable: pool.stable, amountIn: lessFee, quoted })
}

/** Returns whether the pair refuses its own quote, so that the swap is tried twice. */
export function refusesItsQuote(
  pool: SolidlyPool,
  direction: Direction,
  amountIn: bigint,
): boolean {
  const input = sideOf(pool, direction.in as 0 | 1)
  const output = sideOf(pool, direction.out as 0 | 1)
  const quoted = quoteOf(pool, [input, output], amountIn) - RULES[pool.variant].withheld
  return getAmountOut(pool, direction, amountIn) === quoted - 1n
}

/** The reserves after the swap, without the fee if it goes to a separate contract. */
export function applySwap(pool: SolidlyPool, direction: Direction, amountIn: bigint): SolidlyPool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const kept = RULES[pool.variant].feeLeaves ? amountIn - feeOf(pool, amountIn) : amountIn
  return { ...pool, reserves: reservesAfter(pool, direction, [kept, amountOut]) }
}

// Volatile: y = ⌊x·Y / (X + x)⌋ with x = a − ⌊a·φ⌋, rounded twice, unlike Uniswap.
function quoteOf(
  pool: SolidlyPool,
  [input, output]: readonly [StableSide, StableSide],
  amountIn: bigint,
): bigint {
  const x = amountIn - feeOf(pool, amountIn)
  if (pool.stable) {
    const { solveY } = RULES[pool.variant]
    return stableAmountOut(input, output, { amountIn: x, solveY })
  }
  const product = x * output.reserve
  return product < TWO_256 ? product / (input.reserve + x) : REVERTS
}

const MAX_UINT256 = TWO_256 - 1n
const WAD = 10n ** 18n
/** A pair that lets its fee leave counts it per share in 18 decimals, so fee·10¹⁸ is a uint256. */
const MAX_LEAVING_FEE = MAX_UINT256 / WAD

/** The most wei that can go in before the contract cannot account for the fee of it. */
export function maxInputOf({ variant, feePpm }: Pick<SolidlyPool, 'variant' | 'feePpm'>): bigint {
  if (feePpm === 0 || !RULES[variant].feeLeaves) return MAX_UINT256
  return ((MAX_LEAVING_FEE + 1n) * 1_000_000n - 1n) / BigInt(feePpm)
}

function feeOf(pool: SolidlyPool, amountIn: bigint): bigint {
  return (amountIn * BigInt(pool.feePpm)) / 1_000_000n
}

function sideOf(pool: SolidlyPool, index: 0 | 1): StableSide {
  return { reserve: pool.reserves[index], unit: pool.units[index] }
}
