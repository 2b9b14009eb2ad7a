import { NATIVE } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { floorAtPercent } from './floor.js'

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
