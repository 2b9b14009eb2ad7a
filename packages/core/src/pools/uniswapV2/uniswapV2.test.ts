import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'
import { anyBits, anyUniswapV2Pool, TOKEN_A, TOKEN_B } from '../../testing/arbitrary.js'
import { checked, describeArithmetic, required } from '../../testing/arithmetic.js'
import { describeConformance } from '../../testing/conformance.js'
import * as uniswapV2 from './index.js'

const { getAmountOut } = uniswapV2
const forward = { in: 0, out: 1 } as const

function poolOf(reserves: readonly [bigint, bigint], feePpm = 3000): uniswapV2.UniswapV2Pool {
  const id = '0x0000000000000000000000000000000000000abc'
  return { family: 'uniswapV2', id, venue: 'test', tokens: [TOKEN_A, TOKEN_B], reserves, feePpm }
}

// Real-valued and floored output differ by less than a wei; splitting floors twice.
describeConformance('uniswapV2', uniswapV2, anyUniswapV2Pool, anyBits(1, 112), {
  relative: 1e-14,
  wei: () => 1,
})

describeArithmetic('uniswapV2', uniswapV2, anyUniswapV2Pool, (pool, direction, amountIn) => {
  const [X, Y] = [pool.reserves[direction.in]!, pool.reserves[direction.out]!]
  const x = checked(amountIn * BigInt(1_000_000 - pool.feePpm))
  const amountOut = checked(x * Y) / checked(X * 1_000_000n + x)
  required(amountOut > 0n && amountOut < Y)
  checked(X + amountIn, 112n)
  return amountOut
})

describeReferenceVectors('uniswapV2 reference vectors', (readVector) => {
  type Row = Record<'reserveIn' | 'reserveOut' | 'amountIn' | 'amountOut', string> &
    Record<'feeNumerator' | 'feeDenominator', number>

  for (const row of readVector('uniswap-v2/swaps.json') as Row[]) {
    it(`${row.amountIn} in at ${row.reserveIn}/${row.reserveOut}`, () => {
      const feePpm = (row.feeNumerator * 1_000_000) / row.feeDenominator
      const pool = poolOf([BigInt(row.reserveIn), BigInt(row.reserveOut)], feePpm)
      expect(getAmountOut(pool, forward, BigInt(row.amountIn))).toBe(BigInt(row.amountOut))
    })
  }
})

describe('uniswapV2 edge cases', () => {
  it('returns 0 if a reserve is empty', () => {
    expect(getAmountOut(poolOf([0n, 10n]), forward, 5n)).toBe(0n)
    expect(getAmountOut(poolOf([10n, 0n]), forward, 5n)).toBe(0n)
  })

  it('returns 0 if the pair would overflow uint112', () => {
    const full = (1n << 112n) - 1n
    expect(getAmountOut(poolOf([full - 10n, 1n << 100n]), forward, 11n)).toBe(0n)
    expect(
      getAmountOut(poolOf([1n << 80n, 1n << 100n]), forward, full - (1n << 80n)),
    ).toBeGreaterThan(0n)
  })

  it('rounds equally with 997/1000 and 997000/1000000', () => {
    const [x, X, Y] = [123_456_789n, 5_000_000_007n, 7_000_000_003n]
    const withThousands = (x * 997n * Y) / (X * 1000n + x * 997n)
    expect(getAmountOut(poolOf([X, Y]), forward, x)).toBe(withThousands)
  })
})
