import fc from 'fast-check'
import { type Address, toHex } from '../hex.js'
import type { CurveStableSwapPool } from '../pools/curveStableSwap/index.js'
import { anyBits } from './arbitrary.js'

const E10 = 10n ** 10n

/** A coin: its decimals, its own rate, and its balance as a power of ten of whole tokens. */
const anyCoin = fc.record({
  decimals: fc.constantFrom(6n, 8n, 18n),
  rate: fc.oneof(fc.constant(10n ** 18n), fc.bigInt({ min: 10n ** 17n, max: 3n * 10n ** 18n })),
  tilt: fc.double({ min: 0, max: 3, noNaN: true }),
  digits: anyBits(1, 20),
})

/**
 * A pool of two to eight coins with balances from ten tokens to ten billion, one up to a thousand
 * times another, with a static or a dynamic fee and A at rest or on the move.
 */
export const anyCurveStableSwapPool: fc.Arbitrary<CurveStableSwapPool> = anyPool(
  fc.oneof(fc.constant(0n), fc.bigInt({ min: E10, max: 20n * E10 })),
)

/** Such pools whose fee does not depend on their balance. */
export const anyStaticStableSwapPool: fc.Arbitrary<CurveStableSwapPool> = anyPool(fc.constant(0n))

/** Such pools whose fee does. */
export const anyOffpegStableSwapPool: fc.Arbitrary<CurveStableSwapPool> = anyPool(
  fc.bigInt({ min: E10 + 1n, max: 20n * E10 }),
)

function anyPool(offpeg: fc.Arbitrary<bigint>): fc.Arbitrary<CurveStableSwapPool> {
  return fc
    .record({
      coins: fc.array(anyCoin, { minLength: 2, maxLength: 8 }),
      size: fc.double({ min: 1, max: 7, noNaN: true }),
      A: fc.bigInt({ min: 1n, max: 20_000n }),
      from: fc.option(fc.bigInt({ min: 1n, max: 20_000n })),
      passed: fc.bigInt({ min: 0n, max: 90_000n }),
      fee: fc.bigInt({ min: 0n, max: E10 / 200n }),
      adminFee: fc.bigInt({ min: 0n, max: E10 }),
      offpeg,
      precision: fc.constantFrom(1n, 100n),
    })
    .map(({ coins, size, A, from, passed, offpeg, precision, fee, adminFee }) => {
      const isNg = offpeg > 0n || precision === 100n
      const aPrecision = isNg ? 100n : precision
      const ramp = { initialA: (from ?? 1n) * aPrecision, initialATime: 1_000_000n }
      return {
        family: 'curveStableSwap',
        id: '0x0000000000000000000000000000000000000abc',
        venue: 'test-curve',
        tokens: coins.map((_, k): Address => toHex(0xc0 + k, 20)),
        isNg,
        balances: coins.map(({ decimals, tilt, digits }) => {
          const wei = BigInt(Math.floor(10 ** (size + tilt) * 1e3)) * 10n ** decimals
          return wei / 1_000n + digits
        }),
        rates: coins.map(({ decimals, rate }) => rate * 10n ** (18n - decimals)),
        A: A * aPrecision,
        aPrecision,
        ...(from !== null && {
          ramp: { ...ramp, futureATime: 1_086_400n },
          quotedAt: 1_000_000n + passed,
        }),
        rounding: isNg ? 'once' : 'eachCoin',
        ...{ fee, offpegFeeMultiplier: offpeg, adminFee },
      }
    })
}
