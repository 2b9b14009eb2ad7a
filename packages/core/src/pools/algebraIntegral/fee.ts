import { sigmoid } from '../../math/sigmoid.js'
import { averageVolatility, writeTimepoint } from './oracle.js'
import type { AdaptiveFee, AlgebraIntegralPool, FeeConfig } from './pool.js'
import { slideFee, slidingFeePpm } from './slidingFee.js'

/** The pool after its plugin's `beforeSwap` at `quotedAt`; unchanged without a plugin. */
export function beforeSwap(pool: AlgebraIntegralPool): AlgebraIntegralPool {
  const { slidingFee, quotedAt, tick } = pool
  if (!slidingFee || quotedAt === undefined) return updateAdaptiveFee(pool)
  const slid = slideFee(slidingFee, { timestamp: Number(quotedAt), tick })
  return slid === slidingFee ? pool : { ...pool, slidingFee: slid }
}

/** The fee in ppm of a swap in the state that {@link beforeSwap} returns. */
export function swapFeePpm(
  { slidingFee, feePpm }: AlgebraIntegralPool,
  zeroForOne: boolean,
): number {
  return slidingFee ? slidingFeePpm(slidingFee, zeroForOne) : feePpm
}

/** The pool after its plugin has written timepoint and fee, before a swap at `quotedAt`. */
export function updateAdaptiveFee(pool: AlgebraIntegralPool): AlgebraIntegralPool {
  const { adaptiveFee, quotedAt } = pool
  if (!adaptiveFee || quotedAt === undefined) return pool
  const write = { timestamp: Number(quotedAt), tick: pool.tick }
  const oracle = writeTimepoint(adaptiveFee.oracle, write)
  const written = oracle === adaptiveFee.oracle ? adaptiveFee : { ...adaptiveFee, oracle }
  return { ...pool, feePpm: feeOf(written), adaptiveFee: written }
}

/** The fee in ppm in the block of the oracle's newest timepoint. DynamicFeePlugin._updateFee */
function feeOf({ config, oracle }: AdaptiveFee): number {
  if (config.alpha1 === 0 && config.alpha2 === 0) return config.baseFee
  return adaptiveFeePpm(config, averageVolatility(oracle))
}

/**
 * baseFee + σ₁(v) + σ₂(v) for an average volatility per second, v per 15 seconds; in ppm.
 * AdaptiveFee.getFee, integral-base-plugin@1.2.1
 */
export function adaptiveFeePpm(config: FeeConfig, volatility: bigint): number {
  const v = volatility / 15n
  const first = sigmoid(v, { α: config.alpha1, β: config.beta1, γ: config.gamma1 }, exp4)
  const second = sigmoid(v, { α: config.alpha2, β: config.beta2, γ: config.gamma2 }, exp4)
  return config.baseFee + Number(first + second)
}

/** e^k · 10²⁰ for k = 0 … 5, the contract's table. */
const EXP_E20: readonly bigint[] = [
  100_000_000_000_000_000_000n,
  271_828_182_845_904_523_536n,
  738_905_609_893_065_022_723n,
  2_008_553_692_318_766_774_092n,
  5_459_815_003_314_423_907_811n,
  14_841_315_910_257_660_342_111n,
]
const SQRT_E_E20 = 164_872_127_070_012_814_684n
const E20 = 10n ** 20n

/**
 * e^(x/g)·g⁴ for x/g < 6: e^k from the table and e^½, times Σ (x/g)ⁿ/n! up to n = 4 for the rest.
 * AdaptiveFee.expXg4
 */
function exp4(exponent: bigint, g: bigint) {
  let factor = EXP_E20[Number(exponent / g)]!
  let x = exponent % g
  if (x >= g / 2n) {
    x -= g / 2n
    factor = (factor * SQRT_E_E20) / E20
  }
  const [g4, g3, g2] = [g ** 4n, g ** 3n, g ** 2n]
  const x3 = x ** 3n
  const series = g4 + x * g3 + (x * x * g2) / 2n + (x3 * g * 4n + x3 * x) / 24n
  return { numerator: (series * factor) / E20, denominator: g4 }
}
