import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resize, tooWide } from './measure.js'
import { DESKTOP, openPage, PHONE, TO_API, UBTC, type Visit, type World } from './visit.js'

/**
 * Contrast depends on the colours and not on the size, and everything else on the size and not on the
 * colours, so two looks ask what four would.
 */
const LOOKS = [
  { viewport: DESKTOP, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const
const WIDTHS = [320, 390, 1_440]

/** Goes on with another order in the same tab. */
const follow = async ({ page }: Visit, hash: string, typed: string) => {
  await page.evaluate((to) => location.assign(to), hash)
  await page.waitForFunction(
    (text) => document.querySelector<HTMLInputElement>('#amount')?.value === text,
    typed,
  )
}

/** The states of the page, one after the other in one tab. */
const STATES: readonly (readonly [string, (on: Visit) => Promise<void>])[] = [
  ['idle', ({ drawn }) => drawn()],
  [
    'over the balance',
    async ({ amount, page }) => {
      await amount.fill('300000')
      await page.getByTestId('refusal').waitFor()
    },
  ],
  [
    'of a high price impact',
    async ({ amount, page }) => {
      await amount.fill('150000')
      await page.getByLabel(/Type swap anyway/).waitFor()
    },
  ],
  [
    'with the figures explained',
    async ({ page }) => {
      for (const name of await page.locator('.facts dt button').all()) await name.click()
    },
  ],
  [
    'of a doubtful amount',
    async ({ amount, page }) => {
      await amount.fill('1,5')
      await page.getByText('Which amount do you mean?').waitFor()
    },
  ],
  [
    'of an unreadable amount',
    async ({ amount, page }) => {
      await amount.fill('abc')
      await page.getByTestId('why').waitFor()
    },
  ],
  [
    'of a high price impact, from a link of high slippage',
    async (on) => {
      await follow(on, '#amount=200000&slippage=50', '200000')
      await on.page.getByLabel(/Type swap anyway/).waitFor()
    },
  ],
  [
    'of a long amount',
    async (on) => {
      await follow(on, `#amount=1234.123456789012345678&dst=${UBTC}`, '1234.123456789012345678')
      await on.drawn()
    },
  ],
  [
    'of an amount to receive, with a slippage of one’s own',
    async ({ output, quoted, page }) => {
      await output.fill('5.12345678')
      await quoted()
      await page.getByLabel('Slippage in percent').fill('0.25')
      await page.getByTestId('paid').waitFor()
    },
  ],
  [
    'without the API',
    async ({ amount, quoted, page }) => {
      await amount.fill('2500')
      await quoted()
      await page.route(TO_API, (route) => route.abort())
      await page.getByText('The API is not responding').waitFor()
    },
  ],
]

/** Tests every state of the page with axe and a ruler: an order a tab would be five times the work. */
export function accessTests(world: World): void {
  describe('nothing is wider than the page, and axe finds no serious fault', () => {
    let on: Visit
    beforeAll(async () => {
      // axe is injected as a script, which the page's content security policy would block.
      on = await openPage(world, '', { bypassCSP: true })
      await on.drawn()
      await on.page.evaluate(axe.source)
    })
    afterAll(() => on?.close())

    it.each(STATES)('%s', async (_, reach) => {
      await on.page.setViewportSize(DESKTOP)
      await reach(on)
      for (const { viewport, colorScheme } of LOOKS) {
        await on.page.setViewportSize(viewport)
        await on.page.emulateMedia({ colorScheme })
        const faults = await faultsOf(on.page)
        expect([viewport.width, colorScheme, ...faults]).toEqual([viewport.width, colorScheme])
      }
      for (const width of WIDTHS) {
        await resize(on.page, width)
        expect([width, ...(await tooWide(on.page))]).toEqual([width])
      }
    })
  })
}

/** The serious and critical violations that axe finds, with their elements. */
function faultsOf(page: Page) {
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run: (options: object) => Promise<{ violations: Violation[] }> }
      }
    ).axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 120))])
  })
}

type Violation = {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}
