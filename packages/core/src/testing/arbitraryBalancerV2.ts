import fc from 'fast-check'
import { type Address, concatHex, toHex } from '../hex.js'
import type {
  BalancerV2Pool,
  ComposableStableForm,
  WeightedForm,
} from '../pools/balancerV2/index.js'
import { anyBits } from './arbitrary.js'

const E18 = 10n ** 18n

/** A token: its decimals, rates, balance as a power of ten of whole tokens, share of the weights. */
const anyToken = fc.record({
  decimals: fc.constantFrom(0n, 6n, 8n, 18n),
  rate: fc.oneof(fc.constant(E18), fc.bigInt({ min: 10n ** 17n, max: 3n * E18 })),
  current: fc.option(fc.bigInt({ min: 10n ** 17n, max: 3n * E18 })),
  tilt: fc.double({ min: 0, max: 3, noNaN: true }),
  digits: anyBits(1, 20),
  // With eight tokens, ten parts are still more than the least weight of 1 %.
  part: fc.integer({ min: 10, max: 99 }),
})

type Drawn = typeof anyToken extends fc.Arbitrary<infer T> ? T : never

/** A weighted pool of two to eight tokens from ten to ten billion. */
export const anyWeightedBalancerV2Pool: fc.Arbitrary<BalancerV2Pool> = anyPool(
  8,
  fc.constant((tokens: readonly Drawn[]): WeightedForm => {
    const whole = tokens.reduce((sum, { part }) => sum + part, 0)
    const weights = tokens.map(({ part }) => (BigInt(part) * E18) / BigInt(whole))
    const rest = E18 - weights.reduce((sum, weight) => sum + weight, 0n)
    return { kind: 'weighted', normalizedWeights: weights.with(0, weights[0]! + rest) }
  }),
)

/**
 * A stable pool of two to five tokens, one balance up to a thousand times another, its rates valid or
 * expired, and its amplification at rest or on the move.
 */
export const anyStableBalancerV2Pool: fc.Arbitrary<BalancerV2Pool> = anyPool(
  5,
  fc
    .record({
      amp: fc.bigInt({ min: 1_000n, max: 5_000_000n }),
      startValue: fc.option(fc.bigInt({ min: 1_000n, max: 5_000_000n })),
    })
    .map(({ amp, startValue }) => (tokens: readonly Drawn[]): ComposableStableForm => {
      const times = { startTime: 1_000_000n, endTime: 1_086_400n }
      const rates = tokens.map(({ rate: cached, current }, k) =>
        current === null
          ? { cached: E18 }
          : { cached, renewal: { current, expires: 1_000_000n + 20_000n * BigInt(k) } },
      )
      const ramp = startValue === null ? {} : { ramp: { startValue, ...times } }
      return { kind: 'composableStable', amp, ...ramp, rates }
    }),
)

function anyPool<F extends WeightedForm | ComposableStableForm>(
  maxLength: number,
  anyForm: fc.Arbitrary<(tokens: readonly Drawn[]) => F>,
): fc.Arbitrary<BalancerV2Pool> {
  return fc
    .record({
      tokens: fc.array(anyToken, { minLength: 2, maxLength }),
      size: fc.double({ min: 1, max: 7, noNaN: true }),
      formOf: anyForm,
      fee: fc.bigInt({ min: 10n ** 12n, max: 10n ** 17n }),
      passed: fc.bigInt({ min: 0n, max: 90_000n }),
    })
    .map(({ tokens, size, formOf, fee, passed }) => {
      const form = formOf(tokens)
      const id: Address = toHex(0xabc, 20)
      const quotedAt = 1_000_000n + passed
      const hasRates = form.kind === 'composableStable' && form.rates.some(({ renewal }) => renewal)
      const isMoving = form.kind === 'composableStable' && form.ramp !== undefined
      return {
        ...{ family: 'balancerV2', id, venue: 'test-balancer' },
        poolId: concatHex(id, toHex(1, 12)),
        tokens: tokens.map((_, k): Address => toHex(0xb0 + k, 20)),
        balances: tokens.map(({ decimals, tilt, digits }) => {
          const wei = BigInt(Math.floor(10 ** (size + tilt) * 1e3)) * 10n ** decimals
          return wei / 1_000n + digits / 10n ** (18n - decimals)
        }),
        decimalScalingFactors: tokens.map(({ decimals }) => 10n ** (18n - decimals)),
        swapFee: fee,
        form,
        ...((hasRates || isMoving) && { quotedAt }),
        ...(hasRates && { sampledAt: quotedAt - 1n }),
      }
    })
}
