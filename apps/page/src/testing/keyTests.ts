import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createKeyFor } from './startDemo.js'
import { PHONE, visit, type World } from './visit.js'

/** Tests the page of an API without a demo: visitors bring a key. */
export function keyTests(world: World): void {
  const readSetting = async () =>
    (await fetch(`${world.running().demo.url}/page.json`)).json() as Promise<{
      readonly apiKey: string
    }>
  /** Replaces only the page's config, which then has no key; all other responses come from the real API. */
  const withoutDemo = async (page: Page) => {
    const json = { ...(await readSetting()), demo: null, apiKey: null }
    await page.route('**/page.json', (route) => route.fulfill({ json }))
  }
  const enter = async (page: Page, key: string) => {
    await page.getByLabel('Key').fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
  }

  it('asks for a key without a demo, keeps it in the tab, and rejects an invalid key', async () => {
    const { apiKey } = await readSetting()
    const on = await visit(world, '', { viewport: PHONE, prepare: withoutDemo })
    await enter(on.page, 'brd_nonsense')
    await on.page.getByRole('alert').waitFor()
    await enter(on.page, apiKey)
    await on.quoted()
    expect(await on.swap.count()).toBe(0)
    await on.page.reload()
    await on.quoted()
    const kept = await on.page.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(kept).not.toContain(apiKey)
  })

  it('works with a key that is restricted to other origins', async () => {
    const { demo } = world.running()
    const key = createKeyFor('https://elsewhere.example', demo)
    const spender = `${demo.url}/swap/v1/999/approve/spender`
    const statusOf = async () => (await fetch(spender, { headers: { apikey: key } })).status
    // 401 until the API reloads the file, then 403 because the request names no origin.
    await expect.poll(statusOf, { timeout: 30_000, interval: 200 }).not.toBe(401)
    expect(await statusOf()).toBe(403)
    const on = await visit(world, '', { prepare: withoutDemo })
    await enter(on.page, key)
    await on.quoted()
  })
}
