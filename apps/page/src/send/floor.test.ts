import { floorAt, parseSlippagePpm } from '@braid-swap/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { floorOf, slippageFor } from './floor.js'

it('slippageFor returns the largest slippage that keeps the floor', () => {
  const amounts = fc
    .tuple(fc.bigInt({ min: 2n, max: 10n ** 36n }), fc.integer({ min: 0, max: 500_000 }))
    .map(([amount, ppm]) => ({ amount, floor: floorAt(amount, BigInt(ppm)) }))
  fc.assert(
    fc.property(amounts, ({ amount, floor }) => {
      const ppm = parseSlippagePpm(slippageFor(amount, floor) ?? '')
      if (ppm === undefined) throw new Error('no slippage')
      expect(floorAt(amount, BigInt(ppm))).toBeGreaterThanOrEqual(floor)
      const wider = (amount * BigInt(1_000_000 - ppm - 1)) / 1_000_000n
      expect(wider).toBeLessThan(floor)
    }),
  )
})

it('slippageFor returns undefined if the output is below the floor', () => {
  expect(slippageFor(99n, 100n)).toBeUndefined()
  expect(slippageFor(100n, 100n)).toBe('0')
})

it('a bare wrap has no slippage', () => {
  const hop = { poolType: 'wrap' } as Parameters<typeof floorOf>[0]['graph'][number]
  const pool = { ...hop, poolType: 'uniswapV3' }
  expect(floorOf({ dstAmount: 1_000n, graph: [hop] }, '1')).toBe(1_000n)
  expect(floorOf({ dstAmount: 1_000n, graph: [hop, pool] }, '1')).toBe(990n)
  expect(floorOf({ dstAmount: 1_000n, graph: [pool] }, 'much')).toBeUndefined()
})
