import { choice, pair, record, type Shape, uint } from '../../shape/shape.js'
import { faultOfSorting, feePpm, poolFields, twoTokens } from '../poolFields.js'
import type { UniswapV2Pool } from './pool.js'

/** The states that a pool of this family can have. */
export const shape: Shape<UniswapV2Pool> = record<UniswapV2Pool>(
  {
    ...poolFields,
    family: choice('uniswapV2'),
    tokens: twoTokens,
    reserves: pair(uint(112)),
    feePpm,
  },
  faultOfSorting,
)
