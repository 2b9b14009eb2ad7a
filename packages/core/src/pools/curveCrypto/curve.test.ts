import { describe, expect, it } from 'vitest'
import { toHex } from '../../hex.js'
import { anyCurveCryptoPool } from '../../testing/arbitraryCrypto.js'
import { itIsNowhereBelowPool } from '../../testing/itHasCurve.js'
import { getAmountOut, type CurveCryptoPool as Pool, toCurve } from './index.js'

const numRuns = Number(process.env['BRAID_FUZZ_RUNS'] ?? 60)
const E18 = 10n ** 18n
const base = {
  ...({
    family: 'curveCrypto',
    id: toHex(0xabc, 20),
    venue: 'test-curve',
    version: '2.0.0',
  } as const),
  tokens: [toHex(0xc0, 20), toHex(0xc1, 20), toHex(0xc2, 20)],
}

describe('the curve of a pool', () => {
  it('covers what the pool pays beyond the input at which a steep fee makes it pay less', () => {
    const steep: Pool = {
      ...base,
      precisions: [10n ** 10n, 10n ** 12n, 10n ** 12n],
      balances: [399_672_731_758_237_201n, 399_672_731_758_237_200_001n, 3_996_727_317_582_373n],
      ...{ priceScales: [10n ** 13n, E18], D: 11_990_181_952_747_117_010_004_582_015n },
      ...{ A: 44_247_267n, gamma: 1_097_496_535_809n, feeGamma: 20_006_948_916_210n },
      ...{ midFee: 180_523_500n, outFee: 9_026_175_000n, virtualPrice: 1n },
      ...{ totalSupply: 707_106_781_186_547_524_400_844n, xcpProfit: E18 },
      allowedExtraProfit: 10n ** 17n,
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
      ...base,
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
      ...base,
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
      ...base,
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

  itIsNowhereBelowPool(anyCurveCryptoPool, { ...{ numRuns, endOnFailure: true }, wei: 1 })
})
