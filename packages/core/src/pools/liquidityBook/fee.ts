// The fee of a Liquidity Book pair: a base, and a part that grows with the bins passed and decays.

import type { LiquidityBookPool, VariableFeeParameters } from './pool.js'

const BIPS = 10_000n

/**
 * The fee's memory at the start of a swap: after the filter period the active bin becomes the
 * reference, and the volatility decays. `updateReferences` of PairParameterHelper.
 */
export function referencesOf(pool: LiquidityBookPool): VariableFeeParameters {
  const { staticFee, variableFee, quotedAt, activeId } = pool
  const passed = quotedAt - variableFee.timeOfLastUpdate
  const moved = { ...variableFee, timeOfLastUpdate: quotedAt }
  if (passed < staticFee.filterPeriod) return moved
  const decayed = (variableFee.volatilityAccumulator * staticFee.reductionFactor) / BIPS
  const volatilityReference = passed < staticFee.decayPeriod ? decayed : 0n
  return { ...moved, idReference: activeId, volatilityReference }
}

/** The fee's memory after a swap that ended in a bin with this volatility. */
export function memoryAfter(
  pool: LiquidityBookPool,
  volatilityAccumulator: bigint,
): VariableFeeParameters {
  return { ...referencesOf(pool), volatilityAccumulator }
}

/** The volatility in a bin: the reference, and 10⁴ for each bin from the reference's bin. */
export function volatilityAt(
  { staticFee }: LiquidityBookPool,
  { volatilityReference, idReference }: VariableFeeParameters,
  id: number,
): bigint {
  const distance = BigInt(Math.abs(id - idReference))
  const volatility = volatilityReference + distance * BIPS
  const { maxVolatilityAccumulator: most } = staticFee
  return volatility > most ? most : volatility
}

/** Base and variable fee in 10⁻¹⁸ of the input. `getTotalFee` of PairParameterHelper. */
export function totalFee({ staticFee, binStep }: LiquidityBookPool, volatility: bigint): bigint {
  const step = BigInt(binStep)
  const base = staticFee.baseFactor * step * 10n ** 10n
  if (staticFee.variableFeeControl === 0n) return base
  return base + ((volatility * step) ** 2n * staticFee.variableFeeControl + 99n) / 100n
}
