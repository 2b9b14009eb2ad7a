import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DESKTOP, PHONE, type SwapPage, TO_API, visit, type World } from './visit.js'

const LOOKS = [DESKTOP, PHONE].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

/** The states of the page, one after the other in one tab. */
const STATES: readonly (readonly [string, (on: SwapPage) => Promise<void>])[] = [
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
      await amount.fill('100000')
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
    'of an amount to receive, with a slippage of one’s own',
    async ({ output, quoted, page }) => {
      await output.fill('5000')
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

/** Tests every state of the page with axe. */
export function accessTests(world: World): void {
  it('has no serious accessibility fault in any state, on a desktop and a phone, light and dark', async () => {
    // axe is injected as a script, which the page's content security policy would block.
    const on = await visit(world, '', { bypassCSP: true, reducedMotion: 'reduce' })
    await on.drawn()
    await on.page.evaluate(axe.source)
    for (const [state, reach] of STATES) {
      await reach(on)
      for (const { viewport, colorScheme } of LOOKS) {
        await on.page.setViewportSize(viewport)
        await on.page.emulateMedia({ colorScheme })
        const faults = await faultsOf(on.page)
        expect([state, viewport.width, colorScheme, ...faults]).toEqual([
          ...[state, viewport.width, colorScheme],
        ])
      }
    }
    await on.close()
  })
}

/** The serious and critical violations that axe finds, with their elements. */
function faultsOf(page: Page) {
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
    ).axe.run()
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
