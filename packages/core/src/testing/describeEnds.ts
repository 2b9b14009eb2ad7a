import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Direction, Family, PoolBase } from '../pools/family.js'
import { anyBits } from './arbitrary.js'
import { propertyRuns } from './propertyRuns.js'

/**
 * Tests that pairs pay no more beyond the end of their curve than at its end, so that a bound over
 * curves covers routes that go there. `slack` is the rounding of a pool in wei.
 */
export function describeEnds<P extends PoolBase>(
  name: string,
  family: Family<P>,
  pools: fc.Arbitrary<P>,
  slack: (pool: P, amountIn: bigint) => number,
): void {
  const numRuns = propertyRuns()
  describe(`${name} at the end of its curve`, () => {
    it('pays no more beyond it', () => {
      fc.assert(
        fc.property(pools, fc.boolean(), anyBits(1, 112), (pool, isFirst, amount) => {
          const direction: Direction = isFirst ? { in: 0, out: 1 } : { in: 1, out: 0 }
          const curve = family.toCurve(pool, direction)
          const end = BigInt(Math.ceil(curve.limit))
          const atEnd = curve.out(curve.limit) * (1 + 1e-10) + slack(pool, end)
          for (const amountIn of [end + 1n, end + amount, end + (end >> (amount % 60n))]) {
            const paid = Number(family.getAmountOut(pool, direction, amountIn))
            expect(paid).toBeLessThanOrEqual(atEnd)
          }
        }),
        { numRuns, endOnFailure: true },
      )
    })
  })
}
