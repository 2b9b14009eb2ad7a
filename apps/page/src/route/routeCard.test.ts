// @vitest-environment happy-dom
// What the picture of a route and its table show, and how they point at each other.

import type { GraphEntry } from '@braid-swap/client'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageQuote } from '../order/usePolling.js'
import { hop, name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { RouteCard } from './routeCard.js'

type Props = Parameters<typeof RouteCard>[0]
let width = 700
// Only a browser lays out: this is the width that it would give.
beforeEach(() => {
  width = 700
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => width)
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

const tokens = new Map(
  ['HYPE', 'USDC', 'CAT'].map((symbol, i) => [
    name(i),
    { address: name(i), symbol, name: symbol, decimals: 1, verified: true },
  ]),
)
const first = { ...hop(0, 1, 600n, 1), exchange: 'b', fee: 0.3 }
const second = { ...hop(0, 1, 400n, 2), exchange: 'a', sampled: true as const }
const graph = [first, second, { ...hop(1, 2, 1_000n, 3), exchange: 'b' }]
const quoteOf = (of: readonly GraphEntry[]) => ({ graph: of, meta: {} }) as unknown as PageQuote

async function card(change: Partial<Props> = {}) {
  const props: Props = {
    ...{ quote: quoteOf(graph), isRefused: false, isOld: false, tokens },
    ...change,
  }
  const on = await shown(h(RouteCard, props))
  const all = (selector: string) => [...on.root.querySelectorAll<HTMLElement>(selector)]
  return {
    ...{ ...on, all },
    hover: (selector: string, place: number, event = 'mouseenter') =>
      act(async () => void all(selector)[place]!.dispatchEvent(new MouseEvent(event))),
    become: (next: Partial<Props>) => on.draw(h(RouteCard, { ...props, ...next })),
  }
}

it('counts the pools and their venues, in the order of their names', async () => {
  const on = await card()
  expect(on.text('.route-summary')).toBe('3 pools on 2 venues')
  expect(on.texts('.legend li')).toEqual(['a', 'b'])
  await on.become({ quote: quoteOf([first]) })
  expect(on.text('.route-summary')).toBe('1 pool on 1 venue')
  expect([on.text('summary'), on.texts('.legend li')]).toEqual(['1 hop, in execution order', ['b']])
  await on.become({ quote: quoteOf([{ ...hop(0, 1, 5n), poolType: 'wrap' }]) })
  expect([on.text('.route-summary'), on.all('.legend').length]).toEqual([
    ...['1:1, no pool needed', 0],
  ])
})

it('the table has each hop with its share, amounts and fee', async () => {
  const on = await card()
  const cells = (row: HTMLElement) => [...row.children].map((cell) => cell.textContent?.trim())
  expect(on.all('tbody tr').map(cells)).toEqual([
    ['b', '60.0 %', '60 HYPE', '60 USDC', '0x000000…0003e9 p 0.3 %'],
    ['a', '40.0 %', '40 HYPE', '≥ 40 USDC', '0x000000…0003ea p'],
    ['b', '100 %', '100 USDC', '100 CAT', '0x000000…0003eb p'],
  ])
  expect(on.text('summary')).toBe('3 hops, in execution order')
})

it('a table of more than twelve hops is closed at first', async () => {
  const hops = (count: number) => Array.from({ length: count }, (_, i) => hop(0, 1, 5n, i))
  const isOpen = async (count: number) =>
    (await card({ quote: quoteOf(hops(count)) })).root.querySelector('details')?.open
  expect([await isOpen(12), await isOpen(13)]).toEqual([true, false])
})

it('without a route it says why', async () => {
  const on = await card({ quote: undefined })
  const said = () => [on.text('.none'), on.all('.legend, .hops, .old-mark').length]
  expect(said()).toEqual(['The route for your order appears here.', 0])
  await on.become({ quote: undefined, isRefused: true, isOld: true })
  expect(said()).toEqual(['No route for this order.', 0])
  expect(on.root.querySelector('svg')?.hasAttribute('hidden')).toBe(true)
  await on.become({ quote: quoteOf(graph), isOld: true })
  expect([on.text('.none'), on.all('.old .old-mark').length]).toEqual([undefined, 1])
})

it('a hop that is pointed at is marked in the picture and in the table', async () => {
  const on = await card()
  const marked = () => [
    ...[on.all('path.ribbon').findIndex((one) => one.matches('.chosen'))],
    ...[on.all('tbody tr').findIndex((one) => one.matches('.chosen'))],
    ...[on.all('.ribbons.has-chosen').length, on.all('.hint').length],
  ]
  expect(marked()).toEqual([-1, -1, 0, 0])
  await on.hover('tbody tr', 1)
  expect(marked()).toEqual([1, 1, 1, 1])
  expect(on.text('.hint')).toBe('a p40 HYPE → 40 USDC40.0 % of the value · 0x000000…0003ea')
  await on.hover('tbody tr', 1, 'mouseleave')
  expect(marked()).toEqual([-1, -1, 0, 0])
  await on.hover('path.ribbon', 0)
  expect(marked()).toEqual([0, 0, 1, 1])
  expect(on.text('.hint')).toContain('60.0 % of the value · 0.3 % fee')
  await on.hover('path.ribbon', 0, 'mouseleave')
  expect(marked()).toEqual([-1, -1, 0, 0])
})

it('the hint stands beside its ribbon and inside the picture', async () => {
  const on = await card()
  const place = async (row: number) => {
    await on.hover('tbody tr', row)
    const { left, top, transform } = on.all('.hint')[0]!.style
    return [left, Number.parseInt(top, 10) > 247 / 2, transform]
  }
  // The first hop is the upper one, so its hint is below it.
  expect(await place(0)).toEqual(['176px', false, 'translate(-50%, 0)'])
  expect((await place(1))[2]).toBe('translate(-50%, -100%)')
  width = 300
  const narrow = await card()
  await narrow.hover('tbody tr', 0)
  const left = Number.parseFloat(narrow.all('.hint')[0]!.style.left)
  expect([left >= 140, left <= 160]).toEqual([true, true])
})

it('a narrow picture runs down, and a wide one grows with its hops', async () => {
  const size = async (of: number, count: number) => {
    width = of
    const hops = Array.from({ length: count }, (_, i) => hop(0, 1, 5n, i))
    const svg = (await card({ quote: quoteOf(hops) })).root.querySelector('svg')!
    const offset = svg.querySelector('g')!.getAttribute('transform')
    return [svg.getAttribute('width'), svg.getAttribute('height'), offset]
  }
  expect(await size(559, 3)).toEqual(['559', '500', 'translate(14 4)'])
  expect(await size(560, 3)).toEqual(['560', '247', 'translate(4 14)'])
  expect(await size(560, 30)).toEqual(['560', '600', 'translate(4 14)'])
})

it('names its tokens, and draws one bar for each', async () => {
  const on = await card()
  expect(on.texts('.token-name').sort()).toEqual(['CAT', 'HYPE', 'USDC'])
  expect(on.all('rect.token-bar')).toHaveLength(3)
  expect(on.texts('.ribbon-label')).toContain('b 60.0 %')
})
