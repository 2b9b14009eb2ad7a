import { boolean, choice, number, pair, record, type Shape, uint } from '../../shape/shape.js'
import {
  faultOfPowers,
  faultOfSorting,
  firstFault,
  poolFields,
  powerOfTen,
  twoTokens,
} from '../poolFields.js'
import type { CamelotPool } from './pool.js'

/** The states that a pool of this family can have. */
export const shape: Shape<CamelotPool> = record<CamelotPool>(
  {
    ...poolFields,
    family: choice('camelot'),
    tokens: twoTokens,
    stableSwap: boolean,
    reserves: pair(uint(112)),
    precisionMultipliers: pair(powerOfTen),
    feePercents: pair(number(0, 99_999)),
    ownerFeeShare: number(0, 100_000),
  },
  (pool) =>
    firstFault(
      faultOfSorting(pool),
      faultOfPowers('precisionMultipliers', pool.precisionMultipliers),
    ),
)
