import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { ceilBy38, floorBy38, sqrtFixed } from '../../math/signedFixedPoint.js'
import { faultOf } from '../../shape/check.js'
import { anyBits } from '../../testing/arbitrary.js'
import { anyEclpBalancerV3Pool, eclpFormOf } from '../../testing/arbitraryBalancerV3.js'
import { describeConformance } from '../../testing/conformance.js'
import { eclpInvariant } from './eclpInvariant.js'
import { liveBalances } from './exact.js'
import * as balancerV3 from './index.js'

type Pool = balancerV3.BalancerV3Pool
const { applySwap, getAmountOut, isEmpty, toCurve } = balancerV3

const E18 = 10n ** 18n
const [THERE, HOME] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]

// The least trade and two wei of the input at the higher price, and a wei of the output. The contract's
// own bound of the invariant's error moves the centre of the ellipse by λ times as much, and the error of
// a root with 18 decimals is that of its last one divided by the root.
function wei(pool: Pool): number {
  const units = pool.decimalScalingFactors.map(
    (scale, k) => (Number(scale) * Number(pool.tokenRates[k]!)) / 1e18,
  )
  const prices = [THERE, HOME].map(
    (direction) =>
      (toCurve(pool, direction).price(0) * units[direction.out]!) / units[direction.in]!,
  )
  const price = Math.max(1, ...prices)
  const rounding = 8 * Math.max(1, ...units) + 2 * Number(pool.minTradeAmount)
  return 3 + (price * (rounding + ofEllipse(pool))) / Math.min(...units)
}

function ofEllipse(pool: Pool): number {
  const form = pool.form as balancerV3.EclpForm
  const r = eclpInvariant(form, liveBalances(pool))
  if (!r) return 0
  const stretch = Number(form.lambda) / 1e18
  return (
    2 * Number(r.high - r.low) * (1 + stretch) + Math.min(1e10, (40e18 * stretch) / Number(r.low))
  )
}

describeConformance(
  'balancerV3 with the ellipse of an E-CLP',
  balancerV3,
  anyEclpBalancerV3Pool,
  anyBits(1, 110),
  { relative: 1e-9, wei: (pool: unknown) => wei(pool as Pool), fewerRuns: 100 },
)

type Vector = {
  readonly swaps: readonly {
    readonly amountRaw: string
    readonly tokenIn: string
    readonly outputRaw: string
  }[]
  readonly pool: Readonly<Record<string, string>> & {
    readonly poolAddress: Address
    readonly tokens: readonly Address[]
    readonly balancesLiveScaled18: readonly string[]
    readonly tokenRates: readonly string[]
  }
}

function poolOf({ pool: of }: Vector): Pool {
  const value = (name: string) => BigInt(of[name]!)
  return {
    ...{ family: 'balancerV3', id: of.poolAddress, venue: 'reference' },
    tokens: of.tokens.map((token) => token.toLowerCase() as Address),
    // Both tokens of every vector have 18 decimals and the rate 1.
    balancesRaw: of.balancesLiveScaled18.map(BigInt),
    decimalScalingFactors: [1n, 1n],
    tokenRates: of.tokenRates.map(BigInt),
    ...{ swapFee: value('swapFee'), aggregateSwapFee: value('aggregateSwapFee') },
    minTradeAmount: 1_000_000n,
    form: {
      ...{ kind: 'eclp', c: value('paramsC'), s: value('paramsS'), lambda: value('paramsLambda') },
      tauAlpha: { x: value('tauAlphaX'), y: value('tauAlphaY') },
      tauBeta: { x: value('tauBetaX'), y: value('tauBetaY') },
      ...{ u: value('u'), v: value('v'), w: value('w'), z: value('z'), dSq: value('dSq') },
    },
  }
}

describeReferenceVectors('E-CLP reference vectors', (readVector) => {
  it.each([
    ['balancer-v3/gyro-eclp.json', 2],
    ['balancer-v3/gyro-eclp-mainnet.json', 1],
  ])('are reproduced to the wei: %s', (file, count) => {
    const vector = readVector(file) as Vector
    const pool = poolOf(vector)
    expect(faultOf(balancerV3.shape, { ...pool, id: pool.id.toLowerCase() })).toBeUndefined()
    const outputs = vector.swaps.map(({ tokenIn, amountRaw }) => {
      const from = pool.tokens.indexOf(tokenIn.toLowerCase() as Address)
      return getAmountOut(pool, { in: from, out: 1 - from }, BigInt(amountRaw)).toString()
    })
    expect(outputs).toEqual(vector.swaps.map(({ outputRaw }) => outputRaw))
    expect(outputs.length).toBe(count)
  })
})

