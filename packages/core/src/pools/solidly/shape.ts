import { boolean, choice, pair, record, type Shape, uint } from '../../shape/shape.js'
import {
  faultOfPowers,
  faultOfSorting,
  feePpm,
  firstFault,
  poolFields,
  powerOfTen,
  twoTokens,
} from '../poolFields.js'
import { maxReserveOf } from './exact.js'
import type { SolidlyPool, SolidlyVariant } from './pool.js'

/** The states that a pool of this family can have. */
export const shape: Shape<SolidlyPool> = record<SolidlyPool>(
  {
    ...poolFields,
    family: choice('solidly'),
    tokens: twoTokens,
    variant: choice<SolidlyVariant>('solidly', 'ramses', 'velodrome'),
    stable: boolean,
    reserves: pair(uint(192)),
    units: pair(powerOfTen),
    feePpm,
  },
  (pool) => {
    const at = pool.reserves.findIndex((reserve) => reserve > maxReserveOf(pool))
    return firstFault(
      faultOfSorting(pool),
      faultOfPowers('units', pool.units),
      at === -1
        ? undefined
        : {
            ...{ field: `reserves[${at}]`, got: `${pool.reserves[at]}` },
            wanted: `at most ${maxReserveOf(pool)}`,
          },
    )
  },
)
