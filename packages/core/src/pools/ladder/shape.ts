import {
  choice,
  type Fault,
  integer,
  list,
  pair,
  record,
  type Shape,
  twoOf,
  uint,
} from '../../shape/shape.js'
import { faultOfTokens, firstFault, sampledFields, twoTokens } from '../poolFields.js'
import { type Ladder, type LadderPool, type LadderProtocol, ladderProtocols } from './pool.js'

const MAX_UINT256 = (1n << 256n) - 1n

const rung = twoOf(integer(1n, MAX_UINT256), uint(256))

/** The states that a pool of this family can have. */
export const shape: Shape<LadderPool> = record<LadderPool>(
  {
    ...sampledFields,
    family: choice('ladder'),
    tokens: twoTokens,
    protocol: choice<LadderProtocol>(...ladderProtocols),
    ladders: pair<Ladder>(list(rung, 0, 1_000)),
  },
  (pool) =>
    firstFault(
      faultOfTokens(pool),
      pool.protocol === 'vault' && pool.tokens[1] !== pool.id
        ? { field: 'tokens[1]', got: pool.tokens[1], wanted: `${pool.id}, the vault` }
        : undefined,
      faultOfRungs('ladders[0]', pool.ladders[0]),
      faultOfRungs('ladders[1]', pool.ladders[1]),
    ),
)

/** Inputs ascend; a haircut may make the outputs of two rungs equal. */
function faultOfRungs(field: string, ladder: Ladder): Fault | undefined {
  for (const [i, [amountIn, amountOut]] of ladder.entries()) {
    const [lessIn, lessOut] = ladder[i - 1] ?? [0n, 0n]
    if (amountIn <= lessIn) {
      return { field: `${field}[${i}][0]`, got: `${amountIn}`, wanted: `above ${lessIn}` }
    }
    if (amountOut < lessOut) {
      return { field: `${field}[${i}][1]`, got: `${amountOut}`, wanted: `at least ${lessOut}` }
    }
  }
  return undefined
}
