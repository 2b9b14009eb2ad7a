import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyAdaptiveFeePool,
  anyBits,
  anySlidingFeePool,
  anyStaticIntegralPool,
  TOKEN_A,
  TOKEN_B,
} from '../../testing/arbitrary.js'
import { describeConformance } from '../../testing/conformance.js'
import {
  describeRecordedSwaps,
  type RecordedState,
  type RecordedSwap,
  readState,
} from '../../testing/recordedSwaps.js'
import { mostIntoReserve, sellFrom } from './exact.js'
import { adaptiveFeePpm, beforeSwap, swapFeePpm, updateAdaptiveFee } from './fee.js'
import * as algebraIntegral from './index.js'
import { averageVolatility, writeTimepoint } from './oracle.js'

const { applySwap, getAmountOut, toCurve } = algebraIntegral

// Each step rounds by up to a wei of the output and a wei of the input, which is worth output at
// the marginal price. In addition, floats have 16 digits of the virtual reserve, of which a swap
// may be a tiny part.
const slackWei = (pool: algebraIntegral.AlgebraIntegralPool) => {
  const s = Number(pool.sqrtPriceX96) / 2 ** 96
  const price = Math.max(s * s, 1 / (s * s))
  const liquidity = pool.ticks.reduce((sum, tick) => sum + Math.abs(Number(tick.liquidityNet)), 0)
  return 2 * (pool.ticks.length + 1) * (1 + price) + 2e-14 * liquidity * Math.max(s, 1 / s)
}
const tolerance = {
  relative: 1e-9,
  wei: (pool: unknown) => slackWei(pool as algebraIntegral.AlgebraIntegralPool),
}

describeConformance(
  'algebraIntegral without a plugin',
  algebraIntegral,
  anyStaticIntegralPool,
  anyBits(1, 127),
  tolerance,
)
describeConformance(
  'algebraIntegral with an adaptive fee',
  algebraIntegral,
  anyAdaptiveFeePool,
  anyBits(1, 127),
  tolerance,
)
describeConformance(
  'algebraIntegral with a sliding fee',
  algebraIntegral,
  anySlidingFeePool,
  anyBits(1, 127),
  { ...tolerance, fewerRuns: 300 },
)

const LIQUIDITY = 1n << 127n
const staticPool: algebraIntegral.AlgebraIntegralPool = {
  ...{ family: 'algebraIntegral', id: '0x0000000000000000000000000000000000000abc' },
  ...{ venue: 'test', tokens: [TOKEN_A, TOKEN_B], feePpm: 100 },
  ...{ sqrtPriceX96: 1n << 96n, tick: 0, liquidity: LIQUIDITY },
  ticks: [
    { index: -887_220, liquidityNet: LIQUIDITY },
    { index: 887_220, liquidityNet: -LIQUIDITY },
  ],
}

describe('a sliding fee', () => {
  const fees = (pool: algebraIntegral.AlgebraIntegralPool) =>
    [true, false].map((zeroForOne) => swapFeePpm(beforeSwap(pool), zeroForOne))

  it('makes the direction of the last move dearer and the other cheaper', () => {
    const from = { baseFee: 3_000, priceChangeFactor: 1_000, factorX96: 1n << 96n, timestamp: 1 }
    const poolAt = (tick: number, fee: Partial<algebraIntegral.SlidingFee> = {}) => ({
      ...{ ...staticPool, tick, quotedAt: 2n, slidingFee: { ...from, tick: 0, ...fee } },
    })
    expect(fees(poolAt(0))).toEqual([3_000, 3_000])
    // 1.0001^-1000 = 0.90484 and 1.0001^1000 = 1.10516: the fees move by a tenth.
    expect(fees(poolAt(-1_000))).toEqual([3_285, 2_714])
    expect(fees(poolAt(1_000))).toEqual([2_684, 3_315])
    expect(fees(poolAt(-1_000, { priceChangeFactor: 500 }))).toEqual([3_142, 2_857])
    // At the end of a factor, one direction pays 1 ppm and the other twice the base fee.
    expect(fees(poolAt(7_000))).toEqual([1, 6_000])
    expect(fees(poolAt(-7_000, { priceChangeFactor: 65_535 }))).toEqual([6_000, 1])
  })

  it('moves again in a second swap of a block, from the tick before the first', () => {
    fc.assert(
      fc.property(anySlidingFeePool, anyBits(1, 100), (pool, amountIn) => {
        const after = applySwap(pool, { in: 0, out: 1 }, amountIn)
        if (after === pool || after.tick === pool.tick) return
        const { slidingFee } = after
        expect(slidingFee).toMatchObject({ timestamp: Number(pool.quotedAt), tick: pool.tick })
        const again = beforeSwap(after).slidingFee!
        expect(again).toMatchObject({ timestamp: slidingFee!.timestamp, tick: pool.tick })
        // The price fell, so the factor of further falls does not.
        expect(again.factorX96).toBeGreaterThanOrEqual(slidingFee!.factorX96)
      }),
    )
  })
})

