import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startBrowser } from './browser.js'
import { type RunningDemo, startDemo } from './startDemo.js'
import type { World } from './visit.js'

/** Starts the demo and a browser for the tests of a block, and ends them after it. */
export function startWorld(): World {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })
  return { running: () => ({ demo, browser }) }
}
