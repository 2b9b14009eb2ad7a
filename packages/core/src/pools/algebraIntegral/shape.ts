import {
  choice,
  type Fault,
  integer,
  list,
  optional,
  record,
  type Shape,
} from '../../shape/shape.js'
import {
  faultOfSigmoids,
  faultOfTimepoints,
  sigmoidFields,
  timepointFields,
  uint16,
} from '../adaptiveShape.js'
import { concentratedFields, faultOfConcentrated, tickIndex } from '../concentratedShape.js'
import {
  faultOfNewest,
  faultOfSorting,
  faultOfTime,
  firstFault,
  seconds32,
  timedFields,
  twoTokens,
} from '../poolFields.js'
import type {
  AdaptiveFee,
  AlgebraIntegralPool,
  FeeConfig,
  SlidingFee,
  Timepoint,
  VolatilityOracle,
} from './pool.js'

const config = record<FeeConfig>(sigmoidFields, faultOfSigmoids)

const oracle = record<VolatilityOracle>(
  {
    averageTick: tickIndex,
    timepoints: list(record<Timepoint>(timepointFields), 1, 65_536),
  },
  faultOfTimepoints,
)

const slidingFee = record<SlidingFee>({
  ...{ baseFee: uint16, priceChangeFactor: uint16 },
  factorX96: integer(0n, 2n << 96n),
  ...{ timestamp: seconds32, tick: tickIndex },
})

/** The states that a pool of this family can have. */
export const shape: Shape<AlgebraIntegralPool> = record<AlgebraIntegralPool>(
  {
    ...timedFields,
    family: choice('algebraIntegral'),
    tokens: twoTokens,
    feePpm: uint16,
    adaptiveFee: optional(record<AdaptiveFee>({ config, oracle })),
    slidingFee: optional(slidingFee),
    ...concentratedFields,
  },
  (pool) => firstFault(faultOfSorting(pool), faultOfFee(pool), faultOfConcentrated(pool)),
)

/** At most one plugin sets the fee, and its newest timepoint is not after the quote. */
function faultOfFee(pool: AlgebraIntegralPool): Fault | undefined {
  const { adaptiveFee, slidingFee } = pool
  if (adaptiveFee && slidingFee) {
    return { field: 'slidingFee', got: 'two fees of plugins', wanted: 'one, or none' }
  }
  const newest = adaptiveFee?.oracle.timepoints.at(-1)?.timestamp ?? slidingFee?.timestamp
  return firstFault(
    faultOfTime(pool, newest !== undefined),
    newest === undefined ? undefined : faultOfNewest(pool, newest),
  )
}
