import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { routeThroughMany } from './manyHops.js'
import { resize, tooWide } from './measure.js'
import { PURR, TO_API, UBTC, UETH, USDC, visit, type World } from './visit.js'

/** Tokens of the devnet's list that a route may pass through. */
const BETWEEN = [
  ...['0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb', UBTC, UETH],
  ...['0x068f321fa8fb9f0d135f290ef6a3e2813e1c8a29', PURR],
]

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
    expect(await on.page.locator('.card.old .old-mark').count()).toBe(4)
    for (const width of WIDTHS) {
      await resize(on.page, width)
      expect([width, ...(await tooWide(on.page))]).toEqual([width])
      expect([width, await heights()]).toEqual([width, before.get(width)])
    }
    await on.close()
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
    await on.close()
  })

  it('labels of 24 hops overlap no other label and no foreign ribbon', async () => {
    const on = await visit(world, '#amount=2500')
    await routeThroughMany(on.page, BETWEEN)
    await on.page.waitForFunction(() => document.querySelectorAll('path.ribbon').length === 24)
    await on.page.evaluate(() => document.fonts.ready)
    for (const width of WIDTHS) {
      await resize(on.page, width)
      const { labels, clashes } = await labelClashes(on.page)
      expect([width, ...clashes]).toEqual([width])
      expect(labels).toBeGreaterThan(6)
    }
    await on.close()
  })

  it('a venue has the same colour in every quote and in the comparison', async () => {
    const on = await visit(world)
    await on.drawn()
    const first = await coloursOf(on.page)
    expect(first.size).toBeGreaterThan(1)
    for (const [src, dst] of [
      [UBTC, USDC],
      [USDC, UETH],
    ]) {
      await on.page.evaluate((hash) => location.assign(hash), `#src=${src}&dst=${dst}&amount=1`)
      await on.page.waitForFunction((to) => location.hash.includes(to ?? ''), dst)
      await on.page.waitForFunction(() => !document.querySelector('.order.waiting, .card.old'))
      for (const [venue, colour] of await coloursOf(on.page)) {
        expect([venue, first.get(venue) ?? colour]).toEqual([venue, colour])
        first.set(venue, colour)
      }
    }
    await on.close()
  })

  it('the picture is labelled with the input and the output token', async () => {
    const on = await visit(world, `#src=${UBTC}&dst=0x${'e'.repeat(40)}&amount=1`)
    await on.quoted()
    const label = () => on.page.locator('.picture svg').getAttribute('aria-label')
    expect(await label()).toMatch(/^Route from UBTC to HYPE via .*WHYPE.*: \d+ hops, listed below$/)
    await on.close()
  })

  it('pools show their venue, and gas shows its cost', async () => {
    const on = await visit(world)
    await on.drawn()
    expect(await on.page.locator('.bar:not(.ours) b').first().textContent()).toMatch(/^devnet-/)
    const gas = on.page.locator('.facts div', { hasText: 'Gas' }).locator('dd')
    await on.page.getByText(/HYPE \(\$/).waitFor()
    expect(await gas.textContent()).toMatch(/^0\.\d+ HYPE \(\$[\d.,]+\)$/)
    await on.close()
  })
}

/** Labels that overlap each other or a foreign ribbon, measured by their own boxes. */
function labelClashes(page: Page) {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll<SVGTextElement>('.labels text')]
    const boxes = texts.map((text) => ({ text, box: text.getBBox() }))
    const clashes: string[] = []
    const ribbons = [...document.querySelectorAll<SVGPathElement>('path.ribbon')].map((path) => ({
      half: Number(path.getAttribute('stroke-width')) / 2,
      points: Array.from({ length: Math.ceil(path.getTotalLength() / 2) }, (_, i) =>
        path.getPointAtLength(i * 2),
      ),
    }))
    boxes.forEach(({ text, box }, i) => {
      for (const other of boxes.slice(i + 1)) {
        const dx =
          Math.min(box.x + box.width, other.box.x + other.box.width) - Math.max(box.x, other.box.x)
        const dy =
          Math.min(box.y + box.height, other.box.y + other.box.height) -
          Math.max(box.y, other.box.y)
        // Text boxes have space above and below the letters.
        if (dx > 0 && dy > 4) clashes.push(`${text.textContent} on ${other.text.textContent}`)
      }
      if (text.matches('.token-name')) return
      const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      const distances = ribbons.map(({ points }) =>
        Math.min(...points.map(({ x, y }) => Math.hypot(x - centre.x, y - centre.y))),
      )
      // A label is on the centre line of its own ribbon.
      const own = distances.indexOf(Math.min(...distances))
      for (const [index, { half, points }] of ribbons.entries()) {
        const isOn = points.some(({ x, y }) => {
          const dx = Math.max(box.x - x, 0, x - box.x - box.width)
          const dy = Math.max(box.y + 2 - y, 0, y - box.y - box.height + 2)
          return Math.hypot(dx, dy) < half
        })
        if (index !== own && isOn) clashes.push(`${text.textContent} on ribbon ${index}`)
      }
    })
    return { labels: texts.length, clashes }
  })
}

/** The colour of each venue that is shown, in the route and in the comparison. */
async function coloursOf(page: Page): Promise<Map<string, string>> {
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll('.legend li, .bar-name:has(.swatch)')].map((element) => {
      const name = element.querySelector('b')?.textContent ?? element.textContent ?? ''
      const swatch = element.querySelector('.swatch')
      return [name.trim(), swatch ? getComputedStyle(swatch).backgroundColor : ''] as const
    }),
  )
  const colours = new Map<string, string>()
  for (const [venue, colour] of shown) {
    if ((colours.get(venue) ?? colour) !== colour) throw new Error(`two colours of ${venue}`)
    colours.set(venue, colour)
  }
  return colours
}
