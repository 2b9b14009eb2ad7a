import { choice, integer, number, record, type Shape, uint } from '../../shape/shape.js'
import { faultOfTokens, sampledFields, twoTokens } from '../poolFields.js'
import type { InstantUnstakePool } from './pool.js'

/** The states that a pool of this family can have. */
export const shape: Shape<InstantUnstakePool> = record<InstantUnstakePool>(
  {
    ...sampledFields,
    family: choice('instantUnstake'),
    tokens: twoTokens,
    rate: integer(1n, (1n << 128n) - 1n),
    feeRateBps: number(0, 9_999),
    buffer: uint(128),
    minAmountIn: uint(128),
  },
  faultOfTokens,
)
