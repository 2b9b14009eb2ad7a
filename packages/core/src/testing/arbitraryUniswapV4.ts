import fc from 'fast-check'
import { ZERO_ADDRESS } from '../hex.js'
import type { UniswapV4Pool } from '../pools/uniswapV4/index.js'
import { anyUniswapV3Pool } from './arbitrary.js'

const ID = `0x${'ab'.repeat(32)}` as const
const MANAGER = `0x${'cd'.repeat(20)}` as const

/**
 * A pool at any price, with any fee and the protocol's on top of it. Fees of the whole input, which pay
 * nothing, have a test of their own.
 */
export const anyUniswapV4Pool: fc.Arbitrary<UniswapV4Pool> = fc
  .record({
    pool: anyUniswapV3Pool,
    lpFeePpm: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 998_000 })),
    protocolFeesPpm: fc.tuple(
      fc.integer({ min: 0, max: 1_000 }),
      fc.integer({ min: 0, max: 1_000 }),
    ),
    isNative: fc.boolean(),
  })
  .map(({ pool: { feePpm: _, ...pool }, lpFeePpm, protocolFeesPpm, isNative }) => ({
    ...{ ...pool, family: 'uniswapV4', id: ID, manager: MANAGER, hooks: ZERO_ADDRESS },
    ...{ lpFeePpm, protocolFeesPpm, isNative },
  }))
