import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as core from '@braid-swap/core'
import { expect, it } from 'vitest'
import { answersOf } from './answers.mjs'
import type { World } from './visit.js'

const root = resolve(import.meta.dirname, '../../../..')
const ORIGIN = 'http://core.test'
const WIDTH = 3

const WORKER = `
  import * as core from '/packages/core/dist/index.js'
  import { answersOf } from '/apps/page/src/testing/answers.mjs'
  onmessage = ({ data }) => postMessage(answersOf(core, [data], ${WIDTH}))`
const HERE = `async (market) => {
  const core = await import('/packages/core/dist/index.js')
  const { answersOf } = await import('/apps/page/src/testing/answers.mjs')
  return answersOf(core, [market], ${WIDTH})
}`
const IN_WORKER = `(market) => new Promise((resolve, reject) => {
  const worker = new Worker('/worker.mjs', { type: 'module' })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(market)
})`

/** Tests that browsers run core as it is published: its files as modules, without a bundler. */
export function coreTests(world: World): void {
  it('core as it is published quotes in a page and in a worker as in Node.js, to the byte', async () => {
    const context = await world.running().browser.newContext()
    // The files of this repository, and nothing else.
    await context.route(/./, (route) => {
      const { pathname } = new URL(route.request().url())
      const code = { contentType: 'text/javascript' }
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '' })
      if (pathname === '/worker.mjs') return route.fulfill({ ...code, body: WORKER })
      return route.fulfill({ ...code, path: `${root}${pathname}` })
    })
    const page = await context.newPage()
    await page.goto(ORIGIN)
    const market = readFileSync(`${root}/packages/vectors/snapshots/999-79.json`, 'utf8')
    const expected = answersOf(core, [market], WIDTH).map(({ asked, call }) => ({ asked, call }))
    expect(expected.filter(({ call }) => call.includes(' 0x')).length).toBeGreaterThan(10)
    for (const place of [HERE, IN_WORKER]) {
      const answers = await page.evaluate<typeof expected>(`(${place})(${JSON.stringify(market)})`)
      expect(answers.map(({ asked, call }) => ({ asked, call }))).toEqual(expected)
    }
    await context.close()
  })
}
