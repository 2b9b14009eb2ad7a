import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../hex.js'
import { toHex } from '../../hex.js'
import { cryptoBalanceOf } from '../../math/cryptoSwap.js'
import { faultOf } from '../../shape/check.js'
import { anyBits } from '../../testing/arbitrary.js'
import {
  anyCurveCryptoPool,
  anyMovingCryptoPool,
  anyTricryptoPool,
  anyTwocryptoPool,
} from '../../testing/arbitraryCrypto.js'
import { anyDirectionOf, describeConformance } from '../../testing/conformance.js'
import { formOf, invariant, scaledBalances, shareValueOf } from './exact.js'
import * as curveCrypto from './index.js'

const options = { numRuns: Number(process.env['BRAID_FUZZ_RUNS'] ?? 60), endOnFailure: true }

type Pool = curveCrypto.CurveCryptoPool
const { applySwap, getAmountOut, toCurve } = curveCrypto
const E18 = 10n ** 18n

/** By how many units the balances of the pool differ from the invariant that it keeps, and at least 10⁻¹⁴. */
function noise(pool: Pool): number {
  const D = invariant(pool)!
  const xp = scaledBalances(pool, pool.balances)
  const parts = xp.map((x, j) => {
    const y = cryptoBalanceOf(xp, { j, D }, formOf(pool))?.y ?? x
    return Math.abs(Number(x - y)) / Number(D)
  })
  return (1e-14 + Math.max(...parts)) * Number(D)
}

// A swap that does not raise the value of a share is refused, and so is one whose fee is not a wei.
const wei = (pool: Pool): number => {
  const units = pool.precisions.map((precision, k) =>
    k === 0 ? Number(precision) : (Number(precision) * Number(pool.priceScales[k - 1]!)) / 1e18,
  )
  return 3 + ((2 * noise(pool)) / Math.min(...units) + 1) * (1e10 / Number(pool.midFee))
}
const tolerance = { relative: 1e-9, wei: (pool: unknown) => wei(pool as Pool) }

const KEPT = 'the pool keeps its fee as the coin that it pays next'
const DYNAMIC = 'the fee falls as a swap restores the balance, so the output is not concave'
const RISING = 'far out of balance the fee rises faster than the output, and y is rounded'
const exceptions = {
  'never pays less for more input, up to its limit': RISING,
  'never pays more than rounding for a swap split in two': KEPT,
  'has a curve that matches the integers': DYNAMIC,
  'charges at least both stated fees for a round trip of one wei': DYNAMIC,
}
const FREE = 'while A and γ move, a swap is not refused for taking value from the shares'
const tested = { ...tolerance, fewerRuns: 40 }
describeConformance(
  'curveCrypto of two coins',
  curveCrypto,
  anyTwocryptoPool,
  anyBits(1, 110),
  tested,
  exceptions,
)
describeConformance(
  'curveCrypto of three coins',
  curveCrypto,
  anyTricryptoPool,
  anyBits(1, 110),
  tested,
  exceptions,
)
describeConformance(
  'curveCrypto that moves',
  curveCrypto,
  anyMovingCryptoPool,
  anyBits(1, 110),
  tested,
  {
    ...exceptions,
    'never profits from a round trip': FREE,
  },
)

type Row = {
  readonly address: Address
  readonly tokens: readonly Address[]
  readonly balances: readonly string[]
  readonly precisions: readonly string[]
  readonly priceScale: string | readonly string[]
  readonly D: string
  readonly A: string
  readonly gamma: string
  readonly midFee: string
  readonly outFee: string
  readonly feeGamma: string
  readonly lpSupply: string
  readonly xcpProfit: string
  readonly virtualPrice: string
  readonly allowedExtraProfit: string
  readonly swaps: readonly {
    readonly i: number
    readonly j: number
    readonly dx: string
    readonly dy?: string
    readonly revert?: boolean
  }[]
}

function poolOf(row: Row): Pool {
  return {
    ...{ family: 'curveCrypto', id: row.address, venue: 'reference' },
    // Their γ is beyond the first mathematics of two coins, whatever version the pools state.
    version: row.tokens.length === 2 ? '2.1.0' : '2.0.0',
    ...{ tokens: row.tokens, balances: row.balances.map(BigInt) },
    ...{ precisions: row.precisions.map(BigInt), priceScales: [row.priceScale].flat().map(BigInt) },
    ...{ D: BigInt(row.D), A: BigInt(row.A), gamma: BigInt(row.gamma) },
    ...{ midFee: BigInt(row.midFee), outFee: BigInt(row.outFee), feeGamma: BigInt(row.feeGamma) },
    ...{ virtualPrice: BigInt(row.virtualPrice), totalSupply: BigInt(row.lpSupply) },
    ...{ xcpProfit: BigInt(row.xcpProfit), allowedExtraProfit: BigInt(row.allowedExtraProfit) },
  }
}

