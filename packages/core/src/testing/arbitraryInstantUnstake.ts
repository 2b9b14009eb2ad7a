import fc from 'fast-check'
import type { InstantUnstakePool } from '../pools/instantUnstake/index.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

/** A pool of any size, rate and fee, read one second before the quote. */
export const anyInstantUnstakePool: fc.Arbitrary<InstantUnstakePool> = fc
  .record({
    rate: fc.oneof(fc.bigInt({ min: 10n ** 18n, max: 2n * 10n ** 18n }), anyBits(1, 100)),
    feeRateBps: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 9_999 })),
    buffer: anyBits(0, 104),
    minAmountIn: fc.constantFrom(0n, 0n, 1n, 10n ** 6n, 10n ** 17n),
  })
  .map((state) => ({
    family: 'instantUnstake',
    id: '0x0000000000000000000000000000000000000abc',
    venue: 'test-unstaking',
    tokens: [TOKEN_A, TOKEN_B],
    ...state,
    ...{ sampledAt: 1_700_000_000n, quotedAt: 1_700_000_001n },
  }))
