import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from '../json.js'
import { type Direction, type Family, measureCurve, type PoolBase } from '../pools/family.js'
import { encodeSwap, type Pool } from '../pools/index.js'
import { swapLayouts } from '../pools/layouts.js'
import { faultOf } from '../shape/check.js'
import { propertyRuns } from './propertyRuns.js'

/** The allowed distance of a family's float curve from its integers. */
export type Tolerance = {
  /** Relative error of `curve.out` beyond the roundings of the integers. */
  readonly relative: number
  /** Wei by which the integers may fall short of the real-valued formula by rounding. */
  readonly wei: (pool: PoolBase, amountIn: bigint) => number
  /** Runs without `BRAID_FUZZ_RUNS`, if fewer than usual because a curve of the family takes long. */
  readonly fewerRuns?: number
}

/** Properties that a family cannot have, by their exact names, with the reason. */
export type Exceptions = { readonly [property: string]: string }

const TWO_256 = 1n << 256n

/** One of a pool's directions, chosen by a number: from any of its tokens to any other. */
export function anyDirectionOf({ tokens }: PoolBase, n: number): Direction {
  const count = tokens.length
  const from = n % count
  const step = 1 + (Math.floor(n / count) % (count - 1))
  return { in: from, out: (from + step) % count }
}

/** Relative tolerance for hulls, whose corners are slightly early. */
const CLOSE = 1e-5

/**
 * Tests the properties that every family must have, over random pools, directions and amounts. The
 * number of runs is `BRAID_FUZZ_RUNS`, 500 by default. Throws if an exception names no property.
 */
