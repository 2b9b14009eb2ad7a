import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyBits,
  anyDynamicFeePool,
  anyUniswapV3Pool,
  TOKEN_A,
  TOKEN_B,
} from '../../testing/arbitrary.js'
import { describeConformance } from '../../testing/conformance.js'
import { propertyRuns } from '../../testing/propertyRuns.js'
import { describeRecordedSwaps, type RecordedSwap } from '../../testing/recordedSwaps.js'
import type { Direction } from '../family.js'
import { sellFrom } from './exact.js'
import { feePpmOf } from './fee.js'
import * as uniswapV3 from './index.js'

const { getAmountOut } = uniswapV3

// Each step (a word or a tick) rounds by up to a wei of the output and a wei of the input, which is
// worth output at the marginal price. In addition, floats have 16 digits of the virtual reserve, of
// which a swap may be a tiny part.
const slackWei = (pool: uniswapV3.UniswapV3Pool) => {
  const s = Number(pool.sqrtPriceX96) / 2 ** 96
  const price = Math.max(s * s, 1 / (s * s))
  const steps = pool.ticks.length + 40_000 / (256 * pool.tickSpacing)
  const liquidity = pool.ticks.reduce((sum, tick) => sum + Math.abs(Number(tick.liquidityNet)), 0)
  return 2 * steps * (1 + price) + 2e-14 * liquidity * Math.max(s, 1 / s)
}

describeConformance('uniswapV3', uniswapV3, anyUniswapV3Pool, anyBits(1, 130), {
  relative: 1e-9,
  wei: (pool) => slackWei(pool as uniswapV3.UniswapV3Pool),
})

describeConformance(
  'uniswapV3 with a moving fee',
  uniswapV3,
  anyDynamicFeePool,
  anyBits(1, 130),
  { relative: 1e-9, wei: (pool) => slackWei(pool as uniswapV3.UniswapV3Pool) },
  {
    'never pays more than rounding for a swap split in two':
      'a swap towards the average price lowers the fee of the next one, on chain as well',
  },
)

