// @vitest-environment happy-dom
// What the page offers instead of a refused order, and the order that it makes of it.

import { type Braid, RefusedError } from '@braid-swap/client'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it, vi } from 'vitest'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { refusalOf } from '../testing/visit.js'
import { Offers } from './offers.js'
import type { Draft } from './order.js'

const [src, dst, between] = [name(0), name(1), name(2)]
const tokens = new Map(
  ['HYPE', 'USDC', 'PURR'].map((symbol, i) => [
    name(i),
    { address: name(i), symbol, name: symbol, decimals: i === 0 ? 2 : 1, verified: i < 2 },
  ]),
)
const draft: Draft = { src, dst, amount: '900', side: 'receive', slippage: '0.5' }
const order = { src, dst, dstAmountExact: 9_000n }
const refused = (code: string, details: object) =>
  new RefusedError({ ...refusalOf(422, { code, message: 'no' }), details } as never, undefined)
const wei = { amount: 123_456n, dstAmount: 4_200n }

/** The offers of a refusal that is asked once more for what is nearest, and the drafts they make. */
async function offers(code: string, details: object, nearest: object = {}) {
  const drafts: Draft[] = []
  const ask = vi.fn(async () => {
    throw refused(code, { nearest })
  })
  const braid = { quote: ask } as unknown as Braid
  const props = { braid, order, draft, tokens, onDraft: (next: Draft) => void drafts.push(next) }
  const on = await shown(h(Offers, { ...props, error: refused(code, details) }))
  const press = () => act(async () => on.root.querySelector('button')!.click())
  return { ...on, ask, press, drafts }
}

it.each([
  [
    'at the loss that nobody must accept',
    { ...wei, leftOut: [], atLoss: { lossBps: 500, amount: 5_000n, dstAmount: 190n } },
    ['Swap 50 HYPE for 19 USDC, the most that sells at a loss of 5.00 %', '50'],
  ],
  [
    'at any loss, where no sale is without one',
    { ...wei, leftOut: [] },
    ['Swap 1,234.56 HYPE for 420 USDC, the most that sells at all', '1234.56'],
  ],
])('beyond the end of the market the most that sells is offered %s', async (_, nearest, made) => {
  const on = await offers('INSUFFICIENT_LIQUIDITY', {}, nearest)
  await vi.waitFor(() => expect(on.text('[data-testid=offer]')).toBe(made[0]))
  expect(on.ask.mock.calls).toEqual([[{ ...order, includeNearest: true }]])
  await on.press()
  const { side: _side, ...paying } = draft
  expect(on.drafts).toEqual([{ ...paying, amount: made[1] }])
})

it('a route through a token that nobody vouches for is a step of its own', async () => {
  const on = await offers('ROUTE_UNTRUSTED', { untrusted: between, onlyIntermediates: between })
  expect(on.texts('button')).toEqual(['Pass through PURR, which nobody vouches for'])
  await on.press()
  expect(on.drafts).toEqual([{ ...draft, via: { src, dst, tokens: [between] } }])
  expect(on.ask).not.toHaveBeenCalled()
})

it.each([
  ['nothing sells', 'INSUFFICIENT_LIQUIDITY', { amount: 0n, dstAmount: 0n, leftOut: [] }],
  ['the refusal has another cause', 'NO_ROUTE', { ...wei, leftOut: [] }],
])('nothing is offered where %s', async (_, code, nearest) => {
  const on = await offers(code, {}, nearest)
  await act(async () => {})
  expect(on.texts('button')).toEqual([])
})
