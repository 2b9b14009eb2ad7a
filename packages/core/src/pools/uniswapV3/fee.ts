import { averageTick } from './oracle.js'
import type { UniswapV3Pool } from './pool.js'

/**
 * Largest fee that a factory accepts from its module, in ppm; above it, the tick spacing's fee
 * applies.
 */
const MAX_MODULE_FEE_PPM = 100_000n

/** The module requires an oracle with at least one slot per this many seconds. */
const SECONDS_PER_OBSERVATION = 2

const SCALE = 1_000_000n

/**
 * The fee of a swap that starts in this state at `quotedAt`, in parts per million of the input, for
 * the whole swap: min(base + |tick − average tick|·K/10⁶, cap), for a sender without a discount.
 * DynamicSwapFeeModule.getFee and CLFactory.getSwapFee, velodrome slipstream
 */
export function feePpmOf(pool: UniswapV3Pool): number {
  const { dynamicFee, feePpm, tick } = pool
  if (!dynamicFee) return feePpm
  const { scalingFactor, capPpm, fallbackPpm, secondsAgo: seconds, oracle } = dynamicFee
  const isShort = oracle.cardinality < Math.floor(seconds / SECONDS_PER_OBSERVATION)
  const now = Number(pool.quotedAt)
  const average = isShort ? undefined : averageTick(oracle, { now, seconds, tick })
  const distance = average === undefined ? 0n : BigInt(tick) - average
  const raised = BigInt(feePpm) + ((distance < 0n ? -distance : distance) * scalingFactor) / SCALE
  const fee = raised < BigInt(capPpm) ? raised : BigInt(capPpm)
  return fee <= MAX_MODULE_FEE_PPM ? Number(fee) : fallbackPpm
}
