import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withGasMargin, withGasPriceMargin } from './gasMargin.js'

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

it('names a price that is paid after six full blocks, and at most 2.03 times the present one', () => {
  // EIP-1559: a full block raises the base fee by an eighth, rounded down, and by at least 1 wei.
  const raised = (fee: bigint) => fee + (fee / 8n > 0n ? fee / 8n : 1n)
  fc.assert(
    fc.property(fc.bigInt({ min: 100n, max: 1n << 64n }), (baseFee) => {
      let later = baseFee
      for (let blocks = 0; blocks < 6; blocks++) later = raised(later)
      const price = withGasPriceMargin(baseFee)
      expect(price).toBeGreaterThanOrEqual(later)
      expect(price * 100n).toBeLessThanOrEqual(203n * baseFee + 100n)
    }),
  )
})
