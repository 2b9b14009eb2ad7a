import type { TokenLabels } from '@braid-swap/draw'
import { expect, it } from 'vitest'
import { boardPage } from './boardPage.js'
import { type Board, standingsOf } from './runBoard.js'

const [tokenIn, tokenOut] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const evil = '<script>alert("1")</script>'
const labels: TokenLabels = new Map([
  [tokenIn, { symbol: evil, decimals: 6 }],
  [tokenOut, { symbol: 'UBTC', decimals: 8 }],
])
const order = { tokenIn, tokenOut, amountIn: 1_000_000n, block: 7n }
const board: Board = {
  ...{ chainId: 999, asked: '2026-01-02T03:04:05.678Z', slippageBps: 50 },
  services: ['braid', 'one', 'two'].map((name) => ({ name, host: `${name}.example` })),
  orders: [
    {
      ...{ ...order, bound: 1_001n },
      rows: [
        { service: 'braid', status: 'simulated', quoted: 1_000n, received: 1_000n },
        { service: 'two', status: 'simulated', quoted: 0n, received: 1_000n },
        { service: 'one', status: 'refused', reason: evil },
      ],
    },
    {
      ...order,
      rows: [
        { service: 'one', status: 'reverted', quoted: 9n, reason: evil },
        { service: 'two', status: 'unreachable', reason: evil },
        { service: 'braid', status: 'refused', reason: evil },
      ],
    },
  ],
}

it('counts equal outputs as best for each, and an order that nobody paid for none', () => {
  expect(standingsOf(board)).toMatchObject([
    { name: 'braid', best: 1, simulated: 1, unreachable: 0 },
    { name: 'one', best: 0, simulated: 0, unreachable: 0 },
    { name: 'two', best: 1, simulated: 1, unreachable: 1 },
  ])
})

it('runs nothing that a service or a token says, and loads nothing', () => {
  const html = boardPage(board, labels)
  expect(html).not.toMatch(/<script|<img|<link| src=| href=/)
  expect(html.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;').length - 1).toBe(6)
  expect(html).toContain("default-src 'none'")
})
