import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEdgePool } from '../testing/deepEdges.js'
import { sellAcrossTicks } from './concentrated.js'
import { concentratedPieces } from './concentratedPieces.js'
import { limitOf, outOf } from './pieces.js'

// Relative error of the float sums over pieces, and the integer rounding in wei.
const RELATIVE = 1e-12
const WEI = 1

const anyPosition = fc.record({
  edge: fc.integer({ min: -700_000, max: 700_000 }),
  shift: fc.integer({ min: 0, max: 90 }),
  isAbove: fc.boolean(),
  deepBits: fc.integer({ min: 20, max: 127 }),
  thinBits: fc.integer({ min: 0, max: 90 }),
  halfWidth: fc.integer({ min: 1, max: 3000 }),
  feePpm: fc.constantFrom(0, 1, 100, 500, 3000, 10_000, 999_999),
})

describe('pieces of concentrated liquidity', () => {
  it('promise at least what the pool pays, for a price arbitrarily close to a tick', () => {
    let paid = 0
    fc.assert(
      fc.property(
        anyPosition,
        fc.boolean(),
        fc.integer({ min: 1, max: 1200 }),
        ({ feePpm, ...position }, zeroForOne, part) => {
          const pool = deepEdgePool(position)
          const pieces = concentratedPieces(pool, zeroForOne, feePpm)
          for (const end of [...pieces.startIn, 1e6, limitOf(pieces)]) {
            const amountIn = BigInt(Math.floor((part / 1000) * end))
            const sale = { zeroForOne, amountIn, feePpm, ticksPerBit: 1 }
            const walked = sellAcrossTicks(pool, sale)
            if (!walked || walked.remaining > 0n || walked.amountOut === 0n) continue
            paid++
            const promised = outOf(pieces, Number(amountIn))
            expect(promised * (1 + RELATIVE) + WEI).toBeGreaterThanOrEqual(Number(walked.amountOut))
          }
        },
      ),
      { numRuns: 1000, endOnFailure: true },
    )
    expect(paid).toBeGreaterThan(1000)
  })

  it('begin a piece at every tick where liquidity changes, even very close to the price', () => {
    const near = { edge: -253_039, shift: 36, isAbove: false, halfWidth: 2000 }
    const pool = deepEdgePool({ ...near, deepBits: 100, thinBits: 46 })
    const pieces = concentratedPieces(pool, false, 500)
    expect(pieces.price.length).toBe(2)
    expect(pieces.startOut[1]).toBeGreaterThan(0)
    expect(pieces.startOut[1]! / pieces.startIn[1]! / (0.9995 * pieces.price[0]!)).toBeCloseTo(
      1,
      12,
    )
  })
})
