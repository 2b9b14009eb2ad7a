// @vitest-environment happy-dom
// What stands on the page before there is a key, and after one was refused.

import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, expect, it, vi } from 'vitest'
import { Page } from './page.js'
import { chain } from './testing/chain.js'
import { shown } from './testing/shown.js'
import { refusalOf } from './testing/visit.js'

const config = {
  ...{ chainId: 999, router: toHex(5, 20), wrappedNative: toHex(6, 20), usdTokens: [] },
  ...{ demo: null, apiKey: null, isKeyless: false, chain, executors: [] },
}
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

/** The page of an API that knows one key; `keys` has those that it was asked with. */
async function page(served: unknown = config) {
  const keys = new Set<string | undefined>()
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url === '/page.json') return Response.json(served)
    if (url === '/readyz') return Response.json({ coverage: null, shares: [] })
    const key = new Headers(init?.headers).get('apikey') ?? undefined
    keys.add(key)
    if (key === 'right') return Response.json({ tokens: [] })
    return Response.json(refusalOf(401, { code: 'KEY_UNKNOWN', message: 'This key is unknown' }), {
      status: 401,
    })
  })
  const on = await shown(h(Page, {}))
  const find = <E extends HTMLElement>(selector: string) => on.root.querySelector<E>(selector)
  return {
    ...{ ...on, keys, find },
    enter: (key: string) =>
      act(async () => {
        find<HTMLInputElement>('.key-form input')!.value = key
        find<HTMLButtonElement>('.key-form button')!.click()
      }),
  }
}

it('asks for a key, keeps it in the tab, and says why it was refused', async () => {
  const on = await page()
  await expect.poll(() => on.find('.key-form')).toBeTruthy()
  expect(on.find('[role=alert]')).toBeNull()
  await on.enter('   ')
  expect([on.find('.key-form') === null, on.keys.size]).toEqual([false, 0])
  await on.enter(' wrong ')
  await expect.poll(() => on.text('.key-form [role=alert]')).toBe('This key is unknown')
  expect([...on.keys]).toEqual(['wrong'])
  expect(sessionStorage.length).toBe(0)
  await on.enter('right')
  await expect.poll(() => on.find('.layout')).toBeTruthy()
  expect(Object.values({ ...sessionStorage })).toEqual(['right'])
  expect(on.find('.key-form')).toBeNull()
})

it('shows the order at once with a key of its own', async () => {
  const on = await page({ ...config, apiKey: 'right' })
  await expect.poll(() => on.find('.layout')).toBeTruthy()
  await expect.poll(() => on.keys.has('right')).toBeTruthy()
  expect(on.find('.key-form')).toBeNull()
})

it('says that it cannot be read', async () => {
  const on = await page({ ...config, chainId: 'x' })
  await expect.poll(() => on.find('.error')).toBeTruthy()
  expect(on.find('.key-form, .layout')).toBeNull()
})

it('is busy until the configuration is known', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const on = await shown(h(Page, {}))
  expect(on.root.querySelector('main')?.getAttribute('aria-busy')).toBe('true')
})
