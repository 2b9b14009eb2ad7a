// @vitest-environment happy-dom
// The sentence about the pools that are served, as the API says it.
import { h } from 'preact'
import { afterEach, expect, it, vi } from 'vitest'
import { shown } from '../testing/shown.js'
import { Coverage } from './coverage.js'

afterEach(() => vi.unstubAllGlobals())

const SENTENCE = '2 of 10 known pools are served; none of 3 of bad (3 POOL_FEE_UNKNOWN)'

it.each([
  [[{ isRefused: false }], 'soft fine'],
  [[{ isRefused: false }, { isRefused: true }], 'warning'],
])('%j shows the sentence of the API as %s', async (shares, look) => {
  const answer = Response.json({ coverage: SENTENCE, shares }, { status: 503 })
  vi.stubGlobal('fetch', async () => answer)
  const on = await shown(h(Coverage, {}))
  await vi.waitFor(() => expect(on.text('[data-testid=coverage]')).toBe(SENTENCE))
  expect(on.root.querySelector('[data-testid=coverage]')!.className).toBe(look)
})

it('says how sampled answers fared a block later', async () => {
  const accuracy = { samples: 200, simulablePercent: 99.5, p50Bps: 0, p95Bps: 0.2 }
  vi.stubGlobal('fetch', async () => Response.json({ coverage: null, shares: [], accuracy }))
  const on = await shown(h(Coverage, {}))
  await vi.waitFor(() =>
    expect(on.text('[data-testid=accuracy]')).toBe(
      '99.5 % of 200 sampled answers could be performed a block later; 95 % of them paid at most 0.2 bps less than quoted.',
    ),
  )
})

it('shows nothing before there is a market', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ coverage: null, shares: [] }))
  const on = await shown(h(Coverage, {}))
  expect(on.root.textContent).toBe('')
})
