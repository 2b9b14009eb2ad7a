import {
  absent,
  choice,
  type Fault,
  int,
  integer,
  list,
  number,
  optional,
  record,
  type Shape,
} from '../../shape/shape.js'
import { concentratedFields, faultOfConcentrated } from '../concentratedShape.js'
import {
  faultOfNewest,
  faultOfOrder,
  faultOfSorting,
  faultOfTime,
  feePpm,
  firstFault,
  seconds32,
  timedFields,
  twoTokens,
} from '../poolFields.js'
import type { DynamicFee, Observation, Oracle, UniswapV3Pool } from './pool.js'

const uint16 = number(0, 65_535)

const oracle = record<Oracle>(
  {
    index: uint16,
    cardinality: number(1, 65_535),
    cardinalityNext: number(1, 65_535),
    older: uint16,
    observations: list(
      record<Observation>({ timestamp: seconds32, tickCumulative: int(56) }),
      1,
      65_535,
    ),
  },
  faultOfOracle,
)

const dynamicFee = record<DynamicFee>({
  scalingFactor: integer(0n, 10n ** 18n),
  capPpm: number(0, 500_000),
  fallbackPpm: number(0, 100_000),
  secondsAgo: number(1, 131_070),
  oracle,
})

/** The states that a pool of this family can have. */
export const shape: Shape<UniswapV3Pool> = record<UniswapV3Pool>(
  {
    ...timedFields,
    sampledAt: absent,
    family: choice('uniswapV3'),
    tokens: twoTokens,
    feePpm,
    extraGas: optional(number(0, 2 ** 32 - 1)),
    dynamicFee: optional(dynamicFee),
    tickSpacing: number(1, 16_384),
    ...concentratedFields,
  },
  (pool) =>
    firstFault(
      faultOfSorting(pool),
      faultOfTime(pool, pool.dynamicFee !== undefined),
      faultOfConcentrated(pool, pool.tickSpacing),
      pool.dynamicFee && faultOfNewest(pool, newestOf(pool.dynamicFee.oracle)),
    ),
)

function newestOf({ observations }: Oracle): number {
  return observations.at(-1)!.timestamp
}

/** The ring has room for what it holds, and its observations ascend. */
function faultOfOracle({ index, cardinality, older, observations }: Oracle): Fault | undefined {
  if (index >= cardinality)
    return { field: 'index', got: `${index}`, wanted: `below ${cardinality}` }
  if (older + observations.length > cardinality) {
    const got = `${older} beside ${observations.length} observations`
    return { field: 'older', got, wanted: `${cardinality} in all at most` }
  }
  const times = observations.map(({ timestamp }) => timestamp)
  return faultOfOrder(['observations', 'timestamp'], times)
}
