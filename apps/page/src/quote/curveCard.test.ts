// @vitest-environment happy-dom
// What the curve draws at a width, and what stands there without one.

import { RefusedError } from '@braid-swap/client'
import { NATIVE } from '@braid-swap/core'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { name } from '../testing/routes.js'
import { shown } from '../testing/shown.js'
import { refusalOf } from '../testing/visit.js'
import { CurveCard } from './curveCard.js'

type Props = Parameters<typeof CurveCard>[0]
const WIDTH = 664
const dst = name(2)
const tokens = new Map([
  [NATIVE, { address: NATIVE, symbol: 'HYPE', name: 'HYPE', decimals: 0, verified: true }],
  [dst, { address: dst, symbol: 'B', name: 'B', decimals: 1, verified: true }],
])
const order = { src: NATIVE, dst, amount: 200n }
const points = [
  { amount: 100n, out: 4_000n, single: 3_000n },
  { amount: 200n, out: 7_600n, single: 5_000n },
  { amount: 400n, out: 14_000n, single: undefined },
]

// Only a browser lays out: this is the width that it would give.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(WIDTH)
})
afterEach(() => vi.restoreAllMocks())

async function card(change: Partial<Props> = {}) {
  const props: Props = {
    ...{ polled: { order, value: { points, hasEnd: false } }, isAsked: true, isOld: false, tokens },
    ...change,
  }
  const on = await shown(h(CurveCard, props))
  const of = (selector: string, ...names: readonly string[]) =>
    names.map((each) => Number(on.root.querySelector(selector)?.getAttribute(each)))
  return {
    ...{ ...on, of },
    path: (selector: string) => on.root.querySelector(selector)?.getAttribute('d'),
    become: (next: Partial<Props>) => on.draw(h(CurveCard, { ...props, ...next })),
    point: (clientX: number) =>
      act(async () => {
        const event = new PointerEvent('pointermove', { clientX, bubbles: true })
        on.root.querySelector('.chart')!.dispatchEvent(event)
      }),
    leave: () =>
      act(async () => {
        on.root.querySelector('.chart')!.dispatchEvent(new PointerEvent('pointerleave'))
      }),
  }
}

it('draws the rate of the route from the first amount, with air around the lines', async () => {
  const on = await card()
  // 600 pixels for 300 tokens, and 210 for a rate from 2 to 4.5, from the bottom up.
  expect(on.path('.curve-ours')).toMatch(/^M52,56C.*652,98$/)
  // The last amount is more than any single pool fills.
  expect(on.path('.curve-single')).toBe('M52,140L252,182')
  expect(on.of('.curve-now', 'x1', 'x2', 'y1', 'y2')).toEqual([252, 252, 14, 224])
  expect(on.of('.dot-ours', 'cx', 'cy')).toEqual([252, expect.closeTo(72.8)])
  expect(on.of('.dot-single', 'cx', 'cy')).toEqual([252, expect.closeTo(182)])
  expect(on.texts('.chart-words > span')).toEqual([
    ...['For 200 HYPE', 'Braid 3.8 B per HYPE', 'best single pool 2.5'],
  ])
  expect(on.root.querySelector('svg')?.getAttribute('aria-label')).toBe(
    'In B per HYPE: 100 HYPE: 4; 200 HYPE: 3.8; 400 HYPE: 3.5',
  )
})

it('its axes have ticks for the width', async () => {
  const on = await card()
  expect(on.texts('text.tick')).toEqual(['100', '150', '200', '250', '300', '350', '400'])
  expect(on.texts('g.tick')).toEqual(['2', '2.5', '3', '3.5', '4', '4.5'])
  expect(on.of('g.tick line', 'x1', 'x2', 'y1', 'y2')).toEqual([52, 652, 224, 224])
  expect(on.of('g.tick text', 'x', 'y')).toEqual([44, 224])
  expect(on.of('text.tick', 'x', 'y')).toEqual([52, 244])
})

