import { setTimeout as sleep } from 'node:timers/promises'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser } from './testing/browser.js'
import { guardTests } from './testing/guardTests.js'
import { lookTests } from './testing/lookTests.js'
import { createKeyFor, type RunningDemo, startDemo } from './testing/startDemo.js'
import {
  DESKTOP,
  numberIn,
  PHONE,
  swapButton,
  textOf,
  visit,
  type World,
  waitForPictures,
  waitForQuote,
} from './testing/visit.js'

const reason = chromiumPath ? '' : ' (skipped: no Chromium here; BRAID_CHROMIUM can name one)'

describe.skipIf(!chromiumPath)(`the page in a real browser${reason}`, () => {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    demo = await startDemo()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  const complaints: string[] = []
  const strangers: string[] = []
  afterEach(() => {
    complaints.length = 0
    strangers.length = 0
  })

  const world: World = { running: () => ({ demo, browser }) }

  /** Opens the page and records its console errors and its requests to other origins. */
  const open = (hash = '', options: BrowserContextOptions = {}): Promise<Page> =>
    visit(world, hash, {
      ...options,
      watch: (page) => {
        page.on('console', (said) => {
          if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
        })
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('request', (request) => {
          if (!request.url().startsWith(demo.url)) strangers.push(request.url())
        })
      },
    })

  it('draws a quote that follows the blocks and contacts no third party', async () => {
    const page = await open()
    await waitForQuote(page)
    expect(numberIn(await textOf(page, 'output'))).toBeGreaterThan(90_000)
    expect(await textOf(page, 'route-summary')).toMatch(/^\d+ pools? on \d+ venues?$/)
    const ribbons = await page.locator('path.ribbon').count()
    expect(ribbons).toBeGreaterThan(3)
    expect(await page.locator('tbody tr').count()).toBe(ribbons)
    expect(JSON.parse(await textOf(page, 'answer')).graph).toHaveLength(ribbons)
    await page.locator('.bar:not(.ours)').first().waitFor()
    await page.locator('path.curve-ours').waitFor()

    const before = await textOf(page, 'block')
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=block]')?.textContent !== text,
      before,
    )
    expect([complaints, strangers]).toEqual([[], []])
    await page.context().close()
  })

  it('sends a swap, and the balance grows by the output', async () => {
    // USDC to WHYPE: an approval first, then the swap.
    const usdc = '0xb88339cb7199b77e23db6e890353e22632ba630f'
    const whype = '0x5555555555555555555555555555555555555555'
    const page = await open(`#src=${usdc}&dst=${whype}&amount=1000&slippage=1`)
    await waitForQuote(page)
    const quoted = numberIn(await textOf(page, 'output'))
    await swapButton(page).click()
    await page.getByTestId('arrived').waitFor()
    const [before, after] = await Promise.all([textOf(page, 'before'), textOf(page, 'after')])
    const grown = numberIn(after) - numberIn(before)
    // The market moves between quote and block; the slippage limits the difference.
    expect(Math.abs(grown / quoted - 1)).toBeLessThan(0.01)
    expect([complaints, strangers]).toEqual([[], []])
    await page.context().close()
  })

  it('pays by a Permit2 signature, without an approval for the router', async () => {
    const [usdc, whype] = ['0xb88339cb7199b77e23db6e890353e22632ba630f', `0x${'5'.repeat(40)}`]
    const page = await open(`#src=${usdc}&dst=${whype}&amount=700&slippage=1`)
    await waitForQuote(page)
    await page.getByLabel('Permit2 signature').check()
    const asked = page.waitForRequest((request) => request.url().includes('/swap?'))
    await swapButton(page).click()
    expect((await asked).url()).toMatch(/permit2=0x[0-9a-f]{130}&permit2Nonce=\d+&deadline=\d+/)
    await page.getByTestId('arrived').waitFor()
    expect([complaints, strangers]).toEqual([[], []])
    // The native token is sent with the call, so it needs no authorization.
    await page.goto(`${demo.url}/#dst=${usdc}&amount=1&slippage=1`)
    await page.reload()
    await waitForQuote(page)
    expect(await page.getByLabel('Permit2 signature').count()).toBe(0)
    await page.context().close()
  })

  it('explains a refusal of the API and recovers automatically', async () => {
    const page = await open()
    await waitForQuote(page)
    const amount = page.getByLabel('You pay')
    // Eight wei of HYPE buy nothing, and so do all amounts that the curve asks for around them.
    await amount.fill('0.000000000000000008')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(
      /Amount too small: the output would be zero[\s\S]*AMOUNT_TOO_SMALL/,
    )
    // Pictures of the previous order would be mistaken for this order's.
    await page.getByText('No route can fill these amounts.').waitFor()
    expect(await page.locator('path.curve-ours, path.ribbon, .bar').count()).toBe(0)
    await amount.fill('1')
    await alert.waitFor({ state: 'detached' })
    await waitForQuote(page)
    await amount.fill('one')
    await page.getByText('This cannot be read as an amount of HYPE').waitFor()
    // The browser logs every 422 itself; nothing else may be in the log.
    expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([])
    expect(strangers).toEqual([])
    await page.context().close()
  })

  it('asks for a key without a demo, keeps it in the tab, and rejects an invalid key', async () => {
    const context = await browser.newContext({ viewport: PHONE })
    const page = await context.newPage()
    const setting = await (await fetch(`${demo.url}/page.json`)).json()
    const { apiKey } = setting.demo
    // Only this response is replaced; all others come from the real API.
    await page.route('**/page.json', (route) => route.fulfill({ json: { ...setting, demo: null } }))
    await page.goto(demo.url)
    await page.getByLabel('Key').fill('brd_nonsense')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Key').fill(apiKey)
    await page.getByRole('button', { name: 'Open' }).click()
    await waitForQuote(page)
    expect(await swapButton(page).count()).toBe(0)
    await page.reload()
    await waitForQuote(page)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(apiKey)
    await context.close()
  })

  it('works with a key that is restricted to other origins', async () => {
    const key = createKeyFor('https://elsewhere.example', demo)
    const spender = `${demo.url}/swap/v1/999/approve/spender`
    const statusOf = async () => (await fetch(spender, { headers: { apikey: key } })).status
    // 401 until the API reloads the file, then 403 because the request names no origin.
    while ((await statusOf()) === 401) await sleep(200)
    expect(await statusOf()).toBe(403)
    const context = await browser.newContext({ viewport: DESKTOP })
    const page = await context.newPage()
    const setting = await (await fetch(`${demo.url}/page.json`)).json()
    await page.route('**/page.json', (route) => route.fulfill({ json: { ...setting, demo: null } }))
    await page.goto(demo.url)
    await page.getByLabel('Key').fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
    await waitForQuote(page)
    await context.close()
  })

  it('works with the keyboard alone', async () => {
    const page = await open()
    await waitForQuote(page)
    await page.getByLabel('You pay').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Token to pay with: HYPE',
    )
    await page.keyboard.press('Enter')
    await page.getByLabel('Search tokens').and(page.locator(':visible')).fill('UBTC')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Token to pay with: UBTC' }).waitFor()
    expect(new URL(page.url()).hash).toContain('src=0x9fdb')
    await page.context().close()
  })

  it.each([
    ['a desktop in light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a desktop in dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['a phone in light', { viewport: PHONE, colorScheme: 'light' }],
    ['a phone in dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('has no serious accessibility fault on %s', async (_, options) => {
    // The test injects axe as a script, which the page's content security policy would block.
    const page = await open('', { ...options, bypassCSP: true, reducedMotion: 'reduce' })
    await waitForPictures(page)
    await page.evaluate(axe.source)
    expect(await faultsOf(page)).toEqual([])
    const amount = page.getByLabel('You pay')
    await amount.fill('300000')
    await page.getByTestId('refusal').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await amount.fill('100000')
    await page.getByLabel(/Type swap anyway/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await amount.fill('1,5')
    await page.getByText('Which amount do you mean?').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await amount.fill('2500')
    await waitForQuote(page)
    await page.route(/\/(swap|999|demo)\//, (route) => route.abort())
    await page.getByText('The API is not responding').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })

  guardTests(world)
  lookTests(world)
})

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
