import { expect, it } from 'vitest'
import { boxOf } from '../route/labelPlacement.js'
import { resize, tooWide } from './measure.js'
import { TO_API, visit, type World } from './visit.js'

const WIDTHS = [320, 390, 1_440]

/** Tests the layout of the page, measured in a browser because only a browser lays it out. */
export function lookTests(world: World): void {
  it('nothing is wider than the page or moves when the API is gone', async () => {
    const on = await visit(world)
    await on.drawn()
    const heights = () =>
      on.page.evaluate(() =>
        [...document.querySelectorAll('.card > header')].map((header) => header.clientHeight),
      )
    const before = new Map<number, readonly number[]>()
    for (const width of WIDTHS) {
      await resize(on.page, width)
      before.set(width, await heights())
    }
    await on.page.route(TO_API, (route) => route.abort())
    await on.page.getByText('The API is not responding').waitFor()
    expect(await on.page.locator('.card.old .old-mark').count()).toBe(3)
    for (const width of WIDTHS) {
      await resize(on.page, width)
      expect([width, ...(await tooWide(on.page))]).toEqual([width])
      expect([width, await heights()]).toEqual([width, before.get(width)])
    }
  })

  it('a long amount is not cut, at any width', async () => {
    const on = await visit(world, '#amount=0.000000000000000008')
    await on.page.evaluate(() => document.fonts.ready)
    for (const width of WIDTHS) {
      await resize(on.page, width)
      const { shown, needed } = await on.amount.evaluate((input) => ({
        ...{ shown: input.clientWidth, needed: input.scrollWidth },
      }))
      expect(needed).toBeLessThanOrEqual(shown)
    }
  })

  it('words are no wider than the boxes in which the labels are placed', async () => {
    const on = await visit(world, '#amount=2500')
    await on.drawn()
    await on.page.evaluate(() => document.fonts.ready)
    const words = await on.page.evaluate(() =>
      [...document.querySelectorAll<SVGTextElement>('.labels text')].map((text) => ({
        text: text.textContent ?? '',
        size: text.matches('.token-name') ? 14 : 12,
        width: text.getBBox().width,
      })),
    )
    expect(words.length).toBeGreaterThan(6)
    for (const { text, size, width } of words) {
      expect([text, width <= boxOf(text, size, { x: 0, y: 0 }).width]).toEqual([text, true])
    }
  })
}
