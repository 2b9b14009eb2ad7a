import { floorAt, NATIVE, parseSlippagePpm } from '@braid-swap/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { floorAtPercent, slippageFor } from './floor.js'

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
  type Hop = Parameters<typeof floorAtPercent>[0]['graph'][number]
  const [wrapped, other] = [`0x${'55'.repeat(20)}`, `0x${'0a'.repeat(20)}`] as const
  const wrap = { from: NATIVE, to: wrapped, poolType: 'wrap' } as Hop
  const unwrap = { from: wrapped, to: NATIVE, poolType: 'unwrap' } as Hop
  const pool = { from: wrapped, to: other, poolType: 'uniswapV3' } as Hop
  expect(floorAtPercent({ dstAmount: 1_000n, graph: [wrap] }, '1')).toBe(1_000n)
  expect(floorAtPercent({ dstAmount: 1_000n, graph: [unwrap] }, '1')).toBe(1_000n)
  expect(floorAtPercent({ dstAmount: 1_000n, graph: [wrap, pool] }, '1')).toBe(990n)
  expect(floorAtPercent({ dstAmount: 1_000n, graph: [pool] }, 'much')).toBeUndefined()
})
