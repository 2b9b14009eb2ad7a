// @vitest-environment happy-dom
// Which of the two amounts is the quote's, and what stands below it.

import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it } from 'vitest'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import type { Draft } from './order.js'
import { OrderCard, type QuotedOrder } from './orderCard.js'

type Props = Parameters<typeof OrderCard>[0]
const dst = name(2)
const tokens = new Map([
  [NATIVE, { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, verified: true }],
  [dst, { address: dst, symbol: 'B', name: 'B', decimals: 6, verified: true }],
])
const draft: Draft = { src: NATIVE, dst, amount: '2', slippage: '1' }
const sale = { src: NATIVE, dst, amount: 2n * 10n ** 18n }
const bought = { src: NATIVE, dst, dstAmountExact: 80_000_000n }
const quoted = (change: Partial<QuotedOrder> = {}) =>
  ({
    ...{ order: sale, sale, quote: { dstAmount: 81_000_000n } },
    worth: { pay: 82, receive: 81 },
    ...change,
  }) as QuotedOrder

// The picker keeps what was chosen, and files of tests share a browser.
afterEach(() => localStorage.clear())

async function card(change: Partial<Props> = {}) {
  const drafts: Draft[] = []
  const props: Props = {
    ...{ draft, tokens, order: sale, quoted: quoted(), isCurrent: true, agreed: undefined },
    ...{ onDraft: (next) => drafts.push(next), lookUp: () => Promise.reject(), balance: null },
    ...{ picks: { common: [], balanceOf: undefined }, children: null },
    ...change,
  }
  const on = await shown(h(OrderCard, props))
  const find = <E extends HTMLElement>(selector: string) => on.root.querySelector<E>(selector)!
  const field = (id: string) => find<HTMLInputElement>(`#${id}`)
  return {
    ...{ ...on, drafts, field },
    worth: (side: string) => on.text(`[data-testid=${side}-worth]`),
    type: (id: string, text: string) =>
      act(async () => {
        field(id).value = text
        field(id).dispatchEvent(new Event('input', { bubbles: true }))
      }),
    press: (selector: string) => act(async () => find(selector).click()),
    become: (next: Partial<Props>) => on.draw(h(OrderCard, { ...props, ...next })),
  }
}

it('the quote fills in the amount that was not typed', async () => {
  const on = await card()
  const read = () =>
    ['amount', 'output'].map((id) => [
      ...[on.field(id).value, on.field(id).className, on.field(id).placeholder],
    ])
  expect(read()).toEqual([
    ['2', 'amount', '0'],
    ['81', 'amount quoted', '–'],
  ])
  const receive = quoted({ order: bought })
  await on.become({ draft: { ...draft, amount: '80', side: 'receive' }, quoted: receive })
  expect(read()).toEqual([
    ['2', 'amount quoted', '–'],
    ['80', 'amount', '0'],
  ])
  expect([on.field('amount').title, on.field('output').title]).toEqual(['2', ''])
})

it('of an amount to receive, the headlines are all that leaves and what is expected', async () => {
  const receive = quoted({ order: bought })
  const leaves = { ...sale, amount: 21n * 10n ** 17n }
  const agreed = {
    sale: leaves,
    floor: 80_000_000n,
    slippage: '5',
    fee: { most: 1n, isDear: false },
  }
  const on = await card({
    ...{ draft: { ...draft, amount: '80', side: 'receive' }, order: bought, quoted: receive },
    agreed,
  })
  expect(on.field('amount').value).toBe('2.1')
  expect(on.text('label[for=output]')).toBe('You receive at least')
  expect(on.worth('pay')).toBe('≈ $86.10')
  expect(on.text('[data-testid=expected]')).toBe('· about 85.05 B expected')
})

