import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stablePairCurve } from '../pools/pairCurve.js'
import { outOf, priceOf } from './pieces.js'

const anyPair = fc.record({
  reserveIn: fc.double({ min: 1, max: 9, noNaN: true }).map((e) => 10 ** e),
  ratio: fc.double({ min: -3, max: 3, noNaN: true }).map((e) => 10 ** e),
  γ: fc.double({ min: 0.9, max: 1, noNaN: true }),
  at: fc.double({ min: -12, max: 3, noNaN: true }).map((e) => 10 ** e),
})

it('is never below the curve, and above it by at most one part in ten thousand', () => {
  fc.assert(
    fc.property(anyPair, ({ reserveIn, ratio, γ, at }) => {
      const reserveOut = reserveIn * ratio
      const curve = stablePairCurve({
        ...{ reserveIn: reserveIn * 1e18, reserveOut: reserveOut * 1e6, γ, maxReserve: 2 ** 256 },
        ...{ unitIn: 1e18, unitOut: 1e6, isWholeInvariant: false },
      })
      fc.pre(curve.limit > 0)
      const pieces = curve.pieces!
      const x = Math.min(curve.limit, at * reserveIn * 1e18)
      const [loose, tight] = [outOf(pieces, x), curve.out(x)]
      expect(loose).toBeGreaterThanOrEqual(tight)
      expect(loose).toBeLessThanOrEqual(tight * (1 + 1e-4))
      expect(pieces.startIn.at(-1)).toBe(curve.limit)
      expect(priceOf(pieces, 0) / curve.price(0) - 1).toBeLessThan(2e-6)
      expect(pieces.price.length).toBeLessThan(2_000)
      for (let j = 1; j < pieces.price.length; j++) {
        expect(pieces.price[j]).toBeLessThanOrEqual(pieces.price[j - 1]! * (1 + 1e-6))
      }
    }),
    { numRuns: 300, endOnFailure: true },
  )
})
