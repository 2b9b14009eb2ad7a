import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { RunningDemo } from './startDemo.js'

/** State shared by the browser tests; `running` is valid once the suite has started. */
export type World = {
  readonly running: () => { readonly demo: RunningDemo; readonly browser: Browser }
}

/** Screen sizes that the page supports. */
export const DESKTOP = { width: 1_280, height: 900 }
export const PHONE = { width: 390, height: 844 }
const PATIENCE_MS = 30_000

/** Opens the page in a fresh browser context without stored data. */
export async function visit(
  world: World,
  hash = '',
  { watch, ...options }: BrowserContextOptions & { readonly watch?: (page: Page) => void } = {},
): Promise<Page> {
  const { demo, browser } = world.running()
  const context = await browser.newContext({ viewport: DESKTOP, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  watch?.(page)
  await page.goto(`${demo.url}/${hash}`)
  return page
}

/** The text of a page element. */
export const textOf = async (page: Page, id: string) =>
  (await page.getByTestId(id).textContent()) ?? ''

/** The first number in a text. */
export const numberIn = (text: string) =>
  Number((/-?[\d,]+(\.\d+)?/.exec(text)?.[0] ?? 'none').replaceAll(',', ''))

/** Waits for a quote that can be sent. */
export async function waitForQuote(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      /^[\d,.]+$/.test(document.querySelector('output')?.textContent ?? '') &&
      !document.querySelector('.order.waiting'),
  )
}

/** Waits until all pictures are drawn. */
export async function waitForPictures(page: Page): Promise<void> {
  await waitForQuote(page)
  await page.locator('path.curve-ours').waitFor()
  await page.locator('.bar:not(.ours)').first().waitFor()
}

/** The button that sends the swap. */
export const swapButton = (page: Page) =>
  page.getByRole('button', { name: 'Swap from the demo account' })
