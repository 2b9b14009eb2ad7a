import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NATIVE } from '../../hex.js'
import { anyBits, TOKEN_A } from '../../testing/arbitrary.js'
import { describeConformance } from '../../testing/conformance.js'
import * as wrap from './index.js'

const pool: wrap.WrapPool = {
  ...{ family: 'wrap', id: TOKEN_A, venue: 'test', tokens: [NATIVE, TOKEN_A] },
}

// 1:1, so only the float of an amount above 2⁵³ is rounded.
describeConformance('wrap', wrap, fc.constant(pool), anyBits(1, 120), {
  relative: 2 ** -52,
  wei: () => 0,
})

it('has a curve that ends where a uint256 does, not before', () => {
  const curve = wrap.toCurve(pool, { in: 0, out: 1 })
  for (const amountIn of [1n << 128n, (1n << 128n) + (1n << 108n), 1n << 200n, 1n << 255n]) {
    expect(wrap.getAmountOut(pool, { in: 0, out: 1 }, amountIn)).toBe(amountIn)
    expect(curve.out(Number(amountIn))).toBe(Number(amountIn))
  }
  expect(curve.limit).toBeLessThan(2 ** 256)
})
