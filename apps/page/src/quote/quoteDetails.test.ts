// @vitest-environment happy-dom
// What each figure of a quote says, and which slippage can be chosen.

import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import type { PageQuote } from '../order/usePolling.js'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { QuoteDetails } from './quoteDetails.js'

type Props = Parameters<typeof QuoteDetails>[0]
const dst = name(2)
const tokens = new Map([
  [NATIVE, { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 18, verified: true }],
  [dst, { address: dst, symbol: 'B', name: 'B', decimals: 6, verified: true }],
])
const draft = { src: NATIVE, dst, amount: '2', slippage: '0.5' }
const sale = { src: NATIVE, dst, amount: 2n * 10n ** 18n }
const fee = { most: 10n ** 15n, isDear: false }
const agreed = { sale, floor: 80_000_000n, slippage: '0.5', fee }
const meta = {
  ...{ priceImpactBps: 12, warnings: [], gasPrice: 10n ** 9n, bound: { gapBps: 3 } },
}
const quoteOf = (of: object = {}) =>
  ({ dstAmount: 81_000_000n, gas: 300_000n, meta: { ...meta, ...of } }) as unknown as PageQuote

async function details(change: Partial<Props> = {}) {
  const chosen: string[] = []
  const tips: (bigint | undefined)[] = []
  const props: Props = {
    ...{ draft, tokens, quote: quoteOf(), agreed, cautions: [], prices: new Map([[NATIVE, 40]]) },
    onSlippage: (slippage) => chosen.push(slippage),
    onTip: (tip) => tips.push(tip),
    ...change,
  }
  const on = await shown(h(QuoteDetails, props))
  const all = <E extends HTMLElement>(selector: string) => [
    ...on.root.querySelectorAll<E>(selector),
  ]
  const fact = (of: string) =>
    all('.facts > div').find((one) => one.querySelector('dt')?.textContent === of)
  return {
    ...{ ...on, chosen, tips, all },
    fact: (of: string) => fact(of)?.querySelector('dd')?.textContent,
    colour: (of: string) => fact(of)?.querySelector('dd span')?.className,
    press: (button: HTMLElement) => act(async () => button.click()),
    pressFact: (of: string) => act(async () => fact(of)!.querySelector('button')!.click()),
    notes: (of: string) => [...fact(of)!.querySelectorAll('.note')].map((one) => one.textContent),
    type: (text: string, field = '.own') =>
      act(async () => {
        const input = on.root.querySelector<HTMLInputElement>(field)!
        input.value = text
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    become: (next: Partial<Props>) => on.draw(h(QuoteDetails, { ...props, ...next })),
  }
}

it('shows the figures of a quote, and none without one', async () => {
  const on = await details()
  const read = () => on.texts('.facts > div > dt').map((of) => [of, on.fact(of!)])
  expect(read()).toEqual([
    ['Minimum received', '80 B'],
    ['Price impact', '0.12 %'],
    ['Best possible output', '≤ 0.03 % more'],
    ['Gas', '0.0003 HYPE ($0.012)'],
  ])
  await on.become({ quote: undefined, agreed: undefined })
  expect(read()).toEqual([
    ['Minimum received', '–'],
    ['Price impact', '–'],
    ['Best possible output', '–'],
    ['Gas', '–'],
  ])
})

it('an amount to receive shows what it needs now, and a fee whom it is paid to', async () => {
  const on = await details()
  expect([on.fact('Needed now'), on.fact('Integrator’s fee')]).toEqual([undefined, undefined])
  const fee = { bps: 30, amount: 243_000n, recipient: name(7) }
  const quote = { ...quoteOf({ fee }), srcAmount: 19n * 10n ** 17n }
  await on.become({ draft: { ...draft, side: 'receive' }, quote })
  expect([on.fact('Needed now'), on.fact('Integrator’s fee')]).toEqual(['1.9 HYPE', '0.243 B'])
  await on.pressFact('Integrator’s fee')
  expect(on.notes('Integrator’s fee')[0]).toContain(`0.3 % of the output, paid to ${name(7)}`)
  await on.pressFact('Integrator’s fee')
  expect(on.notes('Integrator’s fee')).toEqual([])
})

it.each([
  [12, {}, '0.12 %', ''],
  [101, {}, '1.01 %', 'warn'],
  [501, {}, '5.01 %', 'bad'],
  [null, {}, 'unknown', ''],
  // One wei of 5,000 is two basis points: an impact up to them says nothing.
  [2, { dstAmount: 5_000n }, 'too small an amount to tell', ''],
  [101, { dstAmount: 50n }, 'too small an amount to tell', ''],
  [3, { dstAmount: 5_000n }, '0.03 %', ''],
  [0.5, { dstAmount: 20_000n }, '< 0.01 %', ''],
  [0.9, { dstAmount: 10_000n }, 'too small an amount to tell', ''],
])('a price impact of %s is shown %o as %s', async (priceImpactBps, of, text, colour) => {
  const quote = { ...quoteOf({ priceImpactBps }), ...of }
  const on = await details({ quote })
  expect([on.fact('Price impact'), on.colour('Price impact')]).toEqual([text, colour])
})

it.each([
  [0, '< 0.01 % more', 'good', 0],
  [0.9, '< 0.01 % more', 'good', 0],
  [9.9, '≤ 0.10 % more', 'good', 0],
  [10, '≤ 0.10 % more', '', 0],
  [24.9, '≤ 0.25 % more', '', 0],
  [25, '≤ 0.25 % more', '', 1],
])('a gap of %s basis points is “%s”', async (gapBps, text, colour, notes) => {
  const on = await details({ quote: quoteOf({ bound: { gapBps } }) })
  const gap = 'Best possible output'
  expect([on.fact(gap), on.colour(gap), on.notes(gap).length]).toEqual([text, colour, notes])
})

it.each([undefined, { gapBps: -1 }])('a gap that says nothing is not shown: %o', async (bound) => {
  const on = await details({ quote: quoteOf({ bound }) })
  expect(on.fact('Best possible output')).toBeUndefined()
})

it('gas has its cost where a price is known', async () => {
  const on = await details({ prices: new Map() })
  expect(on.fact('Gas')).toBe('0.0003 HYPE')
  await on.become({ quote: quoteOf({ gasPrice: undefined }) })
  expect(on.fact('Gas')).toBe('300,000 units')
  await on.become({ tokens: new Map() })
  expect(on.fact('Gas')).toBe('300,000 units')
})

it('shows cautions', async () => {
  const on = await details({
    cautions: [
      { text: 'mild', isGrave: false },
      { text: 'grave', isGrave: true },
    ],
  })
  expect(on.texts('p.warning')).toEqual(['mild', 'grave'])
  expect(on.all('p.warning').map(({ className }) => className)).toEqual([
    ...['warning', 'warning grave'],
  ])
})

it('offers the usual slippages and the one of the order', async () => {
  const on = await details()
  const choices = () =>
    on
      .all<HTMLInputElement>('.choice input[type=radio]')
      .map(({ value, checked }) => [...[value, checked]])
  const usual = [
    ['auto', false],
    ['0.1', false],
    ['0.5', true],
    ['1', false],
  ]
  expect([choices(), on.texts('.choice label')]).toEqual([
    ...[usual, ['Auto', '0.1 %', '0.5 %', '1 %']],
  ])
  await on.become({ draft: { ...draft, slippage: '0.7' } })
  expect(choices()).toEqual([...usual.map(([value]) => [value, false]), ['0.7', true]])
  await on.press(on.all('.choice input')[3]!)
  expect(on.chosen).toEqual(['1'])
})

it.each([
  ['0,7', '0.7'],
  [' 3. ', '3'],
  ['50', '50'],
  ['0.0001', '0.0001'],
  ['0.00001', undefined],
  ['51', undefined],
  ['x', undefined],
  ['-1', undefined],
])('a typed slippage of “%s” is %s', async (text, slippage) => {
  const on = await details()
  await on.type(text)
  expect(on.chosen).toEqual(slippage === undefined ? [] : [slippage])
  expect(on.text('.why')).toBe(
    slippage === undefined ? 'Slippage is 0 to 50 %, with at most 4 decimals.' : undefined,
  )
  if (slippage === undefined) return
  await on.become({ draft: { ...draft, slippage } })
  const own = on.root.querySelector<HTMLInputElement>('.own')!
  expect([own.className, own.value]).toEqual(['own typed', text])
  expect(on.all('.choice input:checked')).toHaveLength(0)
  expect(on.all('.choice label')).toHaveLength(4)
})

it('an empty field is no fault, and a choice empties it', async () => {
  const on = await details()
  await on.type(' ')
  expect([on.chosen, on.text('.why')]).toEqual([[], undefined])
  await on.type('x')
  await on.press(on.all('.choice input')[1]!)
  expect([on.text('.why'), on.root.querySelector<HTMLInputElement>('.own')!.value]).toEqual([
    ...[undefined, ''],
  ])
})

it('the slippage of a link is a question', async () => {
  const on = await details({ draft: { ...draft, linkSlippage: '3' } })
  expect(on.text('[data-testid=link-slippage]')).toContain('asks for 3 % slippage')
  for (const button of on.all('.answers button')) await on.press(button)
  expect(on.chosen).toEqual(['0.5', '3'])
  await on.become({ draft })
  expect(on.root.querySelector('[data-testid=link-slippage]')).toBeNull()
})

it('says what the suggested slippage is made of', async () => {
  const suggested = {
    ...{ bps: 35, pairBps: 10, moveBps: 20, sampledBps: 5, maxBps: 500, watchedSeconds: 60 },
  }
  const auto = { ...draft, slippage: 'auto' }
  const on = await details({ draft: auto, quote: quoteOf({ suggestedSlippage: suggested }) })
  const suggestion = () => on.text('.suggestion')
  expect(suggestion()).toBe(
    '0.35 %: 0.1 % for this pair of tokens, 0.2 % for the moves of this route in 60 seconds, 0.05 % for pools that quote block by block.',
  )
  const still = { ...suggested, bps: 500, moveBps: 0, sampledBps: 0 }
  await on.become({ quote: quoteOf({ suggestedSlippage: still }) })
  expect(suggestion()).toBe(
    '5 %: 0.1 % for this pair of tokens, nothing for moves, because the route has not moved for 60 seconds, at most 5 %.',
  )
  await on.become({ draft })
  expect(suggestion()).toBeUndefined()
  await on.become({ draft: auto, quote: undefined })
  expect(suggestion()).toBeUndefined()
})

it('the tip is as served, or a larger one that the base fee does not dwarf, or one of the visitor’s', async () => {
  const on = await details({ quote: quoteOf({ gasPrice: 110n, priorityFee: 10n }) })
  await on.pressFact('Gas')
  const own = '[data-testid=tip] .own'
  const marked = () => on.texts('[data-testid=tip] label:has(input:checked)')
  expect(marked()).toEqual(['As served'])
  await on.press(on.all('[data-testid=tip] input')[1]!)
  await on.type('1,5', own)
  await on.type('x', own)
  expect(on.tips).toEqual([100n, 1_500_000_000n])
  await on.become({ draft: { ...draft, tip: 100n } })
  expect([marked(), on.root.querySelector<HTMLInputElement>(own)!.value]).toEqual([['Larger'], 'x'])
  await on.press(on.all('[data-testid=tip] input')[0]!)
  expect([on.tips.at(-1), on.root.querySelector<HTMLInputElement>(own)!.value]).toEqual([
    ...[undefined, '0.0000001'],
  ])
})
