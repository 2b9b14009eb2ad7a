import { divUp } from '../../math/fullMath.js'
import type { RatioFee, StepsFee, StexPool } from './pool.js'

const BIPS = 10_000n

/** A fee in bips on top of the net amount, and the largest input of token 0 with that fee. */
export type FeeStep = {
  readonly feeBips: bigint
  /** Absent for the last step, which has no end. */
  readonly end?: bigint
}

/**
 * Token 1 for an amount of token 0 at the pool's rate. `convertToToken1` of the withdrawal modules.
 */
export function convertToToken1({ rate }: StexPool, amount: bigint): bigint {
  return (amount * rate) / ONE
}

/** Token 0 for an amount of token 1. `convertToToken0` of the withdrawal modules. */
export function convertToToken0({ rate }: StexPool, amount: bigint): bigint {
  return (amount * ONE) / rate
}

const ONE = 10n ** 18n

/**
 * The fee of the pool's fee module for an input of token 0, in bips on top of the net amount;
 * `undefined` if the module reverts. For token 1 the fee is 0.
 *
 *   ratio: ρ = ⌊(r0 + unstaking + a − ⌊leaving·10¹⁸/rate⌋)·10⁴ / (r1 + lent)⌋
 *          f = fmin below ρmin, fmax above ρmax, else fmin + ⌊(fmax − fmin)·(ρ − ρmin) / (ρmax − ρmin)⌋
 *   steps: l = max(0, r1 + lent − ⌊a·rate/10¹⁸⌋), f = f₀ above lmax,
 *          else f_k with k = min(n − 1, ⌊(lmax − l)·n / (lmax − lmin)⌋)
 *   ⌊10⁸ / (10⁴ − f)⌋ − 10⁴      STEXRatioSwapFeeModule, StepwiseFeeModule of valantis-stex
 */
export function feeBipsOf(pool: StexPool, amountIn: bigint): bigint | undefined {
  const ofInput =
    pool.fee.kind === 'ratio'
      ? ratioFeeOf(pool, pool.fee, amountIn)
      : stepsFeeOf(pool, pool.fee, amountIn)
  return ofInput === undefined ? undefined : onTop(ofInput)
}

/** Every fee that some input of token 0 pays, in ascending order of the input. */
export function feeStepsOf(pool: StexPool): readonly FeeStep[] {
  const steps =
    pool.fee.kind === 'ratio' ? ratioStepsOf(pool, pool.fee) : stepsStepsOf(pool, pool.fee)
  // Drops steps that end before the first wei, and empty steps.
  return steps.filter(({ end }, i) => {
    const start = steps[i - 1]?.end ?? 0n
    return end === undefined || end > (start > 0n ? start : 0n)
  })
}

/** Converts a fee in bips of the input to bips on top of the net amount. */
function onTop(feeBips: bigint): bigint {
  return (BIPS * BIPS) / (BIPS - feeBips) - BIPS
}

function ratioFeeOf(pool: StexPool, fee: RatioFee, amountIn: bigint): bigint | undefined {
  const staked = stakedOf(pool) + amountIn
  const unstaked = pool.reserves[1] + pool.amountToken1LendingPool
  if (staked < 0n || unstaked === 0n) return undefined
  const ratio = (staked * BIPS) / unstaked
  const [min, max] = [BigInt(fee.minThresholdRatioBips), BigInt(fee.maxThresholdRatioBips)]
  const [feeMin, feeMax] = [BigInt(fee.feeMinBips), BigInt(fee.feeMaxBips)]
  if (ratio > max) return feeMax
  if (ratio < min) return feeMin
  return feeMin + ((feeMax - feeMin) * (ratio - min)) / (max - min)
}

function stakedOf(pool: StexPool): bigint {
  const leaving = convertToToken0(pool, pool.amountToken1PendingLPWithdrawal)
  return pool.reserves[0] + pool.amountToken0PendingUnstaking - leaving
}

function ratioStepsOf(pool: StexPool, fee: RatioFee): readonly FeeStep[] {
  const range = BigInt(fee.maxThresholdRatioBips - fee.minThresholdRatioBips)
  const rise = fee.feeMaxBips - fee.feeMinBips
  const unstaked = pool.reserves[1] + pool.amountToken1LendingPool
  return Array.from({ length: rise + 1 }, (_, k): FeeStep => {
    const feeBips = onTop(BigInt(fee.feeMinBips + k))
    if (k === rise) return { feeBips }
    // The first ratio with a higher fee, and the first input with that ratio.
    const ratio = BigInt(fee.minThresholdRatioBips) + divUp(BigInt(k + 1) * range, BigInt(rise))
    return { feeBips, end: divUp(ratio * unstaked, BIPS) - 1n - stakedOf(pool) }
  })
}

function stepsFeeOf(pool: StexPool, fee: StepsFee, amountIn: bigint): bigint {
  const { minThresholdToken1: min, maxThresholdToken1: max, stepsBips } = fee
  const unstaked = pool.reserves[1] + pool.amountToken1LendingPool
  const expected = convertToToken1(pool, amountIn)
  const left = unstaked > expected ? unstaked - expected : 0n
  if (left > max) return BigInt(stepsBips[0]!)
  const k = Number(((max - left) * BigInt(stepsBips.length)) / (max - min))
  return BigInt(stepsBips[Math.min(k, stepsBips.length - 1)]!)
}

function stepsStepsOf(pool: StexPool, fee: StepsFee): readonly FeeStep[] {
  const { minThresholdToken1: min, maxThresholdToken1: max, stepsBips } = fee
  const unstaked = pool.reserves[1] + pool.amountToken1LendingPool
  const count = BigInt(stepsBips.length)
  return stepsBips.map((ofInput, k): FeeStep => {
    const feeBips = onTop(BigInt(ofInput))
    if (k === stepsBips.length - 1) return { feeBips }
    // The least token 1 left in this step, the largest output for that, and its largest input.
    const left = max - divUp(BigInt(k + 1) * (max - min), count) + 1n
    const expected = unstaked - left
    return { feeBips, end: ((expected + 1n) * ONE - 1n) / pool.rate }
  })
}
