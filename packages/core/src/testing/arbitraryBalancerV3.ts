import fc from 'fast-check'
import { type Address, toHex } from '../hex.js'
import type { BalancerV3Pool, StableForm, WeightedForm } from '../pools/balancerV3/index.js'
import { anyBits } from './arbitrary.js'

const E18 = 10n ** 18n

/** A token: its decimals, rate, balance as a power of ten of whole tokens, share of the weights. */
const anyToken = fc.record({
  decimals: fc.constantFrom(0n, 6n, 8n, 18n),
  rate: fc.oneof(fc.constant(E18), fc.bigInt({ min: 10n ** 17n, max: 3n * E18 })),
  tilt: fc.double({ min: 0, max: 3, noNaN: true }),
  digits: anyBits(1, 20),
  part: fc.integer({ min: 1, max: 99 }),
})

type Drawn = typeof anyToken extends fc.Arbitrary<infer T> ? T : never

/** A weighted pool of two to eight tokens from ten to ten billion, with or without least balances. */
export const anyWeightedBalancerV3Pool: fc.Arbitrary<BalancerV3Pool> = anyPool(
  8,
  fc.option(anyBits(1, 60)).map((least) => (tokens: readonly Drawn[]): WeightedForm => {
    const whole = tokens.reduce((sum, { part }) => sum + part, 0)
    const weights = tokens.map(({ part }) => (BigInt(part) * E18) / BigInt(whole))
    const rest = E18 - weights.reduce((sum, weight) => sum + weight, 0n)
    return {
      kind: 'weighted',
      normalizedWeights: weights.with(0, weights[0]! + rest),
      ...(least !== null && { minTokenBalances: tokens.map(() => least + 10_000n) }),
    }
  }),
)

/** A stable pool of two to five tokens, one balance up to a thousand times another. */
export const anyStableBalancerV3Pool: fc.Arbitrary<BalancerV3Pool> = anyPool(
  5,
  fc
    .record({
      amp: fc.bigInt({ min: 1_000n, max: 50_000_000n }),
      startValue: fc.option(fc.bigInt({ min: 1_000n, max: 50_000_000n })),
    })
    .map(({ amp, startValue }) => (): StableForm => {
      const times = { startTime: 1_000_000n, endTime: 1_086_400n }
      return { kind: 'stable', amp, ...(startValue !== null && { ramp: { startValue, ...times } }) }
    }),
)

function anyPool<F extends WeightedForm | StableForm>(
  maxLength: number,
  anyForm: fc.Arbitrary<(tokens: readonly Drawn[]) => F>,
): fc.Arbitrary<BalancerV3Pool> {
  return fc
    .record({
      tokens: fc.array(anyToken, { minLength: 2, maxLength }),
      size: fc.double({ min: 1, max: 7, noNaN: true }),
      formOf: anyForm,
      fee: fc.bigInt({ min: 10n, max: 1_000_000n }),
      protocolPart: fc.bigInt({ min: 0n, max: 9_999_990n }),
      passed: fc.bigInt({ min: 0n, max: 90_000n }),
    })
    .map(({ tokens, size, formOf, fee, protocolPart, passed }) => {
      const form = formOf(tokens)
      const isMoving = form.kind === 'stable' && form.ramp !== undefined
      return {
        ...{ family: 'balancerV3', id: toHex(0xabc, 20), venue: 'test-balancer' },
        tokens: tokens.map((_, k): Address => toHex(0xb0 + k, 20)),
        balancesRaw: tokens.map(({ decimals, tilt, digits }) => {
          const wei = BigInt(Math.floor(10 ** (size + tilt) * 1e3)) * 10n ** decimals
          return wei / 1_000n + digits / 10n ** (18n - decimals)
        }),
        decimalScalingFactors: tokens.map(({ decimals }) => 10n ** (18n - decimals)),
        tokenRates: tokens.map(({ rate }) => rate),
        // The vault stores fees in steps of 10⁻⁷.
        swapFee: fee * 10n ** 11n,
        aggregateSwapFee: protocolPart * 10n ** 11n,
        minTradeAmount: 1_000_000n,
        form,
        ...(isMoving && { quotedAt: 1_000_000n + passed }),
      }
    })
}
