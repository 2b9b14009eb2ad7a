import {
  choice,
  type Fault,
  int,
  integer,
  list,
  number,
  optional,
  record,
  type Shape,
  uint,
} from '../../shape/shape.js'
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
import type {
  AdaptiveFee,
  AlgebraIntegralPool,
  FeeConfig,
  SlidingFee,
  Timepoint,
  VolatilityOracle,
} from './pool.js'

const uint16 = number(0, 65_535)
const uint32 = number(0, 2 ** 32 - 1)
const divisor = number(1, 65_535)

const config = record<FeeConfig>(
  {
    ...{ alpha1: uint16, alpha2: uint16, beta1: uint32, beta2: uint32 },
    ...{ gamma1: divisor, gamma2: divisor, baseFee: uint16 },
  },
  ({ alpha1, alpha2, baseFee }) => {
    const most = alpha1 + alpha2 + baseFee
    if (most <= 65_535) return undefined
    return { field: 'baseFee', got: `${most} with both alphas`, wanted: 'a sum of at most 65535' }
  },
)

const oracle = record<VolatilityOracle>(
  {
    averageTick: tickIndex,
    timepoints: list(
      record<Timepoint>({
        ...{ timestamp: seconds32, tickCumulative: int(56), volatilityCumulative: uint(88) },
      }),
      1,
      65_536,
    ),
  },
  ({ timepoints }) =>
    faultOfOrder(
      ['timepoints', 'timestamp'],
      timepoints.map(({ timestamp }) => timestamp),
    ),
)

const slidingFee = record<SlidingFee>({
  ...{ baseFee: uint16, priceChangeFactor: uint16 },
  factorX96: integer(0n, 2n << 96n),
  ...{ timestamp: seconds32, tick: tickIndex },
})

/** What a pool of this family may be. */
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