// The prices 0.8 to 1.25 with a stretch of 50, as a pool stores them.
const form = eclpFormOf({ alpha: 0.8, beta: 1.25, price: 1, lambda: 50 })
const pool: Pool = {
  ...{ family: 'balancerV3', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  tokens: ['0x0a', '0x0b'] as Address[],
  balancesRaw: [1_000n * E18, 1_200n * 10n ** 6n],
  decimalScalingFactors: [1n, 10n ** 12n],
  tokenRates: [E18, E18],
  ...{ swapFee: 3n * 10n ** 15n, aggregateSwapFee: E18 / 2n, minTradeAmount: 1_000_000n, form },
}
const wide: Pool = { ...pool, decimalScalingFactors: [1n, 1n], balancesRaw: [E18, E18] }

describe('E-CLP edge cases', () => {
  it('pays until the other balance is 0, and refuses more', () => {
    for (const direction of [THERE, HOME]) {
      const { limit } = toCurve(pool, direction)
      const most = getAmountOut(pool, direction, BigInt(Math.floor(limit)))
      const part = Number(most) / Number(pool.balancesRaw[direction.out]!)
      expect(part).toBeGreaterThan(1 - 1e-6)
      expect(part).toBeLessThanOrEqual(1)
      expect(getAmountOut(pool, direction, BigInt(Math.ceil(limit * (1 + 1e-6))))).toBe(0n)
    }
  })

  it('pays at prices within its bounds only', () => {
    const whole: Pool = { ...pool, balancesRaw: [0n, 2_000n * 10n ** 6n], swapFee: 0n }
    const { price, limit } = toCurve(whole, THERE)
    // One wei of token 1 is 10¹² of the common unit.
    expect(price(0) * 1e12).toBeCloseTo(1.25, 9)
    expect(price(limit) * 1e12).toBeCloseTo(0.8, 6)
    expect(getAmountOut(whole, HOME, 10n ** 6n)).toBe(0n)
    expect(getAmountOut(whole, THERE, E18)).toBeGreaterThan(1_240_000n)
  })

  it('pays the same from both sides of a symmetric ellipse', () => {
    const [there, home] = [THERE, HOME].map((side) => getAmountOut(wide, side, E18 / 10n))
    // The stored prices 0.8 and 1.25 are reciprocal only up to their decimals.
    expect(Math.abs(Number(there! - home!))).toBeLessThan(1e5)
    expect(there).toBeGreaterThan((E18 * 95n) / 1_000n)
  })

  it('plans no input against a balance of 0, however large the error of the invariant is', () => {
    // A narrow range without a stretch: the largest balance of token 0 is off by millions of wei.
    const narrow = eclpFormOf({ alpha: 0.00106, beta: 0.00119, price: 0.0011, lambda: 1 })
    const full = { ...wide, form: narrow, balancesRaw: [18_279_124_731n * E18, 0n] }
    expect(toCurve(full, THERE).limit).toBe(0)
    expect(toCurve(full, HOME).limit).toBeGreaterThan(0)
  })

  it('refuses the last input that its bounds allow if rounding leaves less than 0', () => {
    const round = eclpFormOf({ alpha: 0.63, beta: 0.72, price: 0.67, lambda: 1 })
    // All of it is token 1, whose 6 decimals hide that the formula takes out 133,235·10⁻¹⁸ too much.
    const balance = 9_281n * 10n ** 6n
    const full = { ...pool, form: round, swapFee: 0n, balancesRaw: [0n, balance] }
    const last = 13_768_765_820_470_477_933_877n
    expect(getAmountOut(full, THERE, last - 10n ** 12n)).toBe(balance - 1n)
    expect(getAmountOut(full, THERE, last)).toBe(0n)
  })

  it('refuses balances beyond those of the contract, and an ellipse that is none', () => {
    const rich = (balance: bigint) => ({ ...wide, balancesRaw: [balance, balance] })
    expect(getAmountOut(rich(10n ** 34n / 2n), THERE, E18)).toBeGreaterThan(0n)
    expect(getAmountOut(rich(10n ** 34n / 2n + 1n), THERE, E18)).toBe(0n)
    const flat = { ...wide, form: { ...form, u: 0n, v: 0n, w: 0n, z: 0n } }
    expect(getAmountOut(flat, THERE, E18 / 10n)).toBe(0n)
    expect(toCurve(flat, THERE).limit).toBe(0)
  })

  it('is empty without both balances, and trades with one', () => {
    const bare: Pool = { ...wide, balancesRaw: [0n, 0n] }
    expect(getAmountOut(bare, THERE, E18)).toBe(0n)
    expect(isEmpty(bare)).toBe(true)
    const one: Pool = { ...wide, balancesRaw: [0n, E18] }
    expect(isEmpty(one)).toBe(false)
    const after = applySwap(one, THERE, E18 / 10n)
    expect(getAmountOut(after, HOME, E18 / 100n)).toBeGreaterThan(0n)
  })
})

describe('signed fixed-point numbers', () => {
  it('round products with 38 decimals down and up, also of negative numbers', () => {
    const third = 10n ** 38n / 3n
    expect([floorBy38(10n, third), ceilBy38(10n, third)]).toEqual([3n, 4n])
    expect([floorBy38(-10n, third), ceilBy38(-10n, third)]).toEqual([-4n, -3n])
    expect([floorBy38(0n, -third), ceilBy38(0n, third)]).toEqual([0n, 0n])
    expect([floorBy38(-1n, 1n), ceilBy38(1n, 1n)]).toEqual([-1n, 1n])
  })

  it('have roots rounded down, from the smallest to the largest', () => {
    expect([0n, -5n, 1n, 2n].map(sqrtFixed)).toEqual([0n, 0n, 10n ** 9n, 1_414_213_562n])
    for (let exponent = 1n; exponent < 70n; exponent++) {
      for (const n of [10n ** exponent, 3n * 10n ** exponent, 10n ** exponent - 1n]) {
        const root = sqrtFixed(n)
        expect(root * root).toBeLessThanOrEqual(n * E18)
        expect((root + 1n) ** 2n).toBeGreaterThan(n * E18)
      }
    }
  })
})