describe('an adaptive fee', () => {
  it('is one fee for all swaps of a block, the first of which writes the timepoint', () => {
    fc.assert(
      fc.property(anyAdaptiveFeePool, anyBits(1, 100), (pool, amountIn) => {
        const after = applySwap(pool, { in: 0, out: 1 }, amountIn)
        if (after === pool) return
        expect(after.adaptiveFee!.oracle.timepoints.at(-1)!.timestamp).toBe(Number(pool.quotedAt))
        expect(updateAdaptiveFee(after)).toEqual(after)
        expect(after.feePpm).toBe(updateAdaptiveFee(pool).feePpm)
      }),
    )
  })

  it('is between the base fee and its maximum', () => {
    fc.assert(
      fc.property(anyAdaptiveFeePool, (pool) => {
        const { alpha1, alpha2, baseFee } = pool.adaptiveFee!.config
        const { feePpm } = updateAdaptiveFee(pool)
        expect(feePpm).toBeGreaterThanOrEqual(baseFee)
        expect(feePpm).toBeLessThanOrEqual(baseFee + alpha1 + alpha2)
      }),
    )
  })

  it('measures no volatility for a constant price', () => {
    const first = { timestamp: 1_000, tickCumulative: 0n, volatilityCumulative: 0n }
    let oracle: algebraIntegral.VolatilityOracle = { averageTick: 77, timepoints: [first] }
    for (let i = 1; i < 40; i++) {
      oracle = writeTimepoint(oracle, { timestamp: 1_000 + i * 7_001, tick: 77 })
    }
    expect(averageVolatility(oracle)).toBe(0n)
    expect(oracle.averageTick).toBe(77)
  })

  it('keeps one day of timepoints and the one before', () => {
    const first = { timestamp: 1_000, tickCumulative: 0n, volatilityCumulative: 0n }
    let oracle: algebraIntegral.VolatilityOracle = { averageTick: 5, timepoints: [first] }
    for (let i = 1; i < 100; i++) {
      oracle = writeTimepoint(oracle, { timestamp: 1_000 + i * 3_600, tick: i % 7 })
    }
    expect(oracle.timepoints).toHaveLength(25)
    oracle = writeTimepoint(oracle, { timestamp: 1_000_000, tick: 5 })
    expect(oracle.timepoints).toHaveLength(2)
  })
})

it('refuses inputs that do not fit the reserves of the contract', () => {
  const pool = staticPool
  const forward = { in: 0, out: 1 } as const
  // The positions hold 2¹²⁷ of either token, so that as much fits beside them, less uncollected fees.
  const most = mostIntoReserve(pool, forward)
  expect((1n << 127n) - (1n << 112n) - most).toBeGreaterThan(-(1n << 70n))
  expect((1n << 127n) - (1n << 112n) - most).toBeLessThan(1n << 70n)
  expect(getAmountOut(pool, forward, most)).toBeGreaterThan(0n)
  for (const amountIn of [most + 1n, (1n << 128n) - 1n, 1n << 128n]) {
    expect(getAmountOut(pool, forward, amountIn)).toBe(0n)
    expect(applySwap(pool, forward, amountIn)).toBe(pool)
  }
  // The reserve keeps the input, so the same again does not fit.
  const after = applySwap(pool, forward, most)
  expect(getAmountOut(after, forward, most)).toBe(0n)
  expect(toCurve(pool, forward).limit).toBeLessThanOrEqual(Number(most))
  expect(toCurve(pool, forward).limit).toBeGreaterThan(Number(most) * 0.999_999)
})

it('lets no curve promise past the end of the reserves, however deep the liquidity', () => {
  const deepest = fc.tuple(anyStaticIntegralPool, fc.integer({ min: 90, max: 127 }))
  fc.assert(
    fc.property(deepest, fc.constantFrom(0, 1), fc.integer({ min: 0, max: 60 }), (drawn, i, k) => {
      const [{ ticks, ...state }, bits] = drawn
      const scale = (liquidity: bigint) => (liquidity << BigInt(bits)) >> 103n
      const pool = {
        ...{ ...state, liquidity: scale(state.liquidity) },
        ticks: ticks.map((tick) => ({ ...tick, liquidityNet: scale(tick.liquidityNet) })),
      }
      const direction = { in: i, out: 1 - i }
      const { limit } = toCurve(pool, direction)
      expect(limit).toBeLessThan(2 ** 128)
      const end = BigInt(Math.floor(limit))
      const amountIn = end - (end >> BigInt(k))
      const promised = toCurve(pool, direction).out(Number(amountIn))
      if (promised > 1 + slackWei(pool)) {
        expect(getAmountOut(pool, direction, amountIn)).toBeGreaterThan(0n)
      }
    }),
  )
})

describeReferenceVectors('algebraIntegral reference vectors', (readVector) => {
  type Recorded = RecordedState & {
    readonly description: string
    readonly swaps: readonly RecordedSwap[]
  }
  for (const state of readVector('algebra/integral-swaps.json') as Recorded[]) {
    const pool: algebraIntegral.AlgebraIntegralPool = {
      ...{ family: 'algebraIntegral', id: '0x0000000000000000000000000000000000000abc' },
      ...{ venue: 'test', tokens: [TOKEN_A, TOKEN_B], ...readState(state) },
    }
    describeRecordedSwaps(state.description, { pool, swaps: state.swaps, sellFrom })
  }

  it('gives the recorded fee for every volatility', () => {
    type FeeVector = {
      readonly config: algebraIntegral.FeeConfig
      readonly points: readonly { readonly volatility: number; readonly fee: number }[]
    }
    const { config, points } = readVector('algebra/integral-adaptive-fee.json') as FeeVector
    const answers = points.map(({ volatility }) => ({
      volatility,
      fee: adaptiveFeePpm(config, BigInt(volatility)),
    }))
    expect(points.length).toBeGreaterThan(10)
    expect(answers).toEqual(points)
  })
})