it('values and rate are those of the order on screen, and of no other', async () => {
  const on = await card()
  const below = () => [on.worth('pay'), on.worth('receive')]
  expect(below()).toEqual(['≈ $82.00', '≈ $81.00 (−1.22 %)'])
  expect(on.text('.order')).toContain('1 HYPE = 40.5 B')
  // Another amount of the same tokens keeps the amount quoted last, in grey.
  await on.become({ order: { ...sale, amount: 1n }, isCurrent: false })
  expect([on.field('output').value, ...below()]).toEqual(['81', '', ''])
  expect(on.text('.order')).not.toContain('1 HYPE =')
  expect(on.root.querySelector('.order')?.className).toBe('card order waiting')
  await on.become({ order: undefined })
  expect(on.field('output').value).toBe('')
  for (const other of [
    { ...draft, src: dst },
    { ...draft, dst: NATIVE },
  ] as const) {
    await on.become({ draft: other })
    expect(on.field('output').value).toBe('')
  }
  await on.become({ draft: { ...draft, side: 'receive' } })
  expect(on.field('amount').value).toBe('')
})

it.each([
  ['a loss', { pay: 82, receive: 81 }, {}, '≈ $81.00 (−1.22 %)', 'warn'],
  ['a grave loss', { pay: 82, receive: 70 }, {}, '≈ $70.00 (−14.6 %)', 'bad'],
  ['a loss of a thousandth', { pay: 1_000, receive: 999 }, {}, '≈ $999.00 (−0.10 %)', ''],
  ['a smaller one', { pay: 1_000, receive: 999.1 }, {}, '≈ $999.10', undefined],
  ['a loss by rounding', { pay: 82, receive: 81 }, { dstAmount: 80n }, '≈ $81.00', undefined],
  ['no price to pay', { receive: 81 }, {}, '≈ $81.00', undefined],
  ['no price', {}, {}, '', undefined],
])('%s is shown beside the value received', async (_, worth, quote, text, colour) => {
  const of = { worth, quote: { ...quoted().quote, ...quote } }
  const on = await card({ quoted: quoted(of as Partial<QuotedOrder>) })
  expect(on.worth('receive')).toBe(text)
  expect(on.root.querySelector('[data-testid=receive-worth] span')?.className).toBe(colour)
})

it('typing decides which amount is the order’s', async () => {
  const on = await card()
  await on.type('output', '80')
  await on.type('amount', '3')
  await on.press('.flip')
  expect(on.drafts).toEqual([
    { ...draft, amount: '80', side: 'receive' },
    { ...draft, amount: '3' },
    { ...draft, src: dst, dst: NATIVE },
  ])
  await on.become({ draft: { ...draft, side: 'receive' } })
  await on.type('amount', '4')
  expect(on.drafts[3]).toEqual({ ...draft, amount: '4' })
})

it('a token of the other side swaps the two, and another one takes its place', async () => {
  const third = name(3)
  const more = new Map([...tokens, [third, { ...tokens.get(dst)!, address: third, symbol: 'C' }]])
  const on = await card({ tokens: more })
  const pick = async (side: number, symbol: string) => {
    const button = on.root.querySelectorAll<HTMLElement>('.token-button')[side]!
    await act(async () => button.click())
    const entries = [...on.root.querySelectorAll<HTMLElement>('search li button')]
    await act(async () =>
      entries.find((one) => one.querySelector('b')?.textContent?.trim() === symbol)!.click(),
    )
  }
  await pick(0, 'B')
  await pick(0, 'C')
  await pick(1, 'HYPE')
  await pick(1, 'C')
  expect(on.drafts.map(({ src, dst }) => [src, dst])).toEqual([
    ...[
      [dst, NATIVE],
      [third, dst],
    ],
    ...[
      [dst, NATIVE],
      [NATIVE, third],
    ],
  ])
})

it('a quoted amount with the focus is selected, so that typing replaces it, and a typed one is not', async () => {
  const on = await card()
  const selected = (id: string) => {
    const { selectionStart, selectionEnd, value } = on.field(id)
    return value.slice(selectionStart ?? 0, selectionEnd ?? 0)
  }
  on.field('output').focus()
  expect(selected('output')).toBe('81')
  await on.become({ quoted: quoted({ quote: { dstAmount: 82_000_000n } as QuotedOrder['quote'] }) })
  expect(selected('output')).toBe('82')
  on.field('amount').focus()
  await on.become({ draft: { ...draft, amount: '23' } })
  expect(selected('amount')).toBe('')
})
