// @vitest-environment happy-dom
// What the comparison with single pools says of small differences, and when there is none.

import type { Comparison } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { expect, it } from 'vitest'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { CompareCard } from './compareCard.js'

const dst = name(2)
const tokens = new Map(
  [NATIVE, dst].map((address) => [
    address,
    { address, symbol: 'B', name: 'B', decimals: 6, verified: true },
  ]),
)
const same = { isOld: false, isAsked: true, tokens, usdPerDst: undefined }

it('a pool pays the same only if it pays as much to the wei', async () => {
  const pools = [79_991_791n, 79_991_758n, 79_000_000n].map((amountOut, i) => ({
    ...{ poolAddress: toHex(i, 20), poolType: 'uniswapV3', amountOut, decimalsOut: 6 },
  }))
  const value = { serviceQuote: 79_991_791n, decimalsOut: 6, pools } as Comparison
  const polled = { order: { src: NATIVE, dst, amount: 2n }, value }
  const { texts } = await shown(h(CompareCard, { ...same, polled }))
  expect(texts('.bar-lost')).toEqual(['the same', '< 0.01 %', '−1.24 %'])
})

it('without an order it does not look as if a comparison were on its way', async () => {
  const { text, draw } = await shown(h(CompareCard, { ...same, polled: {} }))
  expect(text('.none')).toBe('…')
  await draw(h(CompareCard, { ...same, polled: {}, isAsked: false }))
  expect(text('.none')).toBe('Nothing to compare.')
})

/** The card for pools that pay this, in wei, beside a route that pays 80. */
async function against(
  outs: readonly bigint[],
  change: Partial<Parameters<typeof CompareCard>[0]> = {},
) {
  const pools = outs.map((amountOut, i) => ({
    ...{ poolAddress: toHex(i, 20), poolType: 'p', amountOut, decimalsOut: 6 },
    ...(i === 0 && { exchange: 'v' }),
  }))
  const value = { serviceQuote: 80_000_000n, decimalsOut: 6, pools } as unknown as Comparison
  const polled = { order: { src: NATIVE, dst, amount: 2n }, value }
  const on = await shown(h(CompareCard, { ...same, polled, ...change }))
  const bars = [...on.root.querySelectorAll<HTMLElement>('.bar-track')]
  return { ...on, lengths: bars.map((bar) => bar.querySelector('i')?.style.width) }
}

it('the longest bar is the greatest loss, and the route has none', async () => {
  const on = await against([79_200_000n, 78_400_000n])
  expect(on.lengths).toEqual(['50%', '100%'])
  expect(on.texts('.bar-out')).toEqual(['80', '79.2', '78.4'])
  expect([...on.root.querySelectorAll('li')].map(({ className }) => className)).toEqual([
    ...['bar ours', 'bar', 'bar'],
  ])
  expect(on.texts('.bar-name')).toEqual([
    ...['Braid the most output', 'v 0x000000…000000', 'p 0x000000…000001'],
  ])
  expect(on.root.querySelectorAll('.swatch')).toHaveLength(1)
})

it('only a loss is coloured as one', async () => {
  const on = await against([80_000_000n, 79_200_000n])
  expect(on.lengths).toEqual([undefined, '100%'])
  const colours = [...on.root.querySelectorAll('.bar-lost')].map(({ className }) => className)
  expect(colours).toEqual(['bar-lost soft', 'bar-lost'])
})

it('shows the best six pools', async () => {
  expect((await against(Array(7).fill(79_200_000n))).lengths).toHaveLength(6)
})

it.each([
  [[79_200_000n], undefined, '0.8 B more than the best single pool. '],
  [[79_200_000n], 2, '0.8 B ($1.60) more than the best single pool. '],
  [[80_000_000n], 2, 'The best single pool pays as much as the route. '],
  [[], 2, 'No single pool swaps this amount of B to B. '],
])('against pools that pay %o it says what the route is worth', async (outs, usdPerDst, words) => {
  expect((await against(outs, { usdPerDst })).text('.fine')).toContain(`${words}Gas is not`)
})

it('a comparison of another order is marked as old, and its absence is not', async () => {
  expect((await against([], { isOld: true })).root.querySelectorAll('.old .old-mark')).toHaveLength(
    1,
  )
  const none = await against([], { isOld: true, polled: {} })
  expect(none.root.querySelectorAll('.old-mark')).toHaveLength(0)
  expect((await against([])).root.querySelectorAll('.old, .old-mark')).toHaveLength(0)
  const failed = await against([], { polled: { error: new Error('x') } })
  expect(failed.text('.none')).toBe('Nothing to compare.')
  expect((await against([], { tokens: new Map() })).text('.none')).toBe('…')
})
