import { describe, expect, it } from 'vitest'
import { numberIn, UBTC, USDC, visit, WHYPE, type World } from './visit.js'

/** Tests orders for an amount to receive: the page finds the amount to pay. */
export function receiveTests(world: World): void {
  describe('an amount to receive', () => {
    it('replaces the quoted one, though a block changed that since the field was chosen', async () => {
      const on = await visit(world)
      await on.quoted()
      await on.output.focus()
      const chosen = await on.output.inputValue()
      await on.page.route('**/quote?**', async (route) => {
        const { 'if-none-match': _, ...headers } = route.request().headers()
        const response = await route.fetch({ headers })
        const body = (await response.json()) as { readonly dstAmount: string }
        const dstAmount = `${BigInt(body.dstAmount) - 1_000_000n}`
        await route.fulfill({ response, json: { ...body, dstAmount } })
      })
      await expect.poll(() => on.output.inputValue(), { timeout: 10_000 }).not.toBe(chosen)
      await on.page.keyboard.type('5')
      expect(await on.output.inputValue()).toBe('5')
    })

    it('is typed into the other field, and the page quotes the amount to pay', async () => {
      const on = await visit(world)
      await on.quoted()
      const asked: URLSearchParams[] = []
      on.page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.pathname.endsWith('/quote')) asked.push(url.searchParams)
      })
      await on.output.fill('5000')
      await on.quoted()
      expect(new URL(on.page.url()).hash).toContain('receive=5000')
      const last = asked.at(-1)
      expect([last?.get('dstAmountExact'), last?.get('amount')]).toEqual(['5000000000', null])
      const quoted = numberIn(await on.amount.inputValue())
      expect(quoted).toBeGreaterThan(50)
      expect(quoted).toBeLessThan(1_000)
      const facts = await on.page.locator('.facts dd').allTextContents()
      expect(facts[0]).toBe('5,000 USDC')
      // The slippage of 0.5 % raises what is paid.
      expect(quoted / numberIn(await on.text('paid'))).toBeCloseTo(1.005, 6)
      expect(await on.text('expected')).toMatch(/^ · about 5,02\d(\.\d)? USDC expected$/)
      await on.drawn()
      await on.amount.fill('100')
      await on.quoted()
      expect(await on.page.getByTestId('paid').count()).toBe(0)
      expect(numberIn(await on.text('output'))).toBeGreaterThan(1_000)
    })

    it('arrives in full, and no more is sold than was shown', async () => {
      const on = await visit(world, `#src=${USDC}&dst=${WHYPE}&receive=30&slippage=1`)
      await on.quoted()
      const paid = numberIn(await on.amount.inputValue())
      const sold = on.page.waitForRequest((request) => request.url().includes('/swap?'))
      await on.swap.click()
      const { searchParams } = new URL((await sold).url())
      expect(numberIn(`${Number(searchParams.get('amount')) / 1e6}`)).toBeLessThan(paid * 1.01)
      expect(await on.received()).toBeGreaterThanOrEqual(30)
    })

    it('is paid by a Permit2 signature as well', async () => {
      const on = await visit(world, `#src=${USDC}&dst=${WHYPE}&receive=20&slippage=1`)
      await on.quoted()
      await on.page.getByLabel('Permit2 signature').check()
      await on.swap.click()
      expect(await on.received()).toBeGreaterThanOrEqual(20)
    })

    it('with two meanings becomes a question in its own token', async () => {
      const on = await visit(world)
      await on.quoted()
      await on.output.fill('1,5')
      await on.page.getByText('Which amount do you mean?').waitFor()
      expect(await on.page.getByTestId('why').getByRole('button').allTextContents()).toEqual([
        ...['1.5 USDC', '15 USDC'],
      ])
      expect([await on.text('amount'), await on.swap.isEnabled()]).toEqual(['–', false])
      await on.page.getByRole('button', { name: '15 USDC' }).click()
      await on.quoted()
      expect(await on.output.inputValue()).toBe('15')
      await on.output.fill('1.23456789')
      await on.page.getByText('USDC has 6 decimals; this amount has more').waitFor()
    })

    it('that no balance pays for is refused', async () => {
      const on = await visit(world, `#dst=${UBTC}&receive=30`)
      await on.page.getByTestId('refusal').or(on.page.getByRole('alert')).first().waitFor()
      expect(await on.swap.isEnabled()).toBe(false)
      await on.output.fill('0.01')
      await on.page.getByTestId('refusal').waitFor({ state: 'detached' })
      await on.quoted()
      expect(await on.swap.isEnabled()).toBe(true)
    })
  })

  it('Max pays all of the balance, and leaves gas of the native token', async () => {
    const on = await visit(world)
    await on.quoted()
    await on.output.fill('10')
    await on.quoted()
    await on.page.getByRole('button', { name: 'Max: use all of the balance' }).click()
    await on.quoted()
    expect(await on.page.getByTestId('refusal').count()).toBe(0)
    expect(numberIn(await on.amount.inputValue())).toBeGreaterThan(200_000)
  })

  it('a slippage can be typed, and a wrong one changes nothing', async () => {
    const on = await visit(world)
    await on.quoted()
    const own = on.page.getByLabel('Slippage in percent')
    await own.fill('0,25')
    await on.page.waitForFunction(() => location.hash.includes('slippage=0.25'))
    await own.fill('51')
    await on.page.getByText('Slippage is 0 to 50 %').waitFor()
    expect(new URL(on.page.url()).hash).toContain('slippage=0.25')
    await own.fill('6')
    await on.page.getByText('Slippage 6.00 %: ').waitFor()
    expect(await on.swap.isEnabled()).toBe(false)
    await on.page.getByLabel('0.5 %', { exact: true }).check()
    expect(await own.inputValue()).toBe('')
    expect(await on.swap.isEnabled()).toBe(true)
    await on.page.getByLabel('Auto', { exact: true }).check()
    expect(new URL(on.page.url()).hash).toContain('slippage=auto')
    // The API needs two blocks to suggest one.
    await on.page.getByTestId('suggestion').waitFor()
    const { why, output, floor } = await on.page.evaluate(() => ({
      why: document.querySelector('[data-testid=suggestion]')?.textContent ?? '',
      output: document.querySelector<HTMLInputElement>('#output')?.value ?? '',
      floor: document.querySelector('.facts dd')?.textContent ?? '',
    }))
    expect(why).toMatch(/^[\d.]+ %: 0\.5 % for this pair of tokens, /)
    expect(numberIn(floor) / numberIn(output)).toBeCloseTo(1 - numberIn(why) / 100, 6)
    expect(await on.swap.isEnabled()).toBe(true)
  })
}
