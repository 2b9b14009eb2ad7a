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
import { itIsNowhereBelowPool } from '../../testing/itHasCurve.js'
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

describe('the curve of a pool', () => {
  it('covers what the pool pays beyond the input at which a steep fee makes it pay less', () => {
    const steep: Pool = {
      ...{
        ...two,
        tokens: [...two.tokens, '0x0c'],
        precisions: [10n ** 10n, 10n ** 12n, 10n ** 12n],
      },
      balances: [399_672_731_758_237_201n, 399_672_731_758_237_200_001n, 3_996_727_317_582_373n],
      ...{ priceScales: [10n ** 13n, E18], D: 11_990_181_952_747_117_010_004_582_015n },
      ...{ A: 44_247_267n, gamma: 1_097_496_535_809n, feeGamma: 20_006_948_916_210n },
      ...{ midFee: 180_523_500n, outFee: 9_026_175_000n, virtualPrice: 1n },
    }
    const paid = (amountIn: bigint) => getAmountOut(steep, { in: 2, out: 1 }, amountIn)
    const amounts = [5n, 20n, 1_000n].map((k) => k * 10n ** 12n)
    expect(paid(amounts[1]!)).toBeGreaterThan(0n)
    const { out } = toCurve(steep, { in: 2, out: 1 })
    for (const amountIn of [...amounts, 1_353_531_996_274_644n]) {
      expect(out(Number(amountIn))).toBeGreaterThanOrEqual(Number(paid(amountIn)))
    }
  })

  it('is not below what a fee near 100 % leaves, whose rounding is a part of it', () => {
    const pool: Pool = {
      ...{ family: 'curveCrypto', id: toHex(0xabc, 20), venue: 'test-curve', version: '2.0.0' },
      tokens: [toHex(0xc0, 20), toHex(0xc1, 20), toHex(0xc2, 20)],
      balances: [179_687_644_409n, 2_246_095_555_101n, 22_460_955_551_000_000_000_001n],
      precisions: [10n ** 12n, 10n ** 10n, 1n],
      ...{ priceScales: [E18, E18], D: 134_857_751_602_553_141_384_594n },
      ...{ A: 365_697n, gamma: 18_946_940_132_757n, midFee: 200_000_000n },
      ...{ outFee: 10n ** 10n, feeGamma: 52_032_499_583_458n },
      ...{ virtualPrice: E18 + 15n, totalSupply: 44_952_583_867_517_713_120_574n },
      ...{ xcpProfit: E18 + 6n, allowedExtraProfit: 10n ** 12n },
    }
    for (const direction of [
      { in: 0, out: 1 },
      { in: 0, out: 2 },
      { in: 1, out: 2 },
    ]) {
      const paid = Number(getAmountOut(pool, direction, 6_181_885n))
      const { out, extraIn = 0 } = toCurve(pool, direction)
      expect(out(6_181_885 + extraIn) * (1 + 1e-9)).toBeGreaterThanOrEqual(paid - 1)
    }
  })

  it.each([
    {
      name: 'because D after the fee is not found',
      direction: { in: 2, out: 0 },
      balances: [1_056_143_088n * 10n ** 12n + 1n, 1_056_143_089n, 1_056_143_089n],
      precisions: [1n, 10n ** 12n, 10n ** 12n],
      D: 3_168_429_266n * 10n ** 12n + 1n,
      ...{ gamma: 49_999_999_999_999_600n, feeGamma: 269_564_839_369_454_112n },
      ...{ midFee: 158_727_992n, outFee: 7_936_399_600n },
      ...{ totalSupply: 620_592_612_605_729_230_411n, xcpProfit: E18 + 11n },
      virtualPrice: 1_701_829_939_986_166_846n,
    },
    {
      name: 'because a lower D is found after the fee',
      direction: { in: 1, out: 2 },
      balances: [26_066_784_417n, 325_834_805_201n, 3_258_348_053n],
      precisions: [10n ** 12n, 10n ** 10n, 10n ** 12n],
      D: 31_588_200_773_936_579_922_743n,
      ...{ gamma: 49_999_999_999_999_248n, feeGamma: 10n ** 12n },
      ...{ midFee: 200_000_000n, outFee: 10n ** 10n },
      ...{ totalSupply: 8_529_211_431_757_723_436_461n, xcpProfit: 2_124_297_396_156_396_929n },
      virtualPrice: 1_234_510_404_886_156_293n,
    },
  ])('ends where the pool begins to refuse, $name', ({ name: _, direction, ...fields }) => {
    const pool: Pool = {
      ...{ family: 'curveCrypto', id: toHex(0xabc, 20), venue: 'test-curve', version: '2.0.0' },
      ...{ tokens: [toHex(0xc0, 20), toHex(0xc1, 20), toHex(0xc2, 20)] },
      ...{ priceScales: [E18, E18], A: 270_000_000n, allowedExtraProfit: 10n ** 12n },
      ...fields,
    }
    const { limit, out } = toCurve(pool, direction)
    const paid = (amountIn: number) => getAmountOut(pool, direction, BigInt(Math.floor(amountIn)))
    expect(Number(paid(limit))).toBeGreaterThan(0.99 * out(limit))
    expect(paid(limit + 1)).toBe(0n)
    expect(paid(2 * limit)).toBe(0n)
  })

  it('counts the wei by which the fee is rounded down, of a coin of 8 decimals', () => {
    const pool: Pool = {
      ...{ family: 'curveCrypto', id: toHex(0xabc, 20), venue: 'test-curve', version: '2.0.0' },
      tokens: [toHex(0xc0, 20), toHex(0xc1, 20), toHex(0xc2, 20)],
      balances: [696_018_557_507n, 721_656_341n, 189_550_105_070_063_081_580n],
      precisions: [10n ** 12n, 10n ** 10n, 1n],
      priceScales: [98_500n * E18, 3_650n * E18],
      D: 2_098_640_082_853_010_206_106_401n,
      ...{ A: 2_700_000n, gamma: 13_000_000_000_000n },
      ...{ midFee: 2_600_000n, outFee: 30_000_000n, feeGamma: 5_000_000_000_000_000n },
      ...{ virtualPrice: 1_000_008_277_471_450_267n, xcpProfit: 1_000_008_277_471_450_267n },
      ...{ totalSupply: 983_792_291_908_827_458_142n, allowedExtraProfit: 10n ** 12n },
    }
    const direction = { in: 2, out: 1 }
    const amountIn = 9_390_937_363_391_209n
    const { out, extraIn = 0 } = toCurve(pool, direction)
    expect(getAmountOut(pool, direction, amountIn)).toBe(35_468n)
    expect(out(Number(amountIn))).toBeLessThan(35_467.3)
    expect(out(Number(amountIn) + extraIn)).toBeGreaterThanOrEqual(35_468)
  })

  itIsNowhereBelowPool(anyCurveCryptoPool, { ...options, wei: 1 })
})
