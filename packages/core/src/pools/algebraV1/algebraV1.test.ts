import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyAlgebraV1Pool, anyBits, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { describeConformance } from '../../testing/conformance.js'
import {
  describeRecordedSwaps,
  type RecordedState,
  type RecordedSwap,
  readState,
} from '../../testing/recordedSwaps.js'
import { sellFrom } from './exact.js'
import { updateVolumeFee, volumeFeePpm } from './fee.js'
import * as algebraV1 from './index.js'
import { dayAverages, writeVolumeTimepoint } from './oracle.js'

const { applySwap, getAmountOut } = algebraV1

// Each step rounds by up to a wei of the output and a wei of the input, which is worth output at
// the marginal price. In addition, floats have 16 digits of the virtual reserve, of which a swap
// may be a tiny part.
const slackWei = (pool: algebraV1.AlgebraV1Pool) => {
  const s = Number(pool.sqrtPriceX96) / 2 ** 96
  const price = Math.max(s * s, 1 / (s * s))
  const liquidity = pool.ticks.reduce((sum, tick) => sum + Math.abs(Number(tick.liquidityNet)), 0)
  const reach = (pool.ticks.at(-1)?.index ?? 0) - (pool.ticks[0]?.index ?? 0)
  const stops = pool.ticks.length + 2 + reach / (256 * pool.ticksPerBit)
  return 2 * stops * (1 + price) + 2e-14 * liquidity * Math.max(s, 1 / s)
}

describeConformance('algebraV1', algebraV1, anyAlgebraV1Pool, anyBits(1, 127), {
  relative: 1e-9,
  wei: (pool: unknown) => slackWei(pool as algebraV1.AlgebraV1Pool),
})

const liquidity = 1n << 100n
const sums = { tickCumulative: 0n, volatilityCumulative: 0n, volumePerLiquidityCumulative: 0n }
const pool: algebraV1.AlgebraV1Pool = {
  ...{ family: 'algebraV1', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
  ...{ tokens: [TOKEN_A, TOKEN_B], feePpm: 100, ticksPerBit: 60 },
  // The defaults of the factory.
  feeConfig: {
    ...{ alpha1: 2_900, alpha2: 12_000, beta1: 360, beta2: 60_000, gamma1: 59, gamma2: 8_500 },
    ...{ volumeBeta: 0, volumeGamma: 10, baseFee: 100 },
  },
  oracle: {
    averageTick: 0,
    volumePerLiquidityX64: 0n,
    timepoints: [{ timestamp: 1_000, ...sums }],
  },
  ...{ sqrtPriceX96: 1n << 96n, tick: 0, liquidity },
  ticks: [
    { index: -887_220, liquidityNet: liquidity },
    { index: 887_220, liquidityNet: -liquidity },
  ],
}
const direction = { in: 0, out: 1 }

describe('a fee by volatility and volume', () => {
  it('is one fee for all swaps of a block, the first of which writes the timepoint', () => {
    fc.assert(
      fc.property(anyAlgebraV1Pool, anyBits(1, 100), (before, amountIn) => {
        const after = applySwap(before, direction, amountIn)
        if (after === before) return
        expect(after.oracle.timepoints.at(-1)!.timestamp).toBe(Number(before.quotedAt))
        expect(updateVolumeFee(after)).toBe(after)
        expect(after.feePpm).toBe(updateVolumeFee(before).feePpm)
      }),
    )
  })

  it('is between the base fee and its maximum', () => {
    fc.assert(
      fc.property(anyAlgebraV1Pool, (before) => {
        const after = updateVolumeFee(before)
        if (after === before) return
        const { alpha1, alpha2, baseFee } = before.feeConfig
        expect(after.feePpm).toBeGreaterThanOrEqual(baseFee)
        expect(after.feePpm).toBeLessThanOrEqual(baseFee + alpha1 + alpha2)
      }),
    )
  })

  it('keeps its fee until the next timepoint, even if the settings change', () => {
    const settled = { ...pool, feePpm: 777, quotedAt: 1_000n }
    expect(updateVolumeFee(settled)).toBe(settled)
    expect(updateVolumeFee({ ...settled, quotedAt: 1_001n }).feePpm).not.toBe(777)
  })

  it('scales both sigmoids by a half without volume, and by one with high volume', () => {
    // Volatile enough for the maximum of both.
    const volatility = 15n * 200_000n
    const { feeConfig } = pool
    expect(volumeFeePpm(feeConfig, { volatility, volumePerLiquidity: 0n })).toBe(100 + 14_900 / 2)
    expect(volumeFeePpm(feeConfig, { volatility, volumePerLiquidity: 60n })).toBe(100 + 14_900)
    expect(volumeFeePpm(feeConfig, { volatility: 0n, volumePerLiquidity: 60n })).toBeLessThan(120)
  })

  it('counts volume from the next block on: √a·√b over the liquidity after the swap', () => {
    const first = applySwap({ ...pool, quotedAt: 1_010n }, direction, liquidity)
    const paid = getAmountOut({ ...pool, quotedAt: 1_010n }, direction, liquidity)
    const { volumePerLiquidityX64 } = first.oracle
    expect(Number(volumePerLiquidityX64) / 2 ** 64).toBeCloseTo(
      Math.sqrt(Number(paid) / Number(liquidity)),
    )
    expect(first.oracle.timepoints.at(-1)!.volumePerLiquidityCumulative).toBe(0n)
    const next = updateVolumeFee({ ...first, quotedAt: 1_011n })
    expect(next.oracle.volumePerLiquidityX64).toBe(0n)
    expect(next.oracle.timepoints.at(-1)!.volumePerLiquidityCumulative).toBe(volumePerLiquidityX64)
  })

  it('measures no volatility for a constant price', () => {
    let { oracle } = pool
    for (let i = 1; i < 40; i++) {
      oracle = writeVolumeTimepoint(oracle, { timestamp: 1_000 + i * 7_001, tick: 0 })
    }
    expect(dayAverages(oracle)).toEqual({ volatility: 0n, volumePerLiquidity: 0n })
  })

  it('keeps one day of timepoints and the one before', () => {
    let { oracle } = pool
    for (let i = 1; i < 100; i++) {
      oracle = writeVolumeTimepoint(oracle, { timestamp: 1_000 + i * 3_600, tick: i % 7 })
    }
    expect(oracle.timepoints).toHaveLength(25)
    oracle = writeVolumeTimepoint(oracle, { timestamp: 1_000_000, tick: 5 })
    expect(oracle.timepoints).toHaveLength(2)
  })
})

describeReferenceVectors('algebraV1 reference vectors', (readVector) => {
  type Recorded = RecordedState & {
    readonly description: string
    readonly swaps: readonly RecordedSwap[]
  }
  for (const state of readVector('algebra/v1.9-swaps.json') as Recorded[]) {
    // Rows of 256 ticks, as in 1.9.
    const at = { ...pool, ticksPerBit: 1, ...readState(state) }
    describeRecordedSwaps(state.description, { pool: at, swaps: state.swaps, sellFrom })
  }
})
