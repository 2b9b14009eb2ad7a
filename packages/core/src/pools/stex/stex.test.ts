import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBits, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { anyStexPool } from '../../testing/arbitraryStex.js'
import { describeConformance } from '../../testing/conformance.js'
import { propertyRuns } from '../../testing/propertyRuns.js'
import { feeBipsOf, feeStepsOf } from './fee.js'
import * as stex from './index.js'

const { applySwap, feeRate, getAmountOut, toCurve } = stex
const unstake = { in: 0, out: 1 } as const
const stake = { in: 1, out: 0 } as const
const E18 = 10n ** 18n
const numRuns = propertyRuns()
const options = { numRuns, endOnFailure: true }

// A wei of token 0 is worth up to 2⁷⁰/10¹⁸ of token 1, and two roundings lose two of them.
const wei = ({ rate }: stex.StexPool) => 2 + (2 * Number(rate)) / 1e18 + 2e18 / Number(rate)
const STAIRCASE = 'the fee applies to the whole input and increases in steps'

describeConformance(
  'stex',
  stex,
  anyStexPool,
  anyBits(1, 108),
  { relative: 1e-5, wei: (pool) => wei(pool as stex.StexPool) },
  {
    'never pays less for more input, up to its limit': STAIRCASE,
    'never pays more than rounding for a swap split in two': STAIRCASE,
    'has a curve that matches the integers': STAIRCASE,
    'charges at least both stated fees for a round trip of one wei':
      'the output of a first step of a few wei is mostly rounding',
  },
)

/** Twelve indices with the first and the last, because there may be thousands of steps. */
function someOf({ length }: readonly unknown[]): readonly number[] {
  const indices = Array.from({ length: 12 }, (_, i) => Math.round((i * (length - 1)) / 11))
  return length === 0 ? [] : [...new Set(indices)]
}

describe('the staircase of a stex pool', () => {
  it('is monotone while the fee is the same', () => {
    const property = fc.property(anyStexPool, anyBits(1, 108), anyBits(1, 108), (pool, a, more) => {
      const paid = getAmountOut(pool, unstake, a + more)
      if (paid === 0n || feeBipsOf(pool, a) !== feeBipsOf(pool, a + more)) return
      expect(paid).toBeGreaterThanOrEqual(getAmountOut(pool, unstake, a))
    })
    fc.assert(property, options)
  })

  it('has exactly one fee within each step', () => {
    const property = fc.property(anyStexPool, anyBits(1, 108), (pool, amountIn) => {
      const steps = feeStepsOf(pool)
      const asked = feeBipsOf(pool, amountIn)
      if (asked === undefined) return
      const step = steps.find(({ end }) => end === undefined || end >= amountIn)
      expect(asked).toBe(step!.feeBips)
      for (const i of someOf(steps)) {
        const { end, feeBips } = steps[i]!
        if (end === undefined) continue
        expect(feeBipsOf(pool, end)).toBe(feeBips)
        expect(feeBipsOf(pool, end + 1n)).toBe(steps[i + 1]!.feeBips)
      }
    })
    fc.assert(property, options)
  })

  it('states the part of the input that it charges', () => {
    const property = fc.property(anyStexPool, anyBits(1, 108), (pool, amountIn) => {
      const paid = getAmountOut(pool, unstake, amountIn)
      if (paid === 0n) return
      const whole = (Number(amountIn) * Number(pool.rate)) / 1e18
      const kept = whole * (1 - feeRate(pool, unstake, amountIn)!)
      expect(Math.abs(Number(paid) - kept)).toBeLessThanOrEqual(1e-9 * whole + wei(pool))
    })
    fc.assert(property, options)
  })

  it('is below the curve everywhere, also beyond its limit', () => {
    const property = fc.property(anyStexPool, anyBits(1, 108), (pool, drawn) => {
      for (const direction of [unstake, stake]) {
        const { out } = toCurve(pool, direction)
        const steps = direction === unstake ? feeStepsOf(pool) : []
        const ends = someOf(steps).flatMap((i) => steps[i]!.end ?? [])
        for (const amountIn of [drawn, ...ends.flatMap((end) => [end, end + 1n])]) {
          const paid = Number(getAmountOut(pool, direction, amountIn))
          // A wei for float rounding.
          expect(paid).toBeLessThanOrEqual(out(Number(amountIn)) * (1 + 1e-12) + wei(pool))
        }
      }
    })
    fc.assert(property, options)
  })

  it('almost touches the curve at the end of a step', () => {
    const { out } = toCurve(khype, unstake)
    const paid = getAmountOut(khype, unstake, END_OF_FIRST)
    // A part in 2¹⁹ early, so that no rounding of a share exceeds the step.
    expect(out(Number(END_OF_FIRST)) / Number(paid) - 1).toBeLessThan(2 ** -19)
    // One more wei costs 17 bips of the whole amount.
    const next = getAmountOut(khype, unstake, END_OF_FIRST + 1n)
    expect(Number(paid - next) / Number(paid)).toBeCloseTo(17e-4, 4)
  })
})

