import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withGasMargin } from './gasMargin.js'

it('adds a fifth of the estimate, rounded up', () => {
  expect([0n, 1n, 5n, 6n, 200_001n].map(withGasMargin)).toEqual([0n, 2n, 6n, 8n, 240_002n])
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 64n }), (gas) => {
      const limit = withGasMargin(gas)
      expect(limit * 10n).toBeGreaterThanOrEqual(gas * 12n)
      expect((limit - 1n) * 10n).toBeLessThan(gas * 12n)
    }),
  )
})
