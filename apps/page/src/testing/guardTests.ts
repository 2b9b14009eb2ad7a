import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  numberIn,
  swapButton,
  textOf,
  visit,
  type World,
  waitForPictures,
  waitForQuote,
} from './visit.js'

const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'

/** Tests the guards against sending a swap by mistake. */
export function guardTests(world: World): void {
  const amount = (page: Page) => page.getByLabel('You pay')
  const leave = (page: Page) => page.context().close()

  describe('an amount', () => {
    it('with two meanings becomes a question, and nothing is quoted before the answer', async () => {
      const page = await visit(world)
      await waitForQuote(page)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).search))
      await amount(page).fill('1,5')
      await page.getByText('Which amount do you mean?').waitFor()
      expect(await page.getByTestId('why').getByRole('button').allTextContents()).toEqual([
        ...['1.5 HYPE', '15 HYPE'],
      ])
      expect([await textOf(page, 'output'), await swapButton(page).isEnabled()]).toEqual([
        '–',
        false,
      ])
      await page.getByRole('button', { name: '1.5 HYPE' }).click()
      await waitForQuote(page)
      expect(await amount(page).inputValue()).toBe('1.5')
      expect(numberIn(await textOf(page, 'output'))).toBeLessThan(100)
      const amounts = asked.flatMap((search) => new URLSearchParams(search).get('amount') ?? [])
      expect(amounts).not.toContain(`${15n * 10n ** 18n}`)
      await leave(page)
    })

    it('in German notation is read as such, and the page says how', async () => {
      const page = await visit(world, '#amount=1.000,5')
      await waitForQuote(page)
      await page.getByText('Read as 1000.5 HYPE').waitFor()
      expect(numberIn(await textOf(page, 'output'))).toBeGreaterThan(10_000)
      await leave(page)
    })

    it('above the balance is refused, and the page shows the balance', async () => {
      const page = await visit(world, '#amount=300000')
      await waitForQuote(page)
      expect(await textOf(page, 'refusal')).toMatch(
        /^Insufficient balance: the account has 2[45]\d,\d{3}[\d.]* HYPE\.$/,
      )
      expect(await swapButton(page).isEnabled()).toBe(false)
      await amount(page).fill('1')
      await page.getByTestId('refusal').waitFor({ state: 'detached' })
      await waitForQuote(page)
      expect(await swapButton(page).isEnabled()).toBe(true)
      await leave(page)
    })
  })

  it('a price impact above 5 % needs a typed confirmation for each order', async () => {
    const page = await visit(world, '#amount=200000')
    await waitForQuote(page)
    await page.getByText(/Price impact \d\d\.\d+ %: /).waitFor()
    expect(await swapButton(page).isEnabled()).toBe(false)
    const words = page.getByLabel(/Type swap anyway/)
    await words.fill('swap')
    expect(await swapButton(page).isEnabled()).toBe(false)
    await words.fill('Swap anyway')
    expect(await swapButton(page).isEnabled()).toBe(true)
    await amount(page).fill('200001')
    await waitForQuote(page)
    expect([await words.inputValue(), await swapButton(page).isEnabled()]).toEqual(['', false])
    await leave(page)
  })

  it('a link sets no slippage above 1 % without asking', async () => {
    const page = await visit(world, `#dst=${USDC}&amount=100&slippage=50`)
    await waitForQuote(page)
    const floor = async () =>
      numberIn((await page.locator('.facts dd').first().textContent()) ?? '')
    const quoted = numberIn(await textOf(page, 'output'))
    expect(await textOf(page, 'link-slippage')).toContain('asks for 50 % slippage')
    expect((await floor()) / quoted).toBeGreaterThan(0.99)
    await page.getByRole('button', { name: 'Use 50 %' }).click()
    await page.getByText('Slippage 50 %: ').waitFor()
    expect(await page.getByLabel('50 %', { exact: true }).isChecked()).toBe(true)
    expect((await floor()) / quoted).toBeLessThan(0.6)
    expect(await swapButton(page).isEnabled()).toBe(false)
    await leave(page)
  })

  it('dollars in and out of a fair swap differ only by its price impact', async () => {
    const page = await visit(world, '#amount=2500')
    await waitForQuote(page)
    await page.waitForFunction(() =>
      ['pay-worth', 'receive-worth'].every((id) =>
        document.querySelector(`[data-testid=${id}]`)?.textContent?.includes('$'),
      ),
    )
    const [pay, receive, impact] = await page.evaluate(() => [
      ...['pay-worth', 'receive-worth'].map(
        (id) => document.querySelector(`[data-testid=${id}]`)?.textContent ?? '',
      ),
      document.querySelectorAll('.facts dd')[1]?.textContent ?? '',
    ])
    const lost = 1 - numberIn(receive ?? '') / numberIn(pay ?? '')
    expect(lost).toBeCloseTo(numberIn(impact ?? '') / 100, 4)
    await leave(page)
  })

  it('values and pictures turn grey with their quote, and nothing can be sent', async () => {
    const page = await visit(world)
    await waitForPictures(page)
    const state = () =>
      page.evaluate(() => ({
        old: document.querySelectorAll('.desk-pictures .card.old').length,
        output: document.querySelector('output')?.textContent ?? '',
        facts: [...document.querySelectorAll('.facts dd')].map((dd) => dd.textContent),
        canSend: !document.querySelector<HTMLButtonElement>('.primary')?.disabled,
      }))
    expect(await state()).toMatchObject({ old: 0, canSend: true })
    const grey = { old: 3, facts: ['–', '–', '–', '–'], canSend: false }
    await amount(page).fill('abc')
    await page.getByText('cannot be read').waitFor()
    expect(await state()).toEqual({ ...grey, output: '–' })
    await amount(page).fill('2500')
    await page.waitForFunction(() => !document.querySelector('.order.waiting, .card.old'))
    // Simulates an unreachable API; the devnet's node is behind the API.
    const isApi = /\/(swap|999|demo)\//
    await page.route(isApi, (route) => route.abort())
    await page.getByText('The API is not responding').waitFor()
    expect(await state()).toMatchObject(grey)
    await page.unroute(isApi)
    await page.waitForFunction(() => !document.querySelector('.order.waiting, .card.old'))
    expect((await state()).canSend).toBe(true)
    await leave(page)
  })
}