describe('a swap split in two with a moving fee', () => {
  const { applySwap } = uniswapV3
  type Halves = { readonly first: bigint; readonly second: bigint }

  /** The outputs of the two halves, the states they start in, and the lower of their fees. */
  function swapHalves(
    pool: uniswapV3.UniswapV3Pool,
    direction: Direction,
    { first, second }: Halves,
  ) {
    const after = applySwap(pool, direction, first)
    const paid = [getAmountOut(pool, direction, first), getAmountOut(after, direction, second)]
    const fees = [feePpmOf(pool), feePpmOf(after)]
    return { paid: paid[0]! + paid[1]!, isFilled: !paid.includes(0n), fees }
  }

  /** The same pool with a fixed fee. */
  function withFixedFee(pool: uniswapV3.UniswapV3Pool, feePpm: number): uniswapV3.UniswapV3Pool {
    const { dynamicFee: _, quotedAt: __, ...still } = pool
    return { ...still, feePpm }
  }

  // Each half pays one fee for all of its input, so the halves pay no more than the whole would at
  // the lower of their fees.
  it('never pays more than rounding above the whole at the lower of both fees', () => {
    const direction = fc.constantFrom<Direction>({ in: 0, out: 1 }, { in: 1, out: 0 })
    const property = fc.property(
      ...([anyDynamicFeePool, direction, anyBits(1, 130), anyBits(1, 130)] as const),
      (pool, direction, first, second) => {
        const { paid, isFilled, fees } = swapHalves(pool, direction, { first, second })
        const still = withFixedFee(pool, Math.min(...fees))
        const whole = getAmountOut(still, direction, first + second)
        if (!isFilled || whole === 0n) return
        const slack = slackWei(pool) + Number(whole) * 1e-9
        expect(Number(paid - whole)).toBeLessThanOrEqual(slack)
      },
    )
    const numRuns = propertyRuns()
    fc.assert(property, { numRuns, endOnFailure: true })
  })

  it('pays more than the whole if the first half moves the price to its average', () => {
    // The average of the oracle is tick 100, the price is at tick 0, and each tick between adds 500
    // ppm: the whole is charged 50,500 ppm, but a second half that starts at tick 100 only 500.
    const liquidity = 10n ** 24n
    const observations = [
      { timestamp: 1000, tickCumulative: 0n },
      { timestamp: 2000, tickCumulative: 100_000n },
    ]
    const pool: uniswapV3.UniswapV3Pool = {
      ...{ family: 'uniswapV3', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
      ...{ tokens: [TOKEN_A, TOKEN_B], feePpm: 500, tickSpacing: 10, tick: 0, liquidity },
      ...{ sqrtPriceX96: 1n << 96n, quotedAt: 2000n },
      ticks: [
        { index: -10_000, liquidityNet: liquidity },
        { index: 10_000, liquidityNet: -liquidity },
      ],
      dynamicFee: {
        ...{ scalingFactor: 500_000_000n, capPpm: 90_000, fallbackPpm: 500, secondsAgo: 600 },
        oracle: { index: 1, cardinality: 400, cardinalityNext: 400, older: 0, observations },
      },
    }
    const direction = { in: 1, out: 0 }
    const half = { first: 5_286n * 10n ** 18n, second: 5_286n * 10n ** 18n }
    const { paid, fees } = swapHalves(pool, direction, half)
    const whole = getAmountOut(pool, direction, half.first + half.second)
    const wholeAtLower = getAmountOut(withFixedFee(pool, 500), direction, half.first + half.second)
    expect(fees).toEqual([50_500, 500])
    expect(Number(paid) / Number(whole)).toBeCloseTo((949_500 + 999_500) / 2 / 949_500, 3)
    expect(paid).toBeLessThan(wholeAtLower)
  })
})

it('does not skip a tick that floats place on the wrong side of the price', () => {
  const liquidity = 77371252455336267181195265n
  const pool: uniswapV3.UniswapV3Pool = {
    ...{ family: 'uniswapV3', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
    ...{ tokens: [TOKEN_A, TOKEN_B], feePpm: 9972, tickSpacing: 200, tick: 400_000, liquidity },
    sqrtPriceX96: 38400329974042030913961448288742562465n,
    ticks: [
      { index: 399_800, liquidityNet: liquidity - 1n },
      { index: 400_000, liquidityNet: 1n },
      { index: 400_200, liquidityNet: -liquidity },
    ],
  }
  const curve = uniswapV3.toCurve(pool, { in: 0, out: 1 })
  expect(curve.limit).toBeGreaterThan(1e12)
  expect(curve.pieces!.startIn.every((start) => start >= 0)).toBe(true)
})

it('states the price of the next range if the current one is empty in floats', () => {
  const deep = 4951760157141521099596496894n
  const pool: uniswapV3.UniswapV3Pool = {
    ...{ family: 'uniswapV3', id: '0x0000000000000000000000000000000000000abc', venue: 'test' },
    ...{ tokens: [TOKEN_A, TOKEN_B], feePpm: 100, tickSpacing: 1, tick: 100_070, liquidity: 7n },
    // Just above the tick, with tiny liquidity at it and none until far below.
    sqrtPriceX96: 11796777318989370059190268027520n,
    ticks: [
      { index: 97_325, liquidityNet: deep },
      { index: 98_807, liquidityNet: -deep },
      { index: 100_070, liquidityNet: 7n },
      { index: 115_406, liquidityNet: -7n },
    ],
  }
  const { price, inputAt, pieces } = uniswapV3.toCurve(pool, { in: 0, out: 1 })
  expect(price(0)).toBe(pieces!.γ * pieces!.price[0]!)
  expect(price(inputAt(price(1e8)))).toBeCloseTo(price(1e8), 6)
})

type Numeric = Record<string, string>
type State = {
  readonly fee: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: string
  readonly tick: number
  readonly liquidity: string
  readonly ticks: readonly { readonly index: number; readonly liquidityNet: string }[]
}

function poolOf(state: State): uniswapV3.UniswapV3Pool {
  return {
    family: 'uniswapV3',
    id: '0x0000000000000000000000000000000000000abc',
    venue: 'test',
    tokens: [TOKEN_A, TOKEN_B],
    feePpm: state.fee,
    tickSpacing: state.tickSpacing,
    sqrtPriceX96: BigInt(state.sqrtPriceX96),
    tick: state.tick,
    liquidity: BigInt(state.liquidity),
    ticks: state.ticks.map((tick) => ({ ...tick, liquidityNet: BigInt(tick.liquidityNet) })),
  }
}

describeReferenceVectors('uniswapV3 reference vectors', (readVector) => {
  type CoreSwap = Pick<RecordedSwap, 'name' | 'amount0' | 'amount1' | 'tickAfter' | 'revert'> & {
    readonly zeroForOne: boolean
    readonly amountSpecified: string
    readonly sqrtPriceLimitX96: string | null
  }
  type CorePool = State & { readonly description: string; readonly swaps: readonly CoreSwap[] }
  for (const state of readVector('uniswap-v3/core-swaps.json') as CorePool[]) {
    const swaps = state.swaps.map((swap) => ({
      ...{ ...swap, zeroToOne: swap.zeroForOne, amountRequired: swap.amountSpecified },
      limitSqrtPrice: swap.sqrtPriceLimitX96,
    }))
    describeRecordedSwaps(state.description, { pool: poolOf(state), swaps, sellFrom })
  }

  type RealPool = State & { readonly address: string; readonly swaps: readonly Numeric[] }
  for (const state of readVector('uniswap-v3/real-pools.json') as RealPool[]) {
    it(`real pool ${state.address}`, () => {
      expect(state.swaps.length).toBeGreaterThan(0)
      for (const swap of state.swaps) {
        const zeroForOne = Boolean(swap['zeroForOne'])
        const direction = zeroForOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
        const amountOut = getAmountOut(poolOf(state), direction, BigInt(swap['amountIn']!))
        expect(amountOut).toBe(BigInt(swap['amountOut']!))
      }
    })
  }
})