describeReferenceVectors('curveCrypto reference vectors', (readVector) => {
  it.each([
    ['curve-crypto/twocrypto-ng.json', 9],
    ['curve-crypto/tricrypto-ng.json', 11],
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
      expect(faultOf(curveCrypto.shape, pool)).toBeUndefined()
      // The value of a share follows from the invariant that the pool keeps.
      expect(shareValueOf(pool)).toBe(pool.virtualPrice)
    }
    expect(compared).toBe(count)
  })
})

const two: Pool = {
  ...{ family: 'curveCrypto', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  ...{ version: '2.0.0', tokens: ['0x0a', '0x0b'] as Address[] },
  ...{ balances: [1_000_000n * E18, 500_000n * 10n ** 6n], precisions: [1n, 10n ** 12n] },
  ...{ priceScales: [2n * E18], D: 2_000_000n * E18, A: 20_000_000n, gamma: 10n ** 15n },
  ...{ midFee: 3_000_000n, outFee: 30_000_000n, feeGamma: 5n * 10n ** 15n },
  ...{ virtualPrice: E18, totalSupply: 707_106_781_186_547_524_400_844n },
  ...{ xcpProfit: E18, allowedExtraProfit: 10n ** 17n },
}
const direction = { in: 0, out: 1 }
const thousand = 1_000n * E18

describe('the invariant that a curveCrypto pool keeps', () => {
  const state: Pool = { ...two, tokens: [toHex(0xa, 20), toHex(0xb, 20)] }
  const fault = (change: Partial<Pool>) =>
    faultOf(curveCrypto.shape, { ...state, ...change })?.field
  const more = (first: bigint, second: bigint) =>
    fault({ balances: [two.balances[0]! + first, two.balances[1]! + second] })

  it('is refused at the door if the balances are not those of any pool with it', () => {
    expect(fault({})).toBeUndefined()
    expect(more(10n ** 24n, 0n)).toBe('D')
    expect(more(0n, 10n ** 7n)).toBe('D')
    expect(more(0n, -(10n ** 7n))).toBe('D')
    expect(more(0n, 10n ** 40n)).toBe('D')
    expect(fault({ D: two.D + two.D / 10n ** 7n })).toBe('D')
    expect(fault({ D: two.D - two.D / 10n ** 7n })).toBe('D')
    expect(fault({ balances: two.balances.toReversed() })).toBe('D')
  })

  it('may be below that of the balances by the wei of 10,000 withdrawals', () => {
    const small = { balances: [10n ** 19n, 5n * 10n ** 6n], D: 2n * 10n ** 19n }
    const withMore = (wei: bigint) =>
      fault({ ...small, balances: [small.balances[0]! + wei, small.balances[1]! + wei] })
    expect([0n, 1n, 9_000n].map(withMore)).toEqual([undefined, undefined, undefined])
    expect([20_000n, -20_000n].map(withMore)).toEqual(['D', 'D'])
  })

  it('may be another once A and γ have moved, or where the pool takes no swap', () => {
    const ramp = { initialA: two.A, initialGamma: two.gamma, initialTime: 9n, futureTime: 9n }
    expect(fault({ D: two.D / 2n, ramp, quotedAt: 10n })).toBeUndefined()
    expect(fault({ D: 0n })).toBeUndefined()
    expect(fault({ D: 10n ** 17n - 1n })).toBeUndefined()
    expect(fault({ D: two.D / 2n, totalSupply: 0n })).toBeUndefined()
  })
})

describe('curveCrypto edge cases', () => {
  it('refuses a swap that no share gains by, unless A and γ move', () => {
    expect(getAmountOut(two, direction, thousand)).toBeGreaterThan(0n)
    const worth = applySwap(two, direction, thousand).virtualPrice
    expect(getAmountOut({ ...two, virtualPrice: worth - 1n }, direction, thousand)).toBeGreaterThan(
      0n,
    )
    const full: Pool = { ...two, virtualPrice: worth }
    expect(getAmountOut(full, direction, thousand)).toBe(0n)
    const ramp = { initialA: two.A, initialGamma: two.gamma, initialTime: 1n, futureTime: 9n }
    expect(getAmountOut({ ...full, ramp, quotedAt: 8n }, direction, thousand)).toBeGreaterThan(0n)
    expect(getAmountOut({ ...full, ramp, quotedAt: 9n }, direction, thousand)).toBe(0n)
  })

  it('pays nothing after a swap that may have moved the price scales, until it is read again', () => {
    const after = applySwap(two, direction, thousand)
    expect(getAmountOut(after, direction, thousand)).toBeGreaterThan(0n)
    const rich: Pool = { ...two, xcpProfit: E18 / 2n, allowedExtraProfit: 0n }
    const unknown = applySwap(rich, direction, thousand)
    expect(unknown.D).toBe(0n)
    expect(getAmountOut(unknown, direction, thousand)).toBe(0n)
    expect(toCurve(unknown, direction).limit).toBe(0)
  })

  it.each([
    ['2.0.0', 10n ** 16n - 1n],
    ['2.1.0', 5n * 10n ** 15n],
  ] as const)('lets %s compute a balance down to its own part of D', (version, part) => {
    const form = { A: 400_000n, gamma: 10n ** 15n, version }
    const D = 10n ** 24n
    const at = (x: bigint) => cryptoBalanceOf([x, 0n], { j: 1, D }, form)?.y
    let [low, high] = [D, 64n * D]
    while (high - low > 1n) {
      const middle = (low + high) / 2n
      if (at(middle) === undefined) high = middle
      else low = middle
    }
    expect((at(low)! * E18) / D).toBe(part)
  })

  it('takes a γ above 0.002 only of version 2.1.0', () => {
    const y = (version: '2.0.0' | '2.1.0', gamma: bigint) =>
      cryptoBalanceOf([E18, E18], { j: 1, D: 2n * E18 }, { A: 400_000n, gamma, version })?.y
    const most = 2n * 10n ** 15n
    expect(y('2.0.0', most)).toBe(y('2.1.0', most))
    expect(y('2.0.0', most + 1n)).toBeUndefined()
    expect(y('2.1.0', most + 1n)).toBeGreaterThan(0n)
  })

  it('has ⌊9ac/b⌋ in the depressed cubic of three coins, not 3·⌊3ac/b⌋', () => {
    const form = { A: 5_400_000n, gamma: 1_500_000_000_000n, version: '2.0.0' } as const
    const asked = { j: 1, D: 5_930_696_980_953_432_291_054n }
    const y = 1_971_763_037_363_274_276_873n
    // `get_y` of Tricrypto's mathematics 2.0.0, by the contract.
    expect(
      cryptoBalanceOf(
        [1_992_749_877_000_000_000_000n, y, 1_966_240_242_366_116_559_975n],
        asked,
        form,
      ),
    ).toEqual({ y: 1_971_762_939_187_921_807_832n, K0: 999_978_424_716_603_207n })
    expect(
      cryptoBalanceOf(
        [1_992_749_778_000_000_000_000n, y, 1_966_240_272_770_247_657_869n],
        asked,
        form,
      ),
    ).toEqual({ y: 1_971_763_006_891_598_542_996n, K0: 999_978_424_836_206_759n })
  })

  it('moves A and γ linearly in time, as means that are rounded down', () => {
    const ramp = {
      initialA: 10_000_001n,
      initialGamma: 2n * 10n ** 15n,
      initialTime: 100n,
      futureTime: 400n,
    }
    const at = (quotedAt: bigint) => formOf({ ...two, ramp, quotedAt })
    expect(at(100n)).toMatchObject({ A: 10_000_001n, gamma: 2n * 10n ** 15n })
    expect(at(200n)).toMatchObject({ A: 13_333_334n, gamma: 1_666_666_666_666_666n })
    expect(at(400n)).toMatchObject({ A: 20_000_000n, gamma: 10n ** 15n })
  })
})

describe('a swap split in two', () => {
  it('pays at most the first part’s fee more', () => {
    const property = fc.property(
      anyCurveCryptoPool,
      fc.nat(),
      fc.tuple(anyBits(1, 110), anyBits(1, 110)),
      (pool, n, [amount, more]) => {
        const direction = anyDirectionOf(pool, n)
        const whole = getAmountOut(pool, direction, amount + more)
        const first = getAmountOut(pool, direction, amount)
        if (whole === 0n || first === 0n) return
        const second = getAmountOut(applySwap(pool, direction, amount), direction, more)
        // At worst all of the output pays the larger fee, which stays in the pool.
        const fee =
          (Number(whole) * Number(pool.outFee)) / (1e10 - Math.min(9e9, Number(pool.outFee)))
        expect(Number(first + second - whole) - fee).toBeLessThanOrEqual(
          wei(pool) + Number(whole) * 1e-9,
        )
      },
    )
    fc.assert(property, options)
  })
})
