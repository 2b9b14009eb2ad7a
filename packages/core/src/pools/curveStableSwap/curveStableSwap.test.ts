import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { anyBits } from '../../testing/arbitrary.js'
import {
  anyCurveStableSwapPool,
  anyOffpegStableSwapPool,
  anyStaticStableSwapPool,
} from '../../testing/arbitraryStableSwap.js'
import { anyDirectionOf, describeConformance } from '../../testing/conformance.js'
import { itHasClosePieces, itIsNowhereBelowPool } from '../../testing/itHasCurve.js'
import { invariant } from './exact.js'
import * as curveStableSwap from './index.js'

const options = { numRuns: Number(process.env['BRAID_FUZZ_RUNS'] ?? 80), endOnFailure: true }

type Pool = curveStableSwap.CurveStableSwapPool
const { applySwap, getAmountOut, toCurve } = curveStableSwap

// One wei of each token is up to 10¹² units of 18 decimals; Newton's methods end within a unit, which
// a pool far out of balance multiplies by its price.
const wei = (pool: Pool): number => {
  const units = pool.rates.map((rate) => Number(rate) / 1e18)
  const [most, least] = [Math.max(...units), Math.min(...units)]
  return 3 + (8 * most) / least + 1e6 / least
}
const tolerance = { relative: 1e-9, wei: (pool: unknown) => wei(pool as Pool) }

const UNITS =
  'both methods of Newton end within a unit, which is many wei of a coin with a low rate'
const KEPT = 'the pool keeps a part of its fee as the coin that it pays next'

describeConformance(
  'curveStableSwap with a static fee',
  curveStableSwap,
  anyStaticStableSwapPool,
  anyBits(1, 110),
  { ...tolerance, fewerRuns: 200 },
  {
    'never profits from a round trip': UNITS,
    'never pays more than rounding for a swap split in two': KEPT,
  },
)

const DYNAMIC = 'the fee falls as a swap restores the balance, so the output is not concave'
const RISING = 'near the end of a coin, the fee may rise faster than the output'
describeConformance(
  'curveStableSwap with a dynamic fee',
  curveStableSwap,
  anyOffpegStableSwapPool,
  anyBits(1, 110),
  { ...tolerance, fewerRuns: 60 },
  {
    'never profits from a round trip': UNITS,
    'never pays less for more input, up to its limit': RISING,
    'never pays more than rounding for a swap split in two': DYNAMIC,
    'has a curve that matches the integers': DYNAMIC,
    'charges at least both stated fees for a round trip of one wei': DYNAMIC,
  },
)

type Row = {
  readonly address: Address
  readonly tokens: readonly Address[]
  readonly balances: readonly string[]
  readonly rates: readonly string[]
  readonly A: string
  readonly aPrecision: string
  readonly fee: string
  readonly adminFee: string
  readonly offpegFeeMultiplier: string | null
  readonly kind: 'stableswap-ng' | 'stableswap-plain'
  readonly swaps: readonly {
    readonly i: number
    readonly j: number
    readonly dx: string
    readonly dy?: string
    readonly revert?: boolean
  }[]
}

function poolOf(row: Row): Pool {
  const isNg = row.kind === 'stableswap-ng'
  return {
    ...{ family: 'curveStableSwap', id: row.address, venue: 'reference', isNg },
    ...{ tokens: row.tokens, balances: row.balances.map(BigInt), rates: row.rates.map(BigInt) },
    ...{ A: BigInt(row.A), aPrecision: BigInt(row.aPrecision) },
    rounding: isNg ? 'once' : 'eachCoin',
    ...{ fee: BigInt(row.fee), adminFee: BigInt(row.adminFee) },
    offpegFeeMultiplier: BigInt(row.offpegFeeMultiplier ?? 0),
  }
}

describeReferenceVectors('curveStableSwap reference vectors', (readVector) => {
  it.each([
    ['curve-stable/ng.json', 11],
    ['curve-stable/plain-real.json', 15],
    ['curve-stable/plain-dense.json', 240],
  ])('are reproduced to the wei: %s', (file, count) => {
    const rows = readVector(file) as readonly Row[]
    let compared = 0
    for (const row of rows) {
      const pool = poolOf(row)
      const asked = row.swaps.map(({ i, j, dx }) =>
        getAmountOut(pool, { in: i, out: j }, BigInt(dx)).toString(),
      )
      expect(asked).toEqual(row.swaps.map(({ dy, revert }) => (revert ? '0' : dy)))
      compared += asked.length
    }
    expect(compared).toBe(count)
  })
})

