import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { anyBits } from '../../testing/arbitrary.js'
import {
  anyStableBalancerV2Pool,
  anyWeightedBalancerV2Pool,
} from '../../testing/arbitraryBalancerV2.js'
import { describeConformance } from '../../testing/conformance.js'
import { itHasClosePieces, itIsNowhereBelowPool } from '../../testing/itHasCurve.js'
import { liveBalances, unitsOf } from './exact.js'
import * as balancerV2 from './index.js'

const options = { numRuns: Number(process.env['BRAID_FUZZ_RUNS'] ?? 200), endOnFailure: true }

type Pool = balancerV2.BalancerV2Pool
const { applySwap, getAmountOut, toCurve } = balancerV2

const units = (pool: Pool) => unitsOf(pool).map((unit) => Number(unit) / 1e18)

/** The highest price of any direction, in the common unit. */
function highestPrice(pool: Pool): number {
  const unit = units(pool)
  const prices = pool.tokens.flatMap((_, i) =>
    pool.tokens.flatMap((_, o) =>
      i === o ? [] : [(toCurve(pool, { in: i, out: o }).price(0) * unit[o]!) / unit[i]!],
    ),
  )
  return Math.max(1, ...prices)
}

// The unit of the constant term in Newton's method is a thousand balances, because the contract
// multiplies by the precision of the amplification after it has divided.
const STABLE_UNITS = 1e6

// A wei of the input, and the error that the contract assumes of a power or the units that the stable
// formula loses, each at the highest price, and a wei of the output.
function wei(pool: Pool): number {
  const unit = units(pool)
  const price = highestPrice(pool)
  const [coarse, fine] = [Math.max(1, ...unit), Math.min(...unit)]
  const most = Math.max(...liveBalances(pool)!.map(Number))
  const ofFormula = pool.form.kind === 'weighted' ? most * 2e-14 : STABLE_UNITS
  return 3 + (price * 8 * coarse + ofFormula) / fine
}
const tolerance = { relative: 1e-9, wei: (pool: unknown) => wei(pool as Pool) }

describeConformance(
  'balancerV2 with weights',
  balancerV2,
  anyWeightedBalancerV2Pool,
  anyBits(1, 110),
  { ...tolerance, fewerRuns: 300 },
)
describeConformance(
  'balancerV2 with the stable formula',
  balancerV2,
  anyStableBalancerV2Pool,
  anyBits(1, 110),
  { ...tolerance, fewerRuns: 150 },
)

