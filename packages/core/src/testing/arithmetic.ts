/**
 * Differential test of a family against a model of its contract in checked arithmetic. A `bigint`
 * never overflows where a uint256 reverts, so a formula alone can promise amounts that no contract
 * pays. The model contains every product and sum of the contract; the amounts are near their
 * limits.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Direction, Family, PoolBase } from '../pools/family.js'
import { anyBits } from './arbitrary.js'
import { propertyRuns } from './propertyRuns.js'

const TWO_256 = 1n << 256n

/**
 * The value if it fits `bits` bits, as in a contract's checked arithmetic; otherwise a RangeError.
 */
export function checked(value: bigint, bits = 256n): bigint {
  if (value >= 0n && value < 1n << bits) return value
  throw new RangeError(`${value} is no uint${bits}`)
}

/** A `require` of the contract. */
export function required(holds: boolean): void {
  if (!holds) throw new RangeError('refused')
}

/** The output of a model; `0n` if it throws a RangeError. */
function paidBy(model: () => bigint): bigint {
  try {
    return model()
  } catch (error) {
    if (error instanceof RangeError) return 0n
    throw error
  }
}

/**
 * The family pays exactly what the model pays, and 0 if the model throws: for amounts of every size
 * up to 2²⁵⁶ − 1, and within a fraction 2⁻ᵏ of the end of the curve, in both directions.
 */
export function describeArithmetic<P extends PoolBase>(
  name: string,
  family: Family<P>,
  pools: fc.Arbitrary<P>,
  model: (pool: P, direction: Direction, amountIn: bigint) => bigint,
): void {
  const directions = fc.constantFrom<Direction>({ in: 0, out: 1 }, { in: 1, out: 0 })
  const nearness = fc.integer({ min: 0, max: 60 })
  it(`${name} pays what checked arithmetic pays, up to amounts of 2²⁵⁶ − 1`, () => {
    let [paid, refused] = [0, 0]
    fc.assert(
      fc.property(pools, directions, anyBits(1, 256), nearness, (pool, direction, amount, k) => {
        const { limit } = family.toCurve(pool, direction)
        const end = BigInt(Math.floor(Math.min(limit, 2 ** 255)))
        const near = [end, end - (end >> BigInt(k)), end + (end >> BigInt(k))]
        for (const amountIn of [amount, TWO_256 - amount, TWO_256 - 1n, ...near]) {
          if (amountIn <= 0n || amountIn >= TWO_256) continue
          const wanted = paidBy(() => model(pool, direction, amountIn))
          const got = family.getAmountOut(pool, direction, amountIn)
          expect({ amountIn, got }).toEqual({ amountIn, got: wanted })
          if (wanted > 0n) paid++
          else refused++
        }
      }),
      { numRuns: propertyRuns(), endOnFailure: true },
    )
    expect(Math.min(paid, refused)).toBeGreaterThan(0)
  })
}
