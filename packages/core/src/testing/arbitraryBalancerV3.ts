import fc from 'fast-check'
import { type Address, toHex } from '../hex.js'
import { sqrtDown } from '../math/fullMath.js'
import { ONE_38 } from '../math/signedFixedPoint.js'
import type {
  BalancerV3Pool,
  EclpForm,
  StableForm,
  WeightedForm,
} from '../pools/balancerV3/index.js'
import type { Vector } from '../pools/balancerV3/pool.js'
import { anyBits } from './arbitrary.js'

const E18 = 10n ** 18n
const ONE_36 = 10n ** 36n

/** A token: its decimals, rate, balance as a power of ten of whole tokens, share of the weights. */
const anyToken = fc.record({
  decimals: fc.constantFrom(0n, 6n, 8n, 18n),
  rate: fc.oneof(fc.constant(E18), fc.bigInt({ min: 10n ** 17n, max: 3n * E18 })),
  tilt: fc.double({ min: 0, max: 3, noNaN: true }),
  digits: anyBits(1, 20),
  // With eight tokens, ten parts are still more than the least weight of 1 %.
  part: fc.integer({ min: 10, max: 99 }),
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

/**
 * An E-CLP from a tenth to ten times a price, or a thousandth around it, with balances from all of the
 * first token to all of the second.
 */
export const anyEclpBalancerV3Pool: fc.Arbitrary<BalancerV3Pool> = fc
  .record({
    base: anyPool(
      2,
      fc.constant(() => ({ kind: 'stable', amp: 1_000n }) satisfies StableForm),
    ),
    price: fc.double({ min: -3, max: 3, noNaN: true }),
    width: fc.double({ min: -3.5, max: 0.5, noNaN: true }),
    turn: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
    stretch: fc.double({ min: 0, max: 2, noNaN: true }),
    size: fc.double({ min: 1, max: 8, noNaN: true }),
    part: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    digits: anyBits(1, 50),
  })
  .map(({ base, price, width, turn, stretch, size, part, digits }) => {
    const half = 10 ** width
    const [middle, low] = [10 ** price, 10 ** price / (1 + half)]
    const form = eclpFormOf({
      ...{ alpha: low, beta: middle * (1 + half), price: middle * (1 + turn * Math.min(1, half)) },
      lambda: Math.max(1, 10 ** stretch / half),
    })
    // The second token is worth one, so its whole balance is the price times that of the first.
    const all = BigInt(Math.round(10 ** (size + 3)))
    const permille = BigInt(Math.round(part * 1_000))
    const balances = [
      (all * (1_000n - permille) * E18) / BigInt(Math.round(middle * 1e6)),
      (all * permille * E18) / 10n ** 6n,
    ]
    return {
      ...base,
      balancesRaw: balances.map((balance, k) => {
        const unit = base.decimalScalingFactors[k]! * base.tokenRates[k]!
        return ((balance === 0n ? 0n : balance + digits) * E18) / unit
      }),
      form,
    }
  })

/** An ellipse of a price range, turned so that it is flattest at a price, as a pool would store it. */
export function eclpFormOf(shape: {
  readonly alpha: number
  readonly beta: number
  readonly price: number
  readonly lambda: number
}): EclpForm {
  const fixed = (value: number) => BigInt(Math.round(value * 1e9)) * 10n ** 9n
  const [alpha, beta, lambda] = [shape.alpha, shape.beta, shape.lambda].map(fixed) as [
    ...[bigint, bigint, bigint],
  ]
  const [p, one] = [fixed(shape.price), E18]
  const norm = sqrtDown(p * p + one * one)
  // The price s/c is in the middle of the range.
  const [c, s] = [(one * E18) / norm, (p * E18) / norm]
  const [tauAlpha, tauBeta] = [alpha, beta].map((bound) => {
    const [x, y] = [lambda * (c * bound - s * E18), (s * bound + c * E18) * E18]
    const length = sqrtDown(x * x + y * y)
    return { x: (x * ONE_38) / length, y: (y * ONE_38) / length }
  }) as [Vector, Vector]
  const [ofBoth, ofS, ofC] = [s * c, s * s, c * c]
  const product = (a: bigint, b: bigint) => (a * b) / ONE_36
  return {
    ...{ kind: 'eclp', c, s, lambda, tauAlpha, tauBeta, dSq: (ofS + ofC) * 100n },
    u: product(ofBoth, tauBeta.x - tauAlpha.x),
    v: product(ofS, tauBeta.y) + product(ofC, tauAlpha.y),
    w: product(ofBoth, tauBeta.y - tauAlpha.y),
    z: product(ofC, tauBeta.x) + product(ofS, tauAlpha.x),
  }
}

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
