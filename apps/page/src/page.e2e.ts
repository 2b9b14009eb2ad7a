import type { BrowserContextOptions } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { chromiumPath, withoutBrowser } from './testing/browser.js'
import { startWorld } from './testing/startWorld.js'
import { numberIn, TO_API, UBTC, USDC, visit, WHYPE } from './testing/visit.js'

describe.skipIf(!chromiumPath)(`the page in a real browser${withoutBrowser}`, () => {
  const world = startWorld()
  const complaints: string[] = []
  const strangers: string[] = []
  afterEach(() => {
    complaints.length = 0
    strangers.length = 0
  })

  /** Opens the page and records its console errors and its requests to other origins. */
  const open = (hash = '', options: BrowserContextOptions = {}) =>
    visit(world, hash, {
      ...options,
      prepare: (page) => {
        page.on('console', (said) => {
          if (said.type() === 'error' || said.type() === 'warning') complaints.push(said.text())
        })
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('request', (request) => {
          if (!request.url().startsWith(world.running().demo.url)) strangers.push(request.url())
        })
      },
    })

  it('draws a quote that follows the blocks and contacts no third party', async () => {
    const on = await open()
    await on.drawn()
    expect(numberIn(await on.text('output'))).toBeGreaterThan(90_000)
    expect(await on.text('route-summary')).toMatch(/^\d+ pools? on \d+ venues?$/)
    // One reading of the whole page, because every block can change the route.
    const { ribbons, rows } = await on.page.evaluate(() => ({
      ribbons: document.querySelectorAll('path.ribbon').length,
      rows: document.querySelectorAll('tbody tr').length,
    }))
    expect(ribbons).toBeGreaterThan(3)
    expect(rows).toBe(ribbons)

    const before = await on.text('block')
    await on.page.waitForFunction(
      (text) => document.querySelector('[data-testid=block]')?.textContent !== text,
      before,
    )
    expect([complaints, strangers]).toEqual([[], []])
  })

  it('sends a swap, and the balance grows by the output', async () => {
    // USDC to WHYPE: an approval first, then the swap.
    const on = await open(`#src=${USDC}&dst=${WHYPE}&amount=1000&slippage=1`)
    await on.quoted()
    const quoted = numberIn(await on.text('output'))
    await on.swap.click()
    // The market moves between quote and block; the slippage limits the difference.
    expect(Math.abs((await on.received()) / quoted - 1)).toBeLessThan(0.01)
    expect([complaints, strangers]).toEqual([[], []])
  })

  it('pays by a Permit2 signature, without an approval for the router', async () => {
    const on = await open(`#src=${USDC}&dst=${WHYPE}&amount=700&slippage=1`)
    await on.quoted()
    await on.page.getByLabel('Permit2 signature').check()
    const asked = on.page.waitForRequest((request) => request.url().includes('/swap?'))
    await on.swap.click()
    // The page signs what it has checked, so the API builds without a signature.
    expect((await asked).url()).toContain('skipChecks=true')
    expect(await on.received()).toBeGreaterThan(0)
    expect([complaints, strangers]).toEqual([[], []])
    // The native token is sent with the call, so it needs no authorization.
    await on.page.goto(`${world.running().demo.url}/#dst=${USDC}&amount=1&slippage=1`)
    await on.page.reload()
    await on.quoted()
    expect(await on.page.getByLabel('Permit2 signature').count()).toBe(0)
  })

  it('an amount to receive arrives in full, and no more is sold than was shown', async () => {
    const on = await open(`#src=${USDC}&dst=${WHYPE}&receive=30&slippage=1`)
    await on.quoted()
    const paid = numberIn(await on.amount.inputValue())
    const sold = on.page.waitForRequest((request) => request.url().includes('/swap?'))
    await on.swap.click()
    const { searchParams } = new URL((await sold).url())
    expect(numberIn(`${Number(searchParams.get('amount')) / 1e6}`)).toBeLessThan(paid * 1.01)
    expect(await on.received()).toBeGreaterThanOrEqual(30)
  })

  it('explains a refusal of the API and recovers automatically', async () => {
    const on = await open()
    await on.quoted()
    // Eight wei of HYPE buy nothing, and so do all amounts that the curve asks for around them.
    await on.amount.fill('0.000000000000000008')
    const alert = on.page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(
      /Amount too small: the output would be zero[\s\S]*AMOUNT_TOO_SMALL/,
    )
    // Pictures of the previous order would be mistaken for this order's.
    await on.page.getByText('No route can fill these amounts.').waitFor()
    expect(await on.page.locator('path.curve-ours, path.ribbon, .bar').count()).toBe(0)
    await on.amount.fill('1')
    await alert.waitFor({ state: 'detached' })
    await on.quoted()
    await on.amount.fill('one')
    await on.page.getByText('This cannot be read as an amount of HYPE').waitFor()
    // The browser logs every 422 itself; nothing else may be in the log.
    expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([])
    expect(strangers).toEqual([])
  })

  it('recovers automatically if the API was unreachable at the start', async () => {
    const on = await visit(world, '', {
      prepare: (page) => page.route(TO_API, (route) => route.abort()),
    })
    await on.page.getByText('The API is not responding').waitFor()
    await on.page.getByText('retrying automatically').waitFor()
    await on.page.unroute(TO_API)
    await on.quoted()
    expect(await on.page.getByRole('alert').count()).toBe(0)
  })

  it('works with the keyboard alone', async () => {
    const on = await open()
    await on.quoted()
    await on.amount.focus()
    await on.page.keyboard.press('Tab')
    expect(await on.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Token to pay with: HYPE',
    )
    await on.page.keyboard.press('Enter')
    await on.page.getByLabel('Search tokens').and(on.page.locator(':visible')).fill('UBTC')
    await on.page.keyboard.press('ArrowDown')
    await on.page.keyboard.press('Enter')
    await on.page.getByRole('button', { name: 'Token to pay with: UBTC' }).waitFor()
    expect(new URL(on.page.url()).hash).toContain(`src=${UBTC}`)
  })
})
