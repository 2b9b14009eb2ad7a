import { choice, integer, optional, pair, record, type Shape, uint } from '../../shape/shape.js'
import { address, faultOfTokens, hash, sampledFields, twoTokens } from '../poolFields.js'
import type { BalancerBufferPool } from './pool.js'

/** The states that a pool of this family can have. */
export const shape: Shape<BalancerBufferPool> = record<BalancerBufferPool>(
  {
    ...sampledFields,
    family: choice('balancerBuffer'),
    id: hash,
    manager: address,
    ratedBy: optional(address),
    tokens: twoTokens,
    balances: pair(uint(128)),
    rate: pair(integer(1n, (1n << 128n) - 1n)),
    wrapHaircutPpm: integer(0n, 999_999n),
    minWrapAmount: uint(128),
  },
  faultOfTokens,
)
