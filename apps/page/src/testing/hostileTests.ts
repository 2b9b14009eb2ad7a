import { decodeRouterCall, type Hex } from '@braid-swap/core'
import {
  drawLies,
  type Json,
  type Lie,
  liesAbout,
  MARKUP,
  NODE_LIES,
} from '@braid-swap/devnet/testing'
import { describe, expect, it } from 'vitest'
import { resize, tooWide } from './measure.js'
import { Refusal } from './testWallet.js'
import { numberIn, refusalOf, USDC, type World } from './visit.js'
import { visitWithWallet, type WalletVisit } from './walletVisit.js'

const ZERO = `0x${'0'.repeat(40)}`
const AMOUNT = 2n * 10n ** 18n
const ORDER = `#dst=${USDC}&amount=2&slippage=1`
/** A wallet that sends nothing, and compares what it is asked to send with what the visitor saw. */
async function judging(world: World, on: WalletVisit) {
  const { url } = world.running().demo
  const { router } = (await (await fetch(`${url}/page.json`)).json()) as { readonly router: string }
  const own = on.wallet.address.toLowerCase()
  const state = { seen: 0, losses: [] as string[], least: 0, about: '' }
  on.wallet.behaviour.answers.set('eth_sendTransaction', (_, [asked]) => {
    const tx = asked as Record<'to' | 'data' | 'value' | 'gas' | 'maxFeePerGas', Hex>
    const call = decodeRouterCall(tx.data)
    const terms = {
      router: tx.to.toLowerCase() === router,
      amount: BigInt(tx.value) === AMOUNT && call.amountIn === AMOUNT,
      token: call.tokenOut.toLowerCase() === USDC,
      // The zero address stands for the sender.
      receiver: [own, ZERO].includes(call.receiver.toLowerCase()),
      floor: Number(call.minAmountOut) / 1e6 >= state.least,
      deadline: call.deadline <= BigInt(Math.floor(Date.now() / 1_000)) + 2_000n,
      fee: BigInt(tx.gas) * BigInt(tx.maxFeePerGas) <= AMOUNT / 50n,
    }
    state.seen++
    const wrong = Object.entries(terms).filter(([, holds]) => !holds)
    for (const [name] of wrong) state.losses.push(`${name}: ${state.about}`)
    throw new Refusal(4001, 'no')
  })
  /** Presses the button, if there is one to press, on the terms that are on screen. */
  const press = async (about: string) => {
    const { page } = on
    state.about = about
    // At once, because the next block brings other terms.
    const least = await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('.send .primary')
      const shown = document.querySelector('.facts dd')?.textContent ?? ''
      if (button && !button.disabled) button.click()
      return shown
    })
    state.least = numberIn(least) || 0
    await page.waitForFunction(
      () => !/Sending/.test(document.querySelector('.send')?.textContent ?? ''),
    )
    const isTaken = await page.evaluate(
      () => document.querySelector('img[src=x]') !== null || 'isTaken' in globalThis,
    )
    expect([about, isTaken, state.losses]).toEqual([about, false, []])
    expect(on.asked('eth_signTypedData_v4')).toEqual([])
  }
  return { state, press }
}

/** The answers to requests of a pattern, as they are or with a lie. */
async function liar({ page }: WalletVisit, pattern: string) {
  const state: { lie?: Lie | undefined; honest?: Json; told: number } = { told: 0 }
  await page.route(pattern, async (route) => {
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const response = await route.fetch({ headers })
    const json = (await response.json()) as Json
    if (response.ok()) state.honest = json
    const told = response.ok() && state.lie ? state.lie.tell(json) : json
    await route.fulfill({ response, json: told })
    state.told++
  })
  return state
}

const ready = ({ page }: WalletVisit) =>
  page.waitForFunction(() => {
    const button = document.querySelector<HTMLButtonElement>('.send .primary')
    return button?.textContent === 'Swap' && !button.disabled
  })

/** Tests that no answer of a server or a node makes the page send what the visitor did not see. */
export function hostileTests(world: World): void {
  describe('a hostile', () => {
    it('server that lies in a field of a transaction gets no worse one signed', async () => {
      const on = await visitWithWallet(world, ORDER)
      const { state, press } = await judging(world, on)
      const server = await liar(on, '**/swap?**')
      await ready(on)
      await press('the truth')
      expect(state.seen).toBe(1)
      for (const lie of drawLies(liesAbout(server.honest!))) {
        await ready(on)
        server.lie = lie
        await press(lie.name)
      }
    })

    it('server that lies in a field of a quote gets no less signed than it shows', async () => {
      const on = await visitWithWallet(world, ORDER)
      const { state, press } = await judging(world, on)
      const server = await liar(on, '**/quote?**')
      const heard = () => {
        const { told } = server
        return expect.poll(() => server.told).toBeGreaterThan(told + 1)
      }
      await heard()
      for (const lie of drawLies(liesAbout(server.honest!))) {
        server.lie = lie
        await heard()
        await press(lie.name)
      }
      server.lie = undefined
      await ready(on)
      await press('the truth')
      expect(state.seen).toBeGreaterThan(0)
    })

    it('server that lies about a token cannot inject, mislead or widen the page', async () => {
      const on = await visitWithWallet(world, ORDER)
      const { state, press } = await judging(world, on)
      const server = await liar(on, '**/tokens?**')
      await on.page.reload()
      await on.quoted()
      const { tokens } = server.honest as { readonly tokens: Readonly<Record<string, Json>> }
      const key = Object.keys(tokens).find((address) => address.toLowerCase() === USDC)!
      const long = `${MARKUP} ${'W'.repeat(200)}`
      for (const change of [
        { decimals: 2 },
        { symbol: long, name: long },
        { symbol: '', name: '' },
        { logoUri: 'https://thief.example/x.png' },
      ]) {
        const told = { ...(tokens[key] as object), ...change } as Json
        server.lie = { name: '', tell: () => ({ tokens: { ...tokens, [key]: told } }) }
        await on.page.reload()
        await ready(on)
        await press(JSON.stringify(change))
        await on.button(/^Token to receive/).click()
        await on.page.getByTestId('held').first().waitFor()
        await resize(on.page, 320)
        expect([change, ...(await tooWide(on.page))]).toEqual([change])
        await resize(on.page, 1_280)
      }
      expect(state.seen).toBeGreaterThan(0)
    })

    it('server that refuses with instructions has them quoted, after our own words', async () => {
      const on = await visitWithWallet(world, ORDER)
      const { press } = await judging(world, on)
      await on.quoted()
      const json = refusalOf(400, { code: 'ODD', message: MARKUP })
      await on.page.route('**/swap?**', (route) => route.fulfill({ status: 400, json }))
      await press('a refusal')
      await on.says(/^The API rejected the request/, /Send all to/)
      expect(await on.page.locator('.error').textContent()).not.toContain('\u202e')
    })

    it('node that lies in an answer gets no worse transaction signed', async () => {
      const on = await visitWithWallet(world, ORDER)
      const { state, press } = await judging(world, on)
      await ready(on)
      const before = on.wallet.asked.length
      await press('the truth')
      expect(state.seen).toBe(1)
      const methods = new Set(on.wallet.asked.slice(before).map(({ method }) => method))
      methods.delete('eth_sendTransaction')
      expect(methods.size).toBeGreaterThan(5)
      const { answers } = on.wallet.behaviour
      for (const method of methods) {
        for (const lie of NODE_LIES) {
          await ready(on)
          answers.set(method, () => lie)
          await press(`${method}: ${lie}`)
          answers.delete(method)
        }
      }
    })
  })
}
