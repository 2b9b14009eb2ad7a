import { describe, expect, it } from 'vitest'
import { numberIn, PURR, TO_API, USDC, visit, WHYPE, type World } from './visit.js'

/** Tests the guards against sending a swap by mistake; their limits are those of `guards.test` and `sendPanel.test`. */
export function guardTests(world: World): void {
  describe('an amount', () => {
    it('with two meanings becomes a question, and nothing is quoted before the answer', async () => {
      const on = await visit(world)
      await on.quoted()
      const asked: string[] = []
      on.page.on('request', (request) => asked.push(new URL(request.url()).search))
      await on.amount.fill('1,5')
      await on.page.getByText('Which amount do you mean?').waitFor()
      expect(await on.page.getByTestId('why').getByRole('button').allTextContents()).toEqual([
        ...['1.5 HYPE', '15 HYPE'],
      ])
      expect([await on.text('output'), await on.swap.isEnabled()]).toEqual(['–', false])
      await on.page.getByRole('button', { name: '1.5 HYPE' }).click()
      await on.quoted()
      expect(await on.amount.inputValue()).toBe('1.5')
      expect(numberIn(await on.text('output'))).toBeLessThan(100)
      const amounts = asked.flatMap((search) => new URLSearchParams(search).get('amount') ?? [])
      expect(amounts).not.toContain(`${15n * 10n ** 18n}`)
    })

    it('above the balance is refused, and the page shows the balance', async () => {
      const on = await visit(world, '#amount=300000')
      await on.quoted()
      expect(await on.text('refusal')).toMatch(
        /^Insufficient balance: the account has 2[45]\d,\d{3}[\d.]* HYPE\.$/,
      )
      expect(await on.swap.isEnabled()).toBe(false)
      await on.amount.fill('1')
      await on.page.getByTestId('refusal').waitFor({ state: 'detached' })
      await on.quoted()
      expect(await on.swap.isEnabled()).toBe(true)
    })
  })

  it('the bound explains itself where it is loose, or is left out', async () => {
    const on = await visit(world, '#amount=100000')
    await on.quoted()
    const row = on.page.locator('.facts div', { hasText: 'Best possible output' })
    expect(await row.locator('dd').first().textContent()).toMatch(/^≤ [\d.]+ % more$/)
    const loose = await on.text('loose-bound')
    for (const covered of [/crossed ticks/, /a route can bring/, /than a block allows/]) {
      expect(loose).toMatch(covered)
    }
    expect(loose).toMatch(/loose for large orders/)
    await row.getByRole('button').click()
    expect(await row.textContent()).toMatch(/passes each token at most once/)
    await on.amount.fill('2500')
    await on.page.getByTestId('loose-bound').waitFor({ state: 'detached' })
    await on.quoted()
    expect(await row.count()).toBe(1)
    // A bare wrap has no bound.
    await on.page.evaluate((hash) => location.assign(hash), `#dst=${WHYPE}&amount=5`)
    await row.waitFor({ state: 'detached' })
    await on.quoted()
    expect(await row.count()).toBe(0)
  })

  it('a link sets no slippage above 1 % without asking', async () => {
    const on = await visit(world, `#dst=${USDC}&amount=100&slippage=50`)
    await on.quoted()
    const floor = async () =>
      numberIn((await on.page.locator('.facts dd').first().textContent()) ?? '')
    const quoted = numberIn(await on.text('output'))
    expect(await on.text('link-slippage')).toContain('asks for 50 % slippage')
    expect((await floor()) / quoted).toBeGreaterThan(0.99)
    await on.page.getByRole('button', { name: 'Use 50 %' }).click()
    await on.page.getByText('Slippage 50.00 %: ').waitFor()
    expect(await on.page.getByLabel('50 %', { exact: true }).isChecked()).toBe(true)
    expect((await floor()) / quoted).toBeLessThan(0.6)
    expect(await on.swap.isEnabled()).toBe(false)
  })

  it('values and pictures turn grey with their quote, and nothing can be sent', async () => {
    const on = await visit(world)
    await on.drawn()
    const state = () =>
      on.page.evaluate(() => ({
        old: document.querySelectorAll(
          '.layout > :not(.layout-order) .card.old, .layout > .card.old',
        ).length,
        output: document.querySelector<HTMLInputElement>('#output')?.value,
        facts: [...document.querySelectorAll('.facts dd')].map((dd) => dd.textContent),
        canSend: !document.querySelector<HTMLButtonElement>('.primary')?.disabled,
      }))
    expect(await state()).toMatchObject({ old: 0, canSend: true })
    const grey = { old: 3, facts: ['–', '–', '–', '–'], canSend: false }
    await on.amount.fill('abc')
    await on.page.getByText('cannot be read').waitFor()
    expect(await state()).toEqual({ ...grey, output: '' })
    await on.amount.fill('2500')
    await on.page.waitForFunction(() => !document.querySelector('.order.waiting, .card.old'))
    // Simulates an unreachable API; the devnet's node is behind the API.
    await on.page.route(TO_API, (route) => route.abort())
    await on.page.getByText('The API is not responding').waitFor()
    expect(await state()).toMatchObject(grey)
    await on.page.unroute(TO_API)
    await on.page.waitForFunction(() => !document.querySelector('.order.waiting, .card.old'))
    expect((await state()).canSend).toBe(true)
  })

  it('a confirmed swap above 5 % impact is sent, and its output arrives', async () => {
    const on = await visit(world, `#src=${USDC}&dst=${PURR}&amount=200000&slippage=1`)
    await on.quoted()
    const impact = on.page.locator('.facts div', { hasText: 'Price impact' }).locator('dd')
    expect(numberIn((await impact.textContent()) ?? '')).toBeGreaterThan(5)
    await on.page.getByLabel(/Type swap anyway/).fill('swap anyway')
    const quoted = numberIn(await on.text('output'))
    await on.swap.click()
    expect(Math.abs((await on.received()) / quoted - 1)).toBeLessThan(0.01)
    // The confirmation was for one swap only.
    await on.page.waitForFunction(
      () => document.querySelector<HTMLButtonElement>('.primary')?.disabled,
    )
  })
}
