/**
 * The sliding fee of AlgebraBasePluginV2: the direction in which the price moved since the newest
 * timepoint becomes dearer, and the other one cheaper by as much. Every swap moves the factors, the
 * first of a block also writes a timepoint, so the fee of a swap depends on those before it in its
 * block.
 */
import { getSqrtPriceAtTick, MAX_TICK, MIN_TICK } from '../../math/tickMath.js'
import type { SlidingFee } from './pool.js'

/** 1 as a factor, of which both directions have 2 between them. */
const ONE_X96 = 1n << 96n
const TWO_X96 = 2n * ONE_X96

/** `s_priceChangeFactor` counts in thousandths. */
const THOUSAND = 1000n
/** The bounds of an override: a fee of 0 would mean the pool's own fee. */
const MIN_PPM = 1n
const MAX_PPM = 65_535n

/**
 * The plugin's state after its hook before a swap at `timestamp` in a pool at `tick`. SlidingFeePlugin
 * ._getFeeAndUpdateFactors and VolatilityOraclePlugin._writeTimepoint, integral-base-plugin@1.2.1
 */
export function slideFee(
  fee: SlidingFee,
  { timestamp, tick }: { readonly timestamp: number; readonly tick: number },
): SlidingFee {
  const factorX96 = movedFactor(fee, tick - fee.tick)
  if (timestamp !== fee.timestamp) return { ...fee, factorX96, timestamp, tick }
  return factorX96 === fee.factorX96 ? fee : { ...fee, factorX96 }
}

// The part by which the price changed over the ticks, in thousandths of the plugin's setting, is taken
// from the factor. Division rounds towards zero, as the contract's does.
function movedFactor({ factorX96, priceChangeFactor }: SlidingFee, ticks: number): bigint {
  if (ticks === 0) return factorX96
  const sqrtPriceX96 = getSqrtPriceAtTick(Math.min(MAX_TICK, Math.max(MIN_TICK, ticks)))
  const changeX96 = ((sqrtPriceX96 * sqrtPriceX96) >> 96n) - ONE_X96
  const moved = factorX96 - (changeX96 * BigInt(priceChangeFactor)) / THOUSAND
  if (moved <= 0n) return 0n
  return moved < TWO_X96 ? moved : TWO_X96
}

/** The fee in ppm of a swap right after {@link slideFee}. */
export function slidingFeePpm({ baseFee, factorX96 }: SlidingFee, zeroForOne: boolean): number {
  const factor = zeroForOne ? factorX96 : TWO_X96 - factorX96
  const ppm = (BigInt(baseFee) * factor) >> 96n
  if (ppm < MIN_PPM) return Number(MIN_PPM)
  return Number(ppm < MAX_PPM ? ppm : MAX_PPM)
}
