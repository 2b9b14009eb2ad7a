import type { Hex } from '@braid-swap/core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { createTestWallet, type TestWallet } from './testWallet.js'
import { type Visit, visit, type World } from './visit.js'

/** The page with a wallet of its own, and what the tests do with both. */
export type WalletVisit = Visit & {
  readonly wallet: TestWallet
  readonly button: (name: string | RegExp) => ReturnType<Page['getByRole']>
  /** The requests that the wallet got, by method. */
  readonly asked: (method: string) => TestWallet['asked']
  /** Expects one error on the page, with these words. */
  readonly says: (...words: readonly RegExp[]) => Promise<void>
  /** Presses the swap button and waits for what arrives. */
  readonly swapBy: (name: string) => Promise<void>
  /** The allowance that a spender has from the wallet, in wei. */
  readonly allowance: (token: string, spender: string) => Promise<bigint>
}

type Wishes = BrowserContextOptions & {
  readonly context?: BrowserContext
  readonly wallet?: TestWallet
  readonly prepare?: (page: Page, wallet: TestWallet) => unknown
}

/**
 * Opens the page with a wallet until the end of the test, which fails if the page asks a stranger or
 * complains. Embedded, because drawing the pictures costs more than the rest of these tests.
 */
export async function visitWithWallet(
  world: World,
  hash: string,
  { prepare, wallet: given, context, ...options }: Wishes = {},
): Promise<WalletVisit> {
  const { demo } = world.running()
  const wallet = given ?? createTestWallet(demo.rpcUrl, demo.privateKey())
  wallet.behaviour.isConnected = true
  const complaints: string[] = []
  onTestFinished(() => expect(complaints).toEqual([]))
  const on = await visit(world, `?embed=1${hash}`, {
    ...{ ...options, ...(context && { context }) },
    prepare: async (page) => {
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (said) => {
        if (/Content Security Policy/.test(said.text())) complaints.push(said.text())
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(demo.url) && !url.startsWith('data:')) complaints.push(url)
      })
      await wallet.install(page)
      await prepare?.(page, wallet)
    },
  })
  const button = (name: string | RegExp) => on.page.getByRole('button', { name, exact: true })
  return {
    ...{ ...on, wallet, button },
    asked: (method) => wallet.asked.filter((each) => each.method === method),
    says: async (...words) => {
      const alert = on.page.locator('.error').first()
      await alert.waitFor()
      // Twice the same error would look like two.
      expect(await on.page.locator('.error').count()).toBe(1)
      const text = await alert.textContent()
      for (const word of words) expect(text).toMatch(word)
    },
    swapBy: async (name) => {
      await button(name).click()
      await on.page.getByTestId('arrived').waitFor()
      expect(await on.received()).toBeGreaterThan(0)
    },
    allowance: async (token, spender) => {
      const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
      const data = `0xdd62ed3e${word(wallet.address)}${word(spender)}`
      return BigInt((await wallet.askNode('eth_call', [{ to: token, data }, 'latest'])) as Hex)
    },
  }
}
