import type { Address } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { type DrawnQuote, routeMermaid } from './index.js'

const [a, b, c] = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}` as Address)
const labels = new Map([
  [a!, { symbol: 'A<script>"&', decimals: 0 }],
  [b!, { symbol: 'B', decimals: 0 }],
  [c!, { symbol: 'C', decimals: 0 }],
])
const hop = (tokenIn: Address, tokenOut: Address, amountIn: bigint, amountOut: bigint) => ({
  ...{ tokenIn, tokenOut, amountIn, amountOut, pool: a!, venue: 'v', family: 'f' },
})
const quote: DrawnQuote = {
  ...{ tokenIn: a!, tokenOut: c!, amountIn: 100n, amountOut: 90n },
  hops: [hop(a!, c!, 60n, 55n), hop(a!, b!, 40n, 40n), hop(b!, c!, 40n, 35n)],
}

describe('a route', () => {
  it('as Mermaid has an edge for each hop, and no quote from a name inside its quotes', () => {
    const lines = routeMermaid(quote, labels).split('\n')
    expect(lines[0]).toBe('flowchart LR')
    expect(lines.filter((line) => line.includes('-->'))).toEqual([
      '  t0 -->|"60.00 % v: 55 C"| t1',
      '  t0 -->|"40.00 % v: 40 B"| t2',
      '  t2 -->|"100.00 % v: 35 C"| t1',
    ])
    expect(lines[1]).toBe('  t0["A#60;script#62;#34;#38;"]')
  })
})
