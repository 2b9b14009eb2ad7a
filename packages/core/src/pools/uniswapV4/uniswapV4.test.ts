import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeSwapStep } from '../../math/swapMath.js'
import { getSqrtPriceAtTick } from '../../math/tickMath.js'
import { anyBits, anyUniswapV3Pool, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { anyUniswapV4Pool } from '../../testing/arbitraryUniswapV4.js'
import { describeConformance } from '../../testing/conformance.js'
import * as uniswapV3 from '../uniswapV3/index.js'
import { swapFeePpm } from './fee.js'
import * as uniswapV4 from './index.js'
import { encodeSwap } from './swap.js'

const { applySwap, getAmountOut, toCurve } = uniswapV4

// As for Uniswap V3: a wei of the output and a wei of the input for each step, and the digits that floats
// lose of the virtual reserve. A fee near the whole input makes each wei of it worth less.
const slackWei = (pool: uniswapV4.UniswapV4Pool) => {
  const s = Number(pool.sqrtPriceX96) / 2 ** 96
  const price = Math.max(s * s, 1 / (s * s))
  const steps = pool.ticks.length + 40_000 / (256 * pool.tickSpacing)
  const liquidity = pool.ticks.reduce((sum, tick) => sum + Math.abs(Number(tick.liquidityNet)), 0)
  return 2 * steps * (1 + price) + 2e-14 * liquidity * Math.max(s, 1 / s)
}

describeConformance('uniswapV4', uniswapV4, anyUniswapV4Pool, anyBits(1, 130), {
  relative: 1e-9,
  wei: (pool) => slackWei(pool as uniswapV4.UniswapV4Pool),
})

const base: uniswapV4.UniswapV4Pool = {
  ...{ family: 'uniswapV4', id: `0x${'ab'.repeat(32)}`, manager: `0x${'cd'.repeat(20)}` },
  ...{ venue: 'test', tokens: [TOKEN_A, TOKEN_B], isNative: false, tickSpacing: 60, tick: 0 },
  ...{ hooks: `0x${'0'.repeat(40)}`, lpFeePpm: 3000, protocolFeesPpm: [0, 0] },
  ...{ sqrtPriceX96: 1n << 96n, liquidity: 10n ** 24n },
  ticks: [
    { index: -6000, liquidityNet: 10n ** 24n },
    { index: 6000, liquidityNet: -(10n ** 24n) },
  ],
}
const forward = { in: 0, out: 1 }

describe('a pool of Uniswap V4', () => {
  it('pays what a pool of Uniswap V3 pays for the same fee', () => {
    fc.assert(
      fc.property(anyUniswapV3Pool, anyBits(1, 110), fc.boolean(), (pool, amountIn, isBack) => {
        const direction = isBack ? { in: 1, out: 0 } : forward
        const { feePpm: lpFeePpm, ...rest } = pool
        const own: uniswapV4.UniswapV4Pool = { ...base, ...rest, family: 'uniswapV4', lpFeePpm }
        expect(getAmountOut(own, direction, amountIn)).toBe(
          uniswapV3.getAmountOut(pool, direction, amountIn),
        )
      }),
    )
  })

  it('charges the protocol’s fee of its direction in addition', () => {
    const pool = { ...base, protocolFeesPpm: [1000, 0] as const }
    const amountIn = 10n ** 20n
    const same = { ...base, lpFeePpm: 3997 }
    expect(getAmountOut(pool, forward, amountIn)).toBe(getAmountOut(same, forward, amountIn))
    const back = { in: 1, out: 0 }
    expect(getAmountOut(pool, back, amountIn)).toBe(getAmountOut(base, back, amountIn))
  })

  it('pays nothing for a fee of the whole input', () => {
    const pool = { ...base, lpFeePpm: 999_999, protocolFeesPpm: [999, 0] as const }
    expect(swapFeePpm(pool, true)).toBe(1_000_000)
    expect(getAmountOut(pool, forward, 10n ** 20n)).toBe(0n)
    expect(applySwap(pool, forward, 10n ** 20n)).toBe(pool)
    expect(toCurve(pool, forward).limit).toBe(0)
    expect(getAmountOut(pool, { in: 1, out: 0 }, 10n ** 20n)).toBeGreaterThan(0n)
  })

  it('refuses amounts that do not fit a signed integer of 128 bits', () => {
    const liquidity = (1n << 127n) + (1n << 126n)
    const ticks = [
      { index: -600_000, liquidityNet: liquidity },
      { index: 600_000, liquidityNet: -liquidity },
    ]
    const pool = { ...base, lpFeePpm: 0, liquidity, ticks }
    const most = 1n << 127n
    expect(getAmountOut(pool, forward, most)).toBeGreaterThan(0n)
    expect(getAmountOut(pool, forward, most + 1n)).toBe(0n)
    const sqrtPriceX96 = getSqrtPriceAtTick(60_000)
    const steep = { ...pool, sqrtPriceX96, tick: 60_000 }
    expect(getAmountOut(steep, forward, 1n << 118n)).toBeGreaterThan(0n)
    expect(getAmountOut(steep, forward, 1n << 119n)).toBe(0n)
    expect(toCurve(steep, forward).limit).toBeLessThan(2 ** 119)
  })

  it('names its whole key in a program, and its sides in one byte', () => {
    const key = `${'0'.repeat(3)}bb8003c${'0'.repeat(40)}`
    const manager = 'cd'.repeat(20)
    expect(encodeSwap(base, forward)).toBe(`0x0a${manager}01${key}`)
    expect(encodeSwap({ ...base, isNative: true }, { in: 1, out: 0 })).toBe(
      `0x0a${manager}02${key}`,
    )
  })
})

it('takes all that is left in a step that reaches its end only by rounding', () => {
  // One wei less than the rounded-up input moves the price to the target all the same.
  const step = {
    ...{ sqrtPriceX96: 1n << 96n, sqrtPriceTargetX96: (1n << 96n) + 1n, liquidity: 1n << 40n },
    ...{ amountRemaining: 1n, feePpm: 500_000n },
  }
  const v3 = computeSwapStep(step)
  const v4 = computeSwapStep({ ...step, takesRest: true })
  expect(v4.amountIn + v4.feeAmount).toBe(1n)
  expect(v3.sqrtPriceNextX96).toBe(v4.sqrtPriceNextX96)
})

describeReferenceVectors('uniswapV4 reference vectors', (readVector) => {
  type Fee = { readonly protocolFee: number; readonly lpFee: number; readonly swapFee: number }
  it.each(readVector('uniswap-v4/swap-fee-composition.json') as Fee[])(
    'fee of $protocolFee and $lpFee',
    ({ protocolFee, lpFee: lpFeePpm, swapFee }) => {
      const pool = { lpFeePpm, protocolFeesPpm: [protocolFee, 0] as const }
      expect(swapFeePpm(pool, true)).toBe(swapFee)
      expect(swapFeePpm(pool, false)).toBe(lpFeePpm)
    },
  )

  type State = {
    readonly poolId: `0x${string}`
    readonly lpFee: number
    readonly tickSpacing: number
    readonly sqrtPriceX96: string
    readonly tick: number
    readonly liquidity: string
    readonly ticks: readonly { readonly index: number; readonly liquidityNet: string }[]
    readonly sequentialSwaps: readonly {
      readonly zeroForOne: boolean
      readonly amountIn: string
      readonly amountOut: string
    }[]
  }
  it.each(readVector('uniswap-v4/swaps.json') as State[])('real pool $poolId', (state) => {
    let pool: uniswapV4.UniswapV4Pool = {
      ...{ ...base, id: state.poolId, lpFeePpm: state.lpFee, tickSpacing: state.tickSpacing },
      sqrtPriceX96: BigInt(state.sqrtPriceX96),
      ...{ tick: state.tick, liquidity: BigInt(state.liquidity) },
      ticks: state.ticks.map((tick) => ({ ...tick, liquidityNet: BigInt(tick.liquidityNet) })),
    }
    expect(state.sequentialSwaps.length).toBeGreaterThan(0)
    for (const { zeroForOne, amountIn, amountOut } of state.sequentialSwaps) {
      const direction = zeroForOne ? forward : { in: 1, out: 0 }
      expect(getAmountOut(pool, direction, BigInt(amountIn))).toBe(BigInt(amountOut))
      pool = applySwap(pool, direction, BigInt(amountIn))
    }
  })
})
