import { sigmoid } from '../../math/sigmoid.js'
import { type DayAverages, dayAverages, writeVolumeTimepoint } from './oracle.js'
import type { AlgebraV1Pool, VolumeFeeConfig } from './pool.js'

/**
 * The pool before a swap at `quotedAt`: the first swap of a block writes a timepoint and a new fee.
 * Unchanged without `quotedAt` or in the block of the newest timepoint.
 */
export function updateVolumeFee(pool: AlgebraV1Pool): AlgebraV1Pool {
  const { quotedAt, tick, feeConfig } = pool
  if (quotedAt === undefined) return pool
  const oracle = writeVolumeTimepoint(pool.oracle, { timestamp: Number(quotedAt), tick })
  if (oracle === pool.oracle) return pool
  return { ...pool, feePpm: volumeFeePpm(feeConfig, dayAverages(oracle)), oracle }
}

/**
 * baseFee + σᵥ(volume; α = σ₁(v) + σ₂(v)) for an average volatility per second, v per 15 seconds;
 * in ppm. DataStorageOperator.getFee and AdaptiveFee.getFee, v1-core@1.0.0
 */
export function volumeFeePpm(config: VolumeFeeConfig, averages: DayAverages): number {
  const v = averages.volatility / 15n
  const first = sigmoid(v, { α: config.alpha1, β: config.beta1, γ: config.gamma1 }, exp8)
  const second = sigmoid(v, { α: config.alpha2, β: config.beta2, γ: config.gamma2 }, exp8)
  const outer = { α: Number(first + second), β: config.volumeBeta, γ: config.volumeGamma }
  return config.baseFee + Number(sigmoid(averages.volumePerLiquidity, outer, exp8))
}

/** n! for n = 2 … 6: each of these terms is rounded separately. */
const FACTORIALS = [2n, 6n, 24n, 120n, 720n]

/** e^(x/g)·g⁸ as Σ xⁿ·g⁸⁻ⁿ/n! up to n = 8. AdaptiveFee.exp */
function exp8(x: bigint, g: bigint) {
  const one = g ** 8n
  let sum = one + x * g ** 7n
  for (const [i, factorial] of FACTORIALS.entries()) {
    const n = BigInt(i + 2)
    sum += (x ** n * g ** (8n - n)) / factorial
  }
  return { numerator: sum + (x ** 7n * g) / 5040n + x ** 8n / 40320n, denominator: one }
}
