import { boolean, choice, type Fault, number, pair, record, type Shape } from '../../shape/shape.js'
import { concentratedFields, faultOfConcentrated } from '../concentratedShape.js'
import {
  address,
  faultOfSorting,
  faultOfTokens,
  firstFault,
  hash,
  poolFields,
  twoTokens,
} from '../poolFields.js'
import type { UniswapV4Pool } from './pool.js'

/** The states that a pool of this family can have. The native currency is below every token, so it is not sorted. */
export const shape: Shape<UniswapV4Pool> = record<UniswapV4Pool>(
  {
    ...poolFields,
    family: choice('uniswapV4'),
    id: hash,
    manager: address,
    tokens: twoTokens,
    isNative: boolean,
    lpFeePpm: number(0, 1_000_000),
    protocolFeesPpm: pair(number(0, 1_000)),
    tickSpacing: number(1, 32_767),
    hooks: address,
    ...concentratedFields,
  },
  (pool) =>
    firstFault(
      pool.isNative ? faultOfTokens(pool) : faultOfSorting(pool),
      faultOfHooks(pool),
      faultOfConcentrated(pool, pool.tickSpacing),
    ),
)

/** Bits of the hooks' address: called before or after a swap, with or without amounts of their own. */
const SWAP_HOOKS = 0xccn

function faultOfHooks({ hooks }: UniswapV4Pool): Fault | undefined {
  if ((BigInt(hooks) & SWAP_HOOKS) === 0n) return undefined
  return { field: 'hooks', got: hooks, wanted: 'a contract that takes no part in swaps' }
}
