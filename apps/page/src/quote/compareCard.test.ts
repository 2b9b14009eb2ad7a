// @vitest-environment happy-dom
// What the comparison with single pools says of small differences, and when there is none.

import type { Comparison } from '@braid-swap/client'
import { NATIVE, toHex } from '@braid-swap/core'
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
  expect(texts('.bar-lost')).toEqual(['the same', '< 0.0001 %', '−1.24 %'])
})

it('without an order it does not look as if a comparison were on its way', async () => {
  const { text, draw } = await shown(h(CompareCard, { ...same, polled: {} }))
  expect(text('.none')).toBe('…')
  await draw(h(CompareCard, { ...same, polled: {}, isAsked: false }))
  expect(text('.none')).toBe('Nothing to compare.')
})
