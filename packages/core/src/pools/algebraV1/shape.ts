import { choice, int, list, number, record, type Shape, uint } from '../../shape/shape.js'
import { concentratedFields, faultOfConcentrated, tickIndex } from '../concentratedShape.js'
import {
  faultOfNewest,
  faultOfOrder,
  faultOfSorting,
  faultOfTime,
  firstFault,
  seconds32,
  timedFields,
  twoTokens,
} from '../poolFields.js'
import type { AlgebraV1Pool, VolumeFeeConfig, VolumeOracle, VolumeTimepoint } from './pool.js'

const uint16 = number(0, 65_535)
const uint32 = number(0, 2 ** 32 - 1)
const divisor = number(1, 65_535)

const feeConfig = record<VolumeFeeConfig>(
  {
    ...{ alpha1: uint16, alpha2: uint16, beta1: uint32, beta2: uint32 },
    ...{ gamma1: divisor, gamma2: divisor, volumeBeta: uint32, volumeGamma: divisor },
    baseFee: uint16,
  },
  ({ alpha1, alpha2, baseFee }) => {
    const most = alpha1 + alpha2 + baseFee
    if (most <= 65_535) return undefined
    return { field: 'baseFee', got: `${most} with both alphas`, wanted: 'a sum of at most 65535' }
  },
)

const timepoint = record<VolumeTimepoint>({
  ...{ timestamp: seconds32, tickCumulative: int(56), volatilityCumulative: uint(88) },
  volumePerLiquidityCumulative: uint(144),
})

const oracle = record<VolumeOracle>(
  {
    averageTick: tickIndex,
    volumePerLiquidityX64: uint(128),
    timepoints: list(timepoint, 1, 65_536),
  },
  ({ timepoints }) =>
    faultOfOrder(
      ['timepoints', 'timestamp'],
      timepoints.map(({ timestamp }) => timestamp),
    ),
)

/** What a pool of this family may be. */
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
