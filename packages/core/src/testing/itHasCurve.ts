/** Properties of the curves of pools with several coins: the curve is above the pool, its pieces just above the curve. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outOf as piecesOut } from '../math/pieces.js'
import { getAmountOut, type Pool, toCurve } from '../pools/index.js'
import { anyBits } from './arbitrary.js'
import { anyDirectionOf } from './conformance.js'

type Options = { readonly numRuns: number; readonly endOnFailure: boolean }

/** A test: with its extra input the curve pays at most `wei` less than the pool, beside a billionth. */
export function itIsNowhereBelowPool(
  anyPool: fc.Arbitrary<Pool>,
  { wei = 0, ...options }: Options & { readonly wei?: number },
): void {
  it('is nowhere below what the pool pays, with its extra input', () => {
    const property = fc.property(anyPool, fc.nat(), anyBits(1, 110), (pool, drawn, amountIn) => {
      const direction = anyDirectionOf(pool, drawn)
      const paid = Number(getAmountOut(pool, direction, amountIn))
      const { out, extraIn = 0 } = toCurve(pool, direction)
      expect(out(Number(amountIn) + extraIn) * (1 + 1e-9)).toBeGreaterThanOrEqual(paid - wei)
    })
    fc.assert(property, options)
  })
}

/** A test: the pieces are not below the curve, and above it by less than a part in 500. */
export function itHasClosePieces<P extends Pool>(
  anyPool: fc.Arbitrary<P>,
  { balancesOf, ...options }: Options & { readonly balancesOf: (pool: P) => readonly bigint[] },
): void {
  it('has pieces that are above it by less than a part in 500', () => {
    const anySize = fc.double({ min: -9, max: 1, noNaN: true })
    const property = fc.property(anyPool, fc.nat(), anySize, (pool, drawn, size) => {
      const direction = anyDirectionOf(pool, drawn)
      const { out, pieces, limit } = toCurve(pool, direction)
      const x = Math.min(limit, Number(balancesOf(pool)[direction.in]!) * 10 ** size)
      const y = piecesOut(pieces!, x)
      expect(y).toBeGreaterThanOrEqual(out(x) * (1 - 1e-9))
      expect(y).toBeLessThanOrEqual(out(x) * 1.002)
    })
    fc.assert(property, options)
  })
}
