import fc from 'fast-check'
import { toHex } from '../hex.js'
import type { BalancerBufferPool } from '../pools/balancerBuffer/index.js'
import { anyBits, TOKEN_A, TOKEN_B } from './arbitrary.js'

const anyPart = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 6n }), anyBits(1, 127))

/** A buffer with any balances and any rate from 2⁻⁶⁴ to 2⁶⁴, also one with too little to pay. */
export const anyBalancerBufferPool: fc.Arbitrary<BalancerBufferPool> = fc
  .record({
    balances: fc.tuple(anyBits(0, 112), anyBits(0, 112)),
    rate: fc
      .tuple(anyPart, anyPart)
      .filter(([shares, assets]) => shares >> 64n < assets && assets >> 64n < shares),
    wrapHaircutPpm: fc.constantFrom(0n, 0n, 1n, 5_000n),
    minWrapAmount: fc.constantFrom(0n, 1n, 10_000n, 1_000_000n),
    sampledAt: fc.bigInt({ min: 1n, max: (1n << 40n) - 2n }),
  })
  .map((state) => ({
    family: 'balancerBuffer',
    id: toHex(BigInt(TOKEN_B), 32),
    manager: toHex(0xba, 20),
    venue: 'test-buffers',
    tokens: [TOKEN_A, TOKEN_B],
    ...state,
    quotedAt: state.sampledAt + 1n,
  }))