export function describeConformance<P extends PoolBase>(
  name: string,
  family: Family<P>,
  pools: fc.Arbitrary<P>,
  amounts: fc.Arbitrary<bigint>,
  tolerance: Tolerance,
  exceptions: Exceptions = {},
): void {
  const numRuns = propertyRuns(tolerance.fewerRuns)
  const check = (property: (pool: P, direction: Direction, amount: bigint, more: bigint) => void) =>
    fc.assert(
      fc.property(pools, fc.nat(), amounts, amounts, (pool, n, amount, more) =>
        property(pool, anyDirectionOf(pool, n), amount, more),
      ),
      { numRuns, endOnFailure: true },
    )
  const back = ({ in: i, out }: Direction): Direction => ({ in: out, out: i })

  const properties = new Set<string>()
  const holds = (property: string, test: () => void) => {
    properties.add(property)
    const reason = exceptions[property]
    if (reason === undefined) it(property, test)
    else it.skip(`${property}: ${reason}`, test)
  }

  describe(`${name} conforms`, () => {
    holds('is in a state that its shape describes, before and after a swap', () => {
      check((pool, direction, amount) => {
        expect(faultOf(family.shape, pool)).toBeUndefined()
        const after = family.applySwap(pool, direction, amount)
        expect(faultOf(family.shape, after)).toBeUndefined()
      })
    })

    holds('zero in, zero out, same pool', () => {
      check((pool, direction) => {
        expect(family.getAmountOut(pool, direction, 0n)).toBe(0n)
        expect(family.applySwap(pool, direction, 0n)).toBe(pool)
      })
    })

    holds('never pays less for more input, up to its limit', () => {
      check((pool, direction, amount, more) => {
        const less = family.getAmountOut(pool, direction, amount)
        const greater = family.getAmountOut(pool, direction, amount + more)
        if (greater > 0n) expect(greater).toBeGreaterThanOrEqual(less)
      })
    })

    holds('never pays more than rounding for a swap split in two', () => {
      check((pool, direction, amount, more) => {
        const whole = family.getAmountOut(pool, direction, amount + more)
        if (whole === 0n) return
        const first = family.getAmountOut(pool, direction, amount)
        const after = family.applySwap(pool, direction, amount)
        const second = first === 0n ? 0n : family.getAmountOut(after, direction, more)
        expect(Number(first + second - whole)).toBeLessThanOrEqual(
          tolerance.wei(pool, amount + more) + Number(whole) * tolerance.relative,
        )
      })
    })

    holds('pays nothing if it is empty', () => {
      check((pool, direction, amount) => {
        if (family.isEmpty(pool)) expect(family.getAmountOut(pool, direction, amount)).toBe(0n)
      })
    })

    holds('never profits from a round trip', () => {
      check((pool, direction, amount) => {
        const out = family.getAmountOut(pool, direction, amount)
        if (out === 0n) return
        const after = family.applySwap(pool, direction, amount)
        expect(family.getAmountOut(after, back(direction), out)).toBeLessThanOrEqual(amount)
      })
    })

    holds('does not change its arguments and is deterministic', () => {
      check((pool, direction, amount) => {
        const before = stringify(pool)
        const first = family.getAmountOut(pool, direction, amount)
        family.applySwap(pool, direction, amount)
        family.toCurve(pool, direction)
        family.estimateGas(pool, direction, amount)
        expect(family.getAmountOut(pool, direction, amount)).toBe(first)
        expect(stringify(pool)).toBe(before)
      })
    })

    holds('has a curve that matches the integers', () => {
      check((pool, direction, amount) => {
        const exact = Number(family.getAmountOut(pool, direction, amount))
        const curve = family.toCurve(pool, direction)
        if (exact === 0 || Number(amount) > curve.limit) return
        const slack = tolerance.wei(pool, amount) + exact * tolerance.relative
        expect(Math.abs(curve.out(Number(amount)) - exact)).toBeLessThanOrEqual(slack)
      })
    })

    holds('takes every amount within the limit of its curve', () => {
      check((pool, direction, amount) => {
        const curve = family.toCurve(pool, direction)
        if (Number(amount) > curve.limit) return
        // If the curve promises more than rounding can lose, the pool must pay.
        if (curve.out(Number(amount)) > 1 + tolerance.wei(pool, amount)) {
          expect(family.getAmountOut(pool, direction, amount)).toBeGreaterThan(0n)
        }
      })
    })

    holds('takes amounts up to the very end of its curve', () => {
      check((pool, direction, amount) => {
        const curve = family.toCurve(pool, direction)
        const end = BigInt(Math.floor(curve.limit))
        for (const amountIn of [end, end - (end % amount), end - (end >> (amount % 60n))]) {
          if (amountIn <= 0n || Number(amountIn) > curve.limit) continue
          if (curve.out(Number(amountIn)) > 1 + tolerance.wei(pool, amountIn)) {
            expect(family.getAmountOut(pool, direction, amountIn)).toBeGreaterThan(0n)
          }
        }
      })
    })

    holds('pays nothing for more than a uint256 holds', () => {
      check((pool, direction, amount) => {
        for (const amountIn of [TWO_256, TWO_256 + amount, TWO_256 << 44n]) {
          expect(family.getAmountOut(pool, direction, amountIn)).toBe(0n)
          expect(family.applySwap(pool, direction, amountIn)).toBe(pool)
        }
      })
    })

    holds('measures the price and depth of its curve', () => {
      check((pool, direction) => {
        const measured = family.measure?.(pool, direction, 0.02)
        if (!measured) return
        const ofCurve = measureCurve(family.toCurve(pool, direction), 0.02)
        const { spot, depthIn, depthOut, stepGas = 0, intervals, extraIn = 0 } = measured
        const { stepGas: ofSteps, intervals: ofIntervals, extraIn: ofExtra } = ofCurve
        expect({ spot, stepGas, intervals, extraIn }).toEqual({
          ...{ spot: ofCurve.spot, stepGas: ofSteps, intervals: ofIntervals, extraIn: ofExtra },
        })
        // Near a tick, the closed form subtracts float prices that agree in nine digits.
        expect(Math.abs(depthIn - ofCurve.depthIn)).toBeLessThanOrEqual(1e-4 * ofCurve.depthIn)
        expect(Math.abs(depthOut - ofCurve.depthOut)).toBeLessThanOrEqual(1e-4 * ofCurve.depthOut)
      })
    })

    holds('has a marginal price that never increases and a matching inverse', () => {
      check((pool, direction, amount, more) => {
        const curve = family.toCurve(pool, direction)
        const x = Math.min(Number(amount), curve.limit)
        const y = Math.min(x + Number(more), curve.limit)
        expect(curve.price(y)).toBeLessThanOrEqual(curve.price(x) * (1 + 1e-9))
        const price = curve.price(x)
        if (price > 0) {
          const at = curve.inputAt(price)
          expect(curve.price(at)).toBeLessThanOrEqual(price * (1 + 1e-6))
          expect(curve.inputAt(price * (1 + 1e-6))).toBeLessThanOrEqual(at)
        }
      })
    })

    holds('charges at least both stated fees for a round trip of one wei', () => {
      check((pool, direction) => {
        const both = [direction, back(direction)]
        const fees = both.map((side) => family.feeRate(pool, side, 1n))
        const prices = both.map((side) => family.toCurve(pool, side).price(0))
        const [there, home] = fees.map((fee) => 1 - (fee ?? 0))
        expect(Math.min(there!, home!)).toBeGreaterThan(0)
        expect(Math.max(there!, home!)).toBeLessThanOrEqual(1)
        expect(prices[0]! * prices[1]!).toBeLessThanOrEqual(there! * home! * (1 + CLOSE))
      })
    })

    holds('round-trips through JSON', () => {
      check((pool, direction, amount) => {
        const revived = parse(stringify(pool)) as P
        expect(revived).toEqual(pool)
        expect(family.getAmountOut(revived, direction, amount)).toBe(
          family.getAmountOut(pool, direction, amount),
        )
      })
    })

    holds('estimates no amount below its least gas', () => {
      check((pool, direction, amount) => {
        if (family.getAmountOut(pool, direction, amount) === 0n) return
        const least = family.leastGas?.(pool) ?? family.estimateGas(pool, direction, 1n)
        expect(family.estimateGas(pool, direction, amount)).toBeGreaterThanOrEqual(least)
      })
    })

    holds('encodes swaps of the length it documents', () => {
      check((pool, direction) => {
        const one = pool as unknown as Pool
        const bytes = (encodeSwap(one, direction).length - 2) / 2
        expect(bytes).toBe(swapLayouts[one.family]?.bytes ?? 0)
      })
    })

    const unknown = Object.keys(exceptions).filter((property) => !properties.has(property))
    if (unknown.length > 0) throw new Error(`${name} excepts no property of the suite: ${unknown}`)
  })
}
