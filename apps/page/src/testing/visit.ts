import type { RunningDemo } from '@braid-swap/worlds/program'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** State shared by the browser tests; `running` is valid once the suite has started. */
export type World = {
  readonly running: () => { readonly demo: RunningDemo; readonly browser: Browser }
}

/** Screen sizes that the page supports. */
export const DESKTOP = { width: 1_280, height: 900 }
export const PHONE = { width: 390, height: 844 }
const PATIENCE_MS = 60_000
// By default Playwright asks in every frame, so that the browser draws 60 of them a second.
const POLL_MS = 50

/** Tokens of the devnet. */
export const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'
export const WHYPE = `0x${'5'.repeat(40)}`
export const UBTC = '0x9fdbda0a5e284c32744d2f17ee5c74b284993463'

/** The swap page in a browser context of its own, and what the tests do with it. */
export type Visit = {
  readonly page: Page
  /** The field for the amount to pay. */
  readonly amount: Locator
  /** The field for the amount to receive. */
  readonly output: Locator
  /** The button that sends the swap. */
  readonly swap: Locator
  /** The text of an element by its test id. */
  readonly text: (id: string) => Promise<string>
  /** Waits for a quote that can be sent. */
  readonly quoted: () => Promise<void>
  /** Waits for a quote and until all pictures are drawn. */
  readonly drawn: () => Promise<void>
  /** Waits until a sent swap is mined; by how much the balance has grown, in whole tokens. */
  readonly received: () => Promise<number>
  readonly close: () => Promise<void>
}

type VisitOptions = BrowserContextOptions & {
  /** Runs before the page is loaded. */
  readonly prepare?: (page: Page) => unknown
  /** Of another tab of the same browser; a new one by default. */
  readonly context?: BrowserContext
}

/** Opens the page in a fresh browser context without stored data; the caller closes it. */
export async function openPage(
  world: World,
  hash = '',
  { prepare, context: given, ...options }: VisitOptions = {},
): Promise<Visit> {
  const { demo, browser } = world.running()
  // Animations cost more than the rest of the page where no graphics processor draws them.
  const still = { viewport: DESKTOP, reducedMotion: 'reduce' as const }
  const context = given ?? (await browser.newContext({ ...still, ...options }))
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await prepare?.(page)
  // What the demo account sends is in a block at once, so that no test waits for the next one.
  page.on('requestfinished', (request) => {
    if (
      request.url().endsWith('/demo/rpc') &&
      request.postData()?.includes('eth_sendTransaction')
    ) {
      void mine(demo.rpcUrl)
    }
  })
  await page.goto(`${demo.url}/${hash}`)
  const quoted = async () => {
    await page.waitForFunction(
      () =>
        /^[\d,.]+$/.test(document.querySelector<HTMLInputElement>('.amount.quoted')?.value ?? '') &&
        !document.querySelector('.order.waiting'),
      undefined,
      { polling: POLL_MS },
    )
  }
  // A field has a value, or the placeholder that it shows instead.
  const text = (id: string) =>
    page
      .getByTestId(id)
      .evaluate((of) =>
        of instanceof HTMLInputElement ? of.value || of.placeholder : (of.textContent ?? ''),
      )
  return {
    ...{ page, quoted, text },
    amount: page.getByLabel('You pay'),
    output: page.getByLabel('You receive'),
    swap: page.getByRole('button', { name: 'Swap from the demo account' }),
    drawn: async () => {
      await quoted()
      await page.locator('path.curve-ours').waitFor()
      await page.locator('.bar:not(.ours)').first().waitFor()
    },
    received: async () => {
      await page.getByTestId('arrived').waitFor()
      return numberIn(await text('after')) - numberIn(await text('before'))
    },
    close: async () => {
      // A request that a test still intercepts would stay unanswered.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await (given ? page : context).close()
    },
  }
}

/** Has the devnet's node mine a block. */
async function mine(rpcUrl: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** Opens the page as {@link openPage} does, until the end of the test. */
export async function visit(...options: Parameters<typeof openPage>): Promise<Visit> {
  const on = await openPage(...options)
  onTestFinished(on.close)
  return on
}

/** The first number in a text. */
export const numberIn = (text: string) =>
  Number((/-?[\d,]+(\.\d+)?/.exec(text)?.[0] ?? 'none').replaceAll(',', ''))

/** Requests to the API and, through it, to the devnet's node. */
export const TO_API = /\/(swap|999|demo)\//

/** A refusal as the API words it. */
export const refusalOf = (statusCode: number, said: { code: string; message: string }) => ({
  ...{ statusCode, ...said, error: 'Error', requestId: 'R', timestamp: new Date().toISOString() },
  ...{ path: '/swap/v1/999/swap', retryable: false, issues: [], details: {} },
})
