import { choice, list, number, record, type Shape, uint } from '../../shape/shape.js'
import {
  divisor,
  faultOfSigmoids,
  faultOfTimepoints,
  sigmoidFields,
  timepointFields,
  uint16,
  uint32,
} from '../adaptiveShape.js'
import { concentratedFields, faultOfConcentrated, tickIndex } from '../concentratedShape.js'
import {
  faultOfNewest,
  faultOfSorting,
  faultOfTime,
  firstFault,
  timedFields,
  twoTokens,
} from '../poolFields.js'
import type { AlgebraV1Pool, VolumeFeeConfig, VolumeOracle, VolumeTimepoint } from './pool.js'

const feeConfig = record<VolumeFeeConfig>(
  { ...sigmoidFields, volumeBeta: uint32, volumeGamma: divisor },
  faultOfSigmoids,
)

const timepoint = record<VolumeTimepoint>({
  ...timepointFields,
  volumePerLiquidityCumulative: uint(144),
})

const oracle = record<VolumeOracle>(
  {
    averageTick: tickIndex,
    volumePerLiquidityX64: uint(128),
    timepoints: list(timepoint, 1, 65_536),
  },
  faultOfTimepoints,
)

/** The states that a pool of this family can have. */
export const shape: Shape<AlgebraV1Pool> = record<AlgebraV1Pool>(
  {
    ...timedFields,
    family: choice('algebraV1'),
    tokens: twoTokens,
    feePpm: uint16,
    ...{ feeConfig, oracle },
    ticksPerBit: number(1, 60),
    ...concentratedFields,
  },
  (pool) =>
    firstFault(
      faultOfSorting(pool),
      faultOfTime(pool, true),
      pool.ticksPerBit === 1 || pool.ticksPerBit === 60
        ? undefined
        : { field: 'ticksPerBit', got: `${pool.ticksPerBit}`, wanted: '60 in 1.0, 1 in 1.9' },
      faultOfConcentrated(pool, pool.ticksPerBit),
      faultOfNewest(pool, pool.oracle.timepoints.at(-1)!.timestamp),
    ),
)