it('its labels differ, however little the rate does', async () => {
  const flat = [
    { amount: 100_000n, out: 1_000_000n, single: undefined },
    { amount: 400_000n, out: 4_000_002n, single: undefined },
  ]
  const on = await card({ polled: { order, value: { points: flat, hasEnd: false } } })
  const labels = on.texts('g.tick')
  expect(labels.length).toBeGreaterThan(1)
  expect(new Set(labels).size).toBe(labels.length)
})

it('draws a tiny rate as the price, so that its digits can be read', async () => {
  const dear = points.map((point) => ({ ...point, amount: point.amount * 10_000n }))
  const order = { src: NATIVE, dst, amount: 2_000_000n }
  const on = await card({ polled: { order, value: { points: dear, hasEnd: false } } })
  expect(on.texts('.chart-words > span')).toEqual([
    ...['For 2,000,000 HYPE', 'Braid 2,631.58 HYPE per B', 'best single pool 4,000'],
  ])
})

it('leaves no air below nothing: a rate that falls by far is drawn from zero', async () => {
  const fall = [
    { amount: 100n, out: 40_000n, single: undefined },
    { amount: 400n, out: 4_000n, single: undefined },
  ]
  const on = await card({ polled: { order, value: { points: fall, hasEnd: false } } })
  expect(on.texts('g.tick')[0]).toBe('0')
})

it('shows the amount that is nearest to the pointer', async () => {
  const on = await card()
  for (const [x, words] of [
    [60, 'For 100 HYPE'],
    [151, 'For 100 HYPE'],
    [153, 'For 200 HYPE'],
    [453, 'For 400 HYPE'],
  ] as const) {
    await on.point(x)
    expect(on.texts('.chart-words > span')[0]).toBe(words)
  }
  expect(on.texts('.chart-words > span')[2]).toBe('best single pool cannot fill it')
  expect(on.root.querySelector('.dot-single')).toBeNull()
  await on.leave()
  expect(on.texts('.chart-words > span')[0]).toBe('For 200 HYPE')
})

it('an order beyond the end of the curve is shown at its end', async () => {
  const value = { points: points.slice(0, 2), hasEnd: true }
  const on = await card({ polled: { order: { ...order, amount: 300n }, value } })
  expect(on.texts('.chart-words > span')[0]).toBe('For 200 HYPE')
  expect(on.text('.fine')).toBe('The curve ends because no route can fill the next larger amount.')
  await on.become({ polled: { order, value: { points, hasEnd: false } } })
  expect(on.text('.chart .fine')).toBeUndefined()
})

it('says why there is no curve', async () => {
  const on = await card({ polled: {} })
  const said = () => on.text('.none')
  expect(said()).toBe('…')
  await on.become({ polled: {}, isAsked: false })
  expect(said()).toBe('No data.')
  await on.become({ polled: { order, error: new Error('x') } })
  expect(said()).toBe('No data.')
  const error = new RefusedError(
    { ...refusalOf(422, { code: 'X', message: 'no' }), retryable: false },
    undefined,
  )
  await on.become({ polled: { order, error } })
  expect(said()).toBe('No route can fill these amounts.')
  await on.become({ polled: { order, value: { points: points.slice(0, 1), hasEnd: true } } })
  expect(said()).toBe('No route can fill these amounts.')
  await on.become({ polled: { order, value: { points, hasEnd: true } }, tokens: new Map() })
  expect(said()).toBe('No route can fill these amounts.')
})

it('a curve of another order is marked as old', async () => {
  const on = await card({ isOld: true })
  expect(on.root.querySelectorAll('.card.old .old-mark')).toHaveLength(1)
  await on.become({ isOld: true, polled: {} })
  expect(on.root.querySelectorAll('.old-mark')).toHaveLength(0)
  await on.become({ isOld: false })
  expect(on.root.querySelectorAll('.old, .old-mark')).toHaveLength(0)
})