const base: stex.StexPool = {
  family: 'stex',
  id: '0x0000000000000000000000000000000000000abc',
  venue: 'test',
  tokens: [TOKEN_A, TOKEN_B],
  reserves: [50_000n * E18, 150_000n * E18],
  rate: E18,
  amountToken0PendingUnstaking: 0n,
  amountToken1PendingLPWithdrawal: 0n,
  amountToken1LendingPool: 0n,
  fee: {
    kind: 'ratio',
    ...{ minThresholdRatioBips: 5_000, maxThresholdRatioBips: 20_000 },
    ...{ feeMinBips: 1, feeMaxBips: 30 },
  },
  poolManagerFeeBips: 2_000,
  isPaused: false,
  ...{ sampledAt: 1n, quotedAt: 2n },
}

const khype: stex.StexPool = {
  ...base,
  rate: (103n * E18) / 100n,
  amountToken1LendingPool: 70_000n * E18,
  fee: {
    kind: 'steps',
    minThresholdToken1: 10_000n * E18,
    maxThresholdToken1: 200_000n * E18,
    stepsBips: [3, 20, 50, 200, 500],
  },
}
// The first of five steps of 38,000 ends at 220,000 − 162,000, converted to token 0 at 1.03.
const END_OF_FIRST = (58_000n * E18 * 100n - 1n) / 103n

describe('stex edge cases', () => {
  it('charges 3 bips of the input, which are 3 on top, and nothing for token 1', () => {
    expect(getAmountOut(khype, unstake, 10_000n)).toBe(
      (((10_000n * 10_000n) / 10_003n) * 103n) / 100n,
    )
    expect(getAmountOut(khype, stake, 10_300n)).toBe(10_000n)
  })

  it('converts a fee of a half of the input to one of 100 % on top', () => {
    const fee = { ...base.fee, feeMinBips: 4_999, feeMaxBips: 4_999 } as stex.RatioFee
    // 10⁸ / 5,001 is 19,996.0008.
    expect(feeBipsOf({ ...base, fee }, 1n)).toBe(9_996n)
  })

  it('excludes the manager’s share of a fee from the reserves', () => {
    const amountIn = 10_000n * E18
    const fee = amountIn - (amountIn * 10_000n) / 10_003n
    const after = applySwap(khype, unstake, amountIn)
    expect(after.reserves[0]).toBe(khype.reserves[0] + amountIn - (fee * 2_000n) / 10_000n)
    expect(after.reserves[1]).toBe(khype.reserves[1] - getAmountOut(khype, unstake, amountIn))
    expect(applySwap(khype, stake, E18).reserves[1]).toBe(khype.reserves[1] + E18)
  })

  it('pays only unlent tokens, and counts lent ones for the fee', () => {
    const lent = { ...khype, reserves: [0n, 10n * E18] as const }
    expect(getAmountOut(lent, unstake, 10n * E18)).toBe(0n)
    const all = { ...lent, reserves: [0n, 80_000n * E18] as const, amountToken1LendingPool: 0n }
    expect(feeBipsOf(lent, E18)).toBe(feeBipsOf(all, E18))
  })

  it('converts pending withdrawals to token 0 and subtracts them from the staked amount', () => {
    const owing = { ...khype, fee: base.fee, amountToken1PendingLPWithdrawal: 51_500n * E18 }
    // 51,500 equal 50,000 of token 0: nothing is staked, and only the input counts for the ratio.
    const unstaked = 220_000n * E18
    const atMin = (unstaked * 5_000n) / 10_000n
    expect(feeBipsOf(owing, atMin)).toBe(1n)
    expect(feeBipsOf(owing, (unstaked * 20_000n) / 10_000n)).toBe(30n)
  })

  it('refuses an input that does not cover pending withdrawals, like the module’s subtraction', () => {
    const owing = { ...base, amountToken1PendingLPWithdrawal: 50_001n * E18 }
    expect(getAmountOut(owing, unstake, E18 - 1n)).toBe(0n)
    expect(getAmountOut(owing, unstake, E18)).toBeGreaterThan(0n)
    expect(getAmountOut(owing, stake, E18)).toBe(E18)
  })

  it('returns 0 if paused, for any block but the next, and above the reserve', () => {
    for (const closed of [{ isPaused: true }, { quotedAt: 1n }, { quotedAt: 3n }]) {
      const pool = { ...khype, ...closed }
      expect(getAmountOut(pool, unstake, E18)).toBe(0n)
      expect(getAmountOut(pool, stake, E18)).toBe(0n)
      expect(toCurve(pool, unstake).limit).toBe(0)
    }
    expect(getAmountOut(base, stake, base.reserves[0])).toBe(base.reserves[0])
    expect(getAmountOut(base, stake, base.reserves[0] + 1n)).toBe(0n)
  })
})
