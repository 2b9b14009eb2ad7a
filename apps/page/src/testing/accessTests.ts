import { toHex } from '@braid-swap/core/advanced'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resize, tooWide } from './measure.js'
import { swapAt } from './swapAt.js'
import { DESKTOP, openPage, PHONE, TO_API, UBTC, type Visit, type World } from './visit.js'
import { visitWithWallet } from './walletVisit.js'

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
      await output.fill('5.123456')
      await quoted()
      await page.getByLabel('Slippage in percent').fill('0.25')
      await page.getByTestId('paid').waitFor()
    },
  ],
  [
    'with the list of tokens',
    async ({ page }) => {
      await page.getByRole('button', { name: /^Token to receive/ }).click()
      await page.getByTestId('held').first().waitFor()
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
      await expectAccess(on.page)
      const close = on.page.getByRole('button', { name: 'Close' })
      if ((await close.count()) > 0) await close.click()
    })

    it('with the last swaps, and a wallet on another chain', async () => {
      const { demo } = world.running()
      const { router } = (await (await fetch(`${demo.url}/page.json`)).json()) as {
        readonly router: string
      }
      const done = { is: 'done', hash: toHex(1, 32), received: 6n } as const
      const outcomes = [
        undefined,
        { is: 'not', code: 'EXPIRED' },
        { is: 'not', code: 'REVERTED' },
        done,
      ] as const
      const swaps = outcomes.map((outcome, i) => {
        const swap = swapAt(Date.now() + i, outcome)
        const kept = { ...swap, sent: { ...swap.sent, router } }
        return JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      })
      const { page } = await visitWithWallet(world, '', {
        bypassCSP: true,
        prepare: (tab, { behaviour }) => {
          behaviour.chainId = 1
          return tab.addInitScript((texts) => {
            for (const text of texts)
              localStorage.setItem(`braid.swap.${JSON.parse(text).sent.id}`, text)
          }, swaps)
        },
      })
      await page.getByTestId('wrong-chain').waitFor()
      expect(await page.locator('.swaps li').count()).toBe(outcomes.length)
      await page.evaluate(axe.source)
      await expectAccess(page)
    })
  })
}

async function expectAccess(page: Page): Promise<void> {
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const faults = await faultsOf(page)
    expect([viewport.width, colorScheme, ...faults]).toEqual([viewport.width, colorScheme])
  }
  for (const width of WIDTHS) {
    await resize(page, width)
    expect([width, ...(await tooWide(page))]).toEqual([width])
    // An open list scrolls down, never sideways.
    const isCut = await page.evaluate(() =>
      [...document.querySelectorAll('dialog[open], dialog[open] ul')].some(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
      ),
    )
    expect([width, isCut]).toEqual([width, false])
  }
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
