import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divUp, mulDivDown, mulDivUp, sqrtDown } from './fullMath.js'
import { computeSwapStep } from './swapMath.js'
import {
  getSqrtPriceAtTick,
  getTickAtSqrtPrice,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceAtStop,
} from './tickMath.js'

describe('fullMath', () => {
  const positive = fc.bigInt({ min: 1n, max: 1n << 256n })

  it('rounds the exact quotient down and up', () => {
    fc.assert(
      fc.property(positive, positive, positive, (a, b, d) => {
        const down = mulDivDown(a, b, d)
        const up = mulDivUp(a, b, d)
        expect(down * d <= a * b && a * b < (down + 1n) * d).toBe(true)
        expect(up - down).toBe((a * b) % d === 0n ? 0n : 1n)
        expect(divUp(a * b, d)).toBe(up)
      }),
    )
  })

  it('takes the floor of the square root', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 512n }), (n) => {
        const root = sqrtDown(n)
        expect(root * root <= n && n < (root + 1n) * (root + 1n)).toBe(true)
      }),
    )
  })
})

describe('tickMath', () => {
  it('equals the contract at both ends and refuses values beyond', () => {
    expect(getSqrtPriceAtTick(MIN_TICK)).toBe(MIN_SQRT_PRICE_X96)
    expect(getSqrtPriceAtTick(MAX_TICK)).toBe(MAX_SQRT_PRICE_X96)
    expect(() => getSqrtPriceAtTick(MAX_TICK + 1)).toThrow(RangeError)
    expect(() => getSqrtPriceAtTick(MIN_TICK - 1)).toThrow(RangeError)
    expect(() => getTickAtSqrtPrice(MIN_SQRT_PRICE_X96 - 1n)).toThrow(RangeError)
    expect(() => getTickAtSqrtPrice(MAX_SQRT_PRICE_X96)).toThrow(RangeError)
  })

  it('keeps prices of ticks where a swap can stop', () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_TICK, max: MAX_TICK }), (tick) => {
        const price = getSqrtPriceAtTick(tick)
        expect([sqrtPriceAtStop(tick), sqrtPriceAtStop(tick)]).toEqual([price, price])
      }),
    )
    expect(() => sqrtPriceAtStop(MAX_TICK + 1)).toThrow(RangeError)
  })

  it('finds the greatest tick whose price is not above', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tick, at) => {
          const low = getSqrtPriceAtTick(tick)
          const high = getSqrtPriceAtTick(tick + 1)
          const price = low + BigInt(Math.floor(Number(high - low - 1n) * at))
          expect(getTickAtSqrtPrice(price < high ? price : high - 1n)).toBe(tick)
          expect(getTickAtSqrtPrice(low)).toBe(tick)
          expect(getTickAtSqrtPrice(high - 1n)).toBe(tick)
        },
      ),
    )
  })
})

describeReferenceVectors('reference vectors of the v3 maths', (readVector) => {
  type TickRow = { readonly tick: number; readonly sqrtPriceX96: string }
  const { getSqrtRatioAtTick, getTickAtSqrtRatio } = readVector(
    'uniswap-v3/tick-math.json',
  ) as Record<'getSqrtRatioAtTick' | 'getTickAtSqrtRatio', readonly TickRow[]>

  it.each(getSqrtRatioAtTick)('√price at tick $tick', ({ tick, sqrtPriceX96 }) => {
    expect(getSqrtPriceAtTick(tick)).toBe(BigInt(sqrtPriceX96))
  })

  it.each(getTickAtSqrtRatio)('tick at √price $sqrtPriceX96', ({ tick, sqrtPriceX96 }) => {
    expect(getTickAtSqrtPrice(BigInt(sqrtPriceX96))).toBe(tick)
  })

  type StepRow = Record<
    | 'sqrtRatioCurrentX96'
    | 'sqrtRatioTargetX96'
    | 'liquidity'
    | 'amountRemaining'
    | 'amountIn'
    | 'amountOut'
    | 'feeAmount',
    string
  > & { readonly feePips: number; readonly sqrtRatioNextX96: string | null }
  const rows = readVector('uniswap-v3/swap-step.json') as readonly StepRow[]

  it.each(rows.filter((row) => BigInt(row.amountRemaining) > 0n))(
    'step of $amountRemaining from $sqrtRatioCurrentX96',
    (row) => {
      const step = computeSwapStep({
        sqrtPriceX96: BigInt(row.sqrtRatioCurrentX96),
        sqrtPriceTargetX96: BigInt(row.sqrtRatioTargetX96),
        liquidity: BigInt(row.liquidity),
        amountRemaining: BigInt(row.amountRemaining),
        feePpm: BigInt(row.feePips),
      })
      expect(step).toMatchObject({
        amountIn: BigInt(row.amountIn),
        amountOut: BigInt(row.amountOut),
        feeAmount: BigInt(row.feeAmount),
        ...(row.sqrtRatioNextX96 && { sqrtPriceNextX96: BigInt(row.sqrtRatioNextX96) }),
      })
    },
  )
})