const E18 = 10n ** 18n
const weighted: Pool = {
  ...{ family: 'balancerV2', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  poolId: `0x0000000000000000000000000000000000000abc${'1'.padStart(24, '0')}`,
  tokens: ['0x0a', '0x0b', '0x0c'] as Address[],
  balances: [1_000n * E18, 2_000n * 10n ** 6n, 3_000n * E18],
  decimalScalingFactors: [1n, 10n ** 12n, 1n],
  swapFee: 3n * 10n ** 15n,
  form: { kind: 'weighted', normalizedWeights: [E18 / 2n, E18 / 4n, E18 / 4n] },
}
const one = { cached: E18 }
const stable: Pool = {
  ...weighted,
  balances: [1_000n * E18, 1_200n * 10n ** 6n, 900n * E18],
  form: { kind: 'composableStable', amp: 200_000n, rates: [one, one, one] },
}
const withRate = (rate: balancerV2.TokenRate): Pool => ({
  ...stable,
  form: { kind: 'composableStable', amp: 200_000n, rates: [one, one, rate] },
})

describe('balancerV2 edge cases', () => {
  it('takes at most 30 % of the balance of the token in, after the fee', () => {
    const most = (1_000n * E18 * 3n) / 10n
    const free = { ...weighted, swapFee: 0n }
    expect(getAmountOut(free, { in: 0, out: 1 }, most)).toBeGreaterThan(0n)
    expect(getAmountOut(free, { in: 0, out: 1 }, most + 1n)).toBe(0n)
    expect(getAmountOut(weighted, { in: 0, out: 1 }, most + E18 / 10n)).toBeGreaterThan(0n)
    expect(getAmountOut(stable, { in: 0, out: 1 }, 10n * most)).toBeGreaterThan(0n)
  })

  it('takes the fee before the decimals are scaled, rounded up in wei', () => {
    // One wei of six decimals is all fee.
    expect(getAmountOut(weighted, { in: 1, out: 0 }, 1n)).toBe(0n)
    const free = { ...weighted, swapFee: 0n }
    expect(getAmountOut(weighted, { in: 1, out: 0 }, 1_001n)).toBe(
      getAmountOut(free, { in: 1, out: 0 }, 997n),
    )
  })

  it('keeps the whole fee in the balances', () => {
    const paid = getAmountOut(weighted, { in: 0, out: 1 }, E18)
    expect(applySwap(weighted, { in: 0, out: 1 }, E18).balances).toEqual([
      ...[1_001n * E18, 2_000n * 10n ** 6n - paid, 3_000n * E18],
    ])
  })

  it('refuses a balance of 112 bits or more', () => {
    const TWO_112 = 1n << 112n
    const wide: Pool = { ...stable, balances: [TWO_112 - 10n * E18, 10n ** 20n, TWO_112 / 2n] }
    expect(getAmountOut(wide, { in: 0, out: 2 }, 10n * E18 - 1n)).toBeGreaterThan(0n)
    expect(getAmountOut(wide, { in: 0, out: 2 }, 10n * E18)).toBe(0n)
  })

  it('moves the amplification linearly in time, with a floor', () => {
    const ramp = { startValue: 100_000n, startTime: 1_000n, endTime: 1_700n }
    const rates = [one, one, one]
    const swap = [{ in: 0, out: 2 }, 500n * E18] as const
    const at = (quotedAt: bigint) =>
      getAmountOut(
        { ...stable, form: { kind: 'composableStable', amp: 200_000n, ramp, rates }, quotedAt },
        ...swap,
      )
    const asOf = (amp: bigint) =>
      getAmountOut({ ...stable, form: { kind: 'composableStable', amp, rates } }, ...swap)
    expect(at(1_000n)).toBe(asOf(100_000n))
    expect(at(1_333n)).toBe(asOf(147_571n))
    expect(at(1_700n)).toBe(asOf(200_000n))
  })

  it('renews a rate at the first second after it has expired', () => {
    const current = (11n * E18) / 10n
    const renewal = { expires: 1_000n, current }
    const at = (quotedAt: bigint) =>
      getAmountOut(
        { ...withRate({ cached: E18, renewal }), sampledAt: quotedAt - 1n, quotedAt },
        ...([{ in: 0, out: 2 }, 10n * E18] as const),
      )
    const withCached = (cached: bigint) =>
      getAmountOut(withRate({ cached }), { in: 0, out: 2 }, 10n * E18)
    expect(at(1_000n)).toBe(withCached(E18))
    expect(at(1_001n)).toBe(withCached(current))
    expect(withCached(current)).toBeLessThan(withCached(E18))
  })

  it('pays nothing for a state of another block, nor without a balance', () => {
    const sampled = { ...stable, sampledAt: 5n, quotedAt: 6n }
    expect(getAmountOut(sampled, { in: 0, out: 2 }, E18)).toBeGreaterThan(0n)
    expect(getAmountOut({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }, E18)).toBe(0n)
    expect(toCurve({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }).limit).toBe(0)
    const missing = { ...stable, balances: [0n, 1_200n * 10n ** 6n, 900n * E18] }
    expect(getAmountOut(missing, { in: 1, out: 2 }, 10n ** 6n)).toBe(0n)
  })
})

describe('the curve of a balancerV2 pool', () => {
  const anyPool = fc.oneof(anyWeightedBalancerV2Pool, anyStableBalancerV2Pool)

  itIsNowhereBelowPool(anyPool, options)

  it('goes on until a pool with little amplification has paid all but a billionth', () => {
    const rates = [1_668n, 3_000n, 1_000n, 1_000n, 1_000n].map((one) => ({
      cached: one * 10n ** 15n,
    }))
    const pool: Pool = {
      ...stable,
      tokens: ['0x0a', '0x0b', '0x0c', '0x0d', '0x0e'] as Address[],
      balances: [10n ** 6n, 10n ** 9n, 10n ** 8n, 10n ** 18n, 10n ** 18n].map(
        (unit) => 180n * unit,
      ),
      decimalScalingFactors: [10n ** 12n, 10n ** 12n, 10n ** 10n, 1n, 1n],
      form: { kind: 'composableStable', amp: 1_007n, rates },
    }
    const direction = { in: 1, out: 2 }
    const { out, limit } = toCurve(pool, direction)
    const paid = Number(getAmountOut(pool, direction, 10n ** 29n))
    expect(out(limit) * (1 + 1e-9)).toBeGreaterThanOrEqual(paid)
  })

  itHasClosePieces(anyPool, { ...options, balancesOf: ({ balances }) => balances })
})