const E15 = 10n ** 15n
const E18 = 10n ** 18n
const threePool: Pool = {
  ...{ family: 'curveStableSwap', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  tokens: ['0x0a', '0x0b', '0x0c'] as Address[],
  isNg: true,
  balances: [1_000_000n * E18, 1_200_000n * 10n ** 6n, 800_000n * 10n ** 6n],
  rates: [E18, 10n ** 30n, 10n ** 30n],
  ...{ A: 200_00n, aPrecision: 100n, rounding: 'once', fee: 4_000_000n },
  ...{ offpegFeeMultiplier: 0n, adminFee: 5_000_000_000n },
}

describe('the rounding of the invariant', () => {
  it('tells a pool that divides by x·n + 1 from one that divides by x·n', () => {
    const small = {
      ...{ ...threePool, isNg: false, aPrecision: 1n, A: 10n },
      ...{ balances: [5_000n, 9n * 10n ** 15n, 4n], rates: [E18, E18, E18] },
    }
    const invariants = (['eachCoin', 'eachCoinPlusOne'] as const).map((rounding) =>
      invariant({ ...small, rounding }),
    )
    expect(invariants[0]).not.toBe(invariants[1])
  })
})

describe('curveStableSwap edge cases', () => {
  it('keeps the invariant without a fee, and raises it by the liquidity providers’ part of one', () => {
    const free = { ...threePool, fee: 0n }
    const amountIn = 100_000n * E18
    const after = applySwap(free, { in: 0, out: 1 }, amountIn)
    // A wei of the output has 10¹² units, and the pool keeps up to one wei and one unit.
    expect(Number(invariant(after)! - invariant(free)!)).toBeLessThan(2e12)
    expect(invariant(after)).toBeGreaterThanOrEqual(invariant(free)!)
    const paid = applySwap(threePool, { in: 0, out: 1 }, amountIn)
    expect(invariant(paid)).toBeGreaterThan(invariant(threePool)!)
  })

  it('takes the admin’s part of the fee out of the balances', () => {
    const amountIn = 100_000n * E18
    const [all, half] = [10n ** 10n, 5_000_000_000n].map((adminFee) =>
      applySwap({ ...threePool, adminFee }, { in: 0, out: 1 }, amountIn),
    )
    const kept = applySwap({ ...threePool, adminFee: 0n }, { in: 0, out: 1 }, amountIn)
    const whole = kept.balances[1]! - all!.balances[1]!
    expect(whole).toBeGreaterThan(0n)
    expect(Number(kept.balances[1]! - half!.balances[1]!)).toBeCloseTo(Number(whole) / 2, -1)
  })

  it('moves A linearly in time, with a floor, and ends at the new one', () => {
    const ramp = { initialA: 100_00n, initialATime: 1_000n, futureATime: 1_700n }
    const at = (quotedAt: bigint) =>
      getAmountOut({ ...threePool, ramp, quotedAt }, { in: 0, out: 2 }, 500_000n * E18)
    const asOf = (A: bigint) => getAmountOut({ ...threePool, A }, { in: 0, out: 2 }, 500_000n * E18)
    expect(at(1_000n)).toBe(asOf(100_00n))
    // 100,00 + ⌊100,00 · 333/700⌋
    expect(at(1_333n)).toBe(asOf(147_57n))
    expect(at(1_700n)).toBe(asOf(200_00n))
    expect(at(1_000n)).toBeLessThan(at(1_700n))
  })

  it('charges more away from the balance if the fee is dynamic', () => {
    const dynamic = { ...threePool, offpegFeeMultiplier: 200_000_000_000n }
    const swap = [{ in: 1, out: 2 }, 300_000n * 10n ** 6n] as const
    expect(getAmountOut(dynamic, ...swap)).toBeLessThan(getAmountOut(threePool, ...swap))
  })

  it('pays nothing without one of its coins, and for a state of another block', () => {
    const missing = { ...threePool, balances: [1_000_000n * E18, 0n, 800_000n * 10n ** 6n] }
    expect(getAmountOut(missing, { in: 0, out: 2 }, E18)).toBe(0n)
    expect(toCurve(missing, { in: 0, out: 2 }).limit).toBe(0)
    const sampled = { ...threePool, sampledAt: 5n, quotedAt: 6n }
    expect(getAmountOut(sampled, { in: 0, out: 2 }, E18)).toBeGreaterThan(0n)
    expect(getAmountOut({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }, E18)).toBe(0n)
    expect(toCurve({ ...sampled, quotedAt: 7n }, { in: 0, out: 2 }).limit).toBe(0)
  })

  it('refuses what would leave no price for the oracles of a StableSwap-NG pool', () => {
    // The whole balance of the coin out would leave: the contract divides by it.
    const dust: Pool = { ...threePool, tokens: threePool.tokens.slice(0, 2), balances: [1n, 1n] }
    expect(getAmountOut(dust, { in: 0, out: 1 }, 10n ** 40n)).toBe(0n)
  })

  it('refuses what would leave D or a price that StableSwap-NG cannot store in 128 bits', () => {
    const two: Pool = { ...threePool, tokens: threePool.tokens.slice(0, 2), rates: [E18, E18] }
    // D: the square of the sum, with which Newton's method begins, is larger than a uint256.
    const large: Pool = { ...two, balances: [1n << 127n, 1n << 127n] }
    expect(invariant(large)).toBeUndefined()
    expect(getAmountOut(large, { in: 0, out: 1 }, E18)).toBe(0n)
    // After 5·10⁶ times the pool's balances at an A of 1, a coin costs 10²¹ of the other.
    const loose: Pool = { ...two, A: 100n, balances: [E18 / 10n, E18 / 10n] }
    const direction = { in: 0, out: 1 }
    const [most, more] = [10n ** 23n, 10n ** 24n]
    expect(getAmountOut(loose, direction, most)).toBeGreaterThan(0n)
    expect(getAmountOut(loose, direction, more)).toBe(0n)
    expect(getAmountOut({ ...loose, isNg: false }, direction, more)).toBeGreaterThan(0n)
  })
})

describe('a round trip', () => {
  it('gains at most the rounding of a few units', () => {
    const property = fc.property(
      anyCurveStableSwapPool,
      fc.nat(),
      anyBits(1, 110),
      (pool, n, amount) => {
        const there = anyDirectionOf(pool, n)
        const middle = getAmountOut(pool, there, amount)
        const home = { in: there.out, out: there.in }
        const left = getAmountOut(applySwap(pool, there, amount), home, middle)
        expect(Number(left - amount)).toBeLessThanOrEqual(wei(pool))
      },
    )
    fc.assert(property, options)
  })
})

describe('a swap split in two', () => {
  it('pays at most the first part’s fee more, and nothing if the admin takes all fees', () => {
    const property = fc.property(
      anyStaticStableSwapPool,
      fc.nat(),
      fc.tuple(anyBits(1, 110), anyBits(1, 110)),
      (pool, n, [amount, more]) => {
        const direction = anyDirectionOf(pool, n)
        const whole = getAmountOut(pool, direction, amount + more)
        if (whole === 0n) return
        for (const adminFee of [0n, 10n ** 10n]) {
          const owned = { ...pool, adminFee }
          const first = getAmountOut(owned, direction, amount)
          const second = getAmountOut(applySwap(owned, direction, amount), direction, more)
          const fee = adminFee === 0n ? (first * pool.fee) / (10n ** 10n - pool.fee) : 0n
          expect(Number(first + second - whole - fee)).toBeLessThanOrEqual(
            wei(pool) + Number(whole) * 1e-9,
          )
        }
      },
    )
    fc.assert(property, options)
  })
})

describe('the curve of a pool', () => {
  itIsNowhereBelowPool(anyCurveStableSwapPool, { ...options, wei: 1 })

  it('is not below the pool where the coin out is nearly gone', () => {
    const drained: Pool = {
      ...{ ...threePool, tokens: [...threePool.tokens, '0x0d'], A: 5_324_04n, fee: 1n },
      balances: [7_169_707n * E15 + 3n, 7_169_707n * E15 + 9n, 716_970_717_983n].concat(
        7_169_707n * E15 + 120_531n,
      ),
      rates: [926_158_372_461_023_030n, E18, 10n ** 28n, 177_258_136_285_600_743n],
      ...{ offpegFeeMultiplier: 35_686_068_669n, adminFee: 0n },
    }
    const direction = { in: 0, out: 3 }
    const { out, extraIn = 0 } = toCurve(drained, direction)
    for (const amountIn of [10n ** 18n, 10n ** 21n, 10n ** 22n, 10n ** 26n]) {
      const paid = Number(getAmountOut(drained, direction, amountIn))
      expect(out(Number(amountIn) + extraIn) * (1 + 1e-9)).toBeGreaterThanOrEqual(paid)
    }
  })

  it('ends before a price that StableSwap-NG cannot store', () => {
    const five: Pool = {
      ...{ ...threePool, tokens: ['0x0a', '0x0b', '0x0c', '0x0d', '0x0e'], A: 100n },
      balances: [E18, E18, E18, E18, E18 / 10_000n],
      rates: [E18, E18, E18, E18, E18],
    }
    const [direction, tooMuch] = [{ in: 0, out: 4 }, 10n ** 24n]
    expect(getAmountOut(five, direction, tooMuch)).toBe(0n)
    const { limit } = toCurve(five, direction)
    expect(limit).toBeLessThan(Number(tooMuch))
    expect(getAmountOut(five, direction, BigInt(Math.floor(limit)))).toBeGreaterThan(0n)
  })

  itHasClosePieces(anyStaticStableSwapPool, {
    ...{ ...options, balancesOf: ({ balances }) => balances },
  })
})
