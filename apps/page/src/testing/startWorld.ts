import { freePort } from '@braid-swap/devnet/testing'
import { type RunningDemo, startDemo } from '@braid-swap/worlds/program'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startBrowser } from './browser.js'
import type { World } from './visit.js'

/** Starts the demo and a browser for the tests of a block, and ends them after it. */
export function startWorld(): World {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    const ports = [await freePort(), await freePort()] as const
    ;[demo, browser] = await Promise.all([startDemo({ ports, blockMs: 5_000 }), startBrowser()])
    if (!demo.isUp) throw new Error(`the demo ended: ${demo.err.join('\n')}`)
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })
  return { running: () => ({ demo, browser }) }
}
