import { describe, expect, it } from 'vitest'
import { outOf } from './pieces.js'
import { steepEnvelopeOf } from './steepEnvelope.js'

describe('a steep envelope', () => {
  it('is not below a price that falls by twelve orders of magnitude at a point', () => {
    const price = (x: number) => (x < 5 ? 1 : 1e-12)
    const pieces = steepEnvelopeOf({ price, limit: 10, reserveIn: 1 })
    for (let x = 0; x <= 10; x += 0.1) {
      const out = Math.min(x, 5) + Math.max(0, x - 5) * 1e-12
      expect(outOf(pieces, x)).toBeGreaterThanOrEqual(out * (1 - 1e-12))
      expect(outOf(pieces, x)).toBeLessThanOrEqual(out * 1.001 + 1e-9)
    }
  })

  it('has a price that rises nowhere', () => {
    const price = (x: number) => (x < 3 ? 2 / (1 + x) ** 2 : x < 3.5 ? 1e-3 : 1e-15)
    const { price: prices } = steepEnvelopeOf({ price, limit: 4, reserveIn: 1 })
    for (let k = 1; k < prices.length; k++) expect(prices[k]!).toBeLessThan(prices[k - 1]!)
  })
})
