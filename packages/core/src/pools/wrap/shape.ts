import { NATIVE } from '../../hex.js'
import { choice, record, type Shape, twoOf } from '../../shape/shape.js'
import { address, poolFields } from '../poolFields.js'
import type { WrapPool } from './pool.js'

/** The states that the pool of this family can have: it has the address of the wrapped token. */
export const shape: Shape<WrapPool> = record<WrapPool>(
  { ...poolFields, family: choice('wrap'), tokens: twoOf(choice(NATIVE), address) },
  ({ id, tokens }) =>
    id === tokens[1] ? undefined : { field: 'tokens[1]', got: tokens[1], wanted: `${id}, the id` },
)
