// Prometheus fires the rules by the real metrics of a real fault of a process on a frozen market.
import { buildGraph } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../http/metrics.js'
import { frozenGraph, frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { expectFiring, hasPromtool } from '../testing/promtool.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'

/** A process on a frozen market, and what its metrics say. */
async function frozen(options: Partial<Parameters<typeof startTestApi>[0]> = {}) {
  const state = { graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS }
  const metrics = createMetrics({ current: () => state }, () => RECEIVED_AT_MS)
  const api = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, metrics, ...options })
  return { api, scrape: () => metrics.registry.metrics() }
}
const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`

describe.skipIf(!hasPromtool)('by the real metrics of a real fault', () => {
  type Faulty = {
    readonly fault: string
    readonly options?: Parameters<typeof frozen>[0]
    readonly cause: (api: TestApi) => unknown
    readonly alerts: readonly string[]
    readonly code?: string
  }
  const faults: readonly Faulty[] = [
    { fault: 'none', cause: (api) => api.get(QUOTE), alerts: [] },
    {
      ...{ fault: 'a market that stands still', code: 'STATE_STALE', alerts: ['BraidNotReady'] },
      cause: (api) => api.setNow(RECEIVED_AT_MS + 20_000),
    },
    {
      ...{ fault: 'a market without pools', code: 'NO_POOLS', alerts: ['BraidNotReady'] },
      cause: (api) => {
        const pools = frozenSnapshot.pools.slice(0, 1)
        const graph = buildGraph({ ...frozenSnapshot, pools })
        api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
      },
    },
    {
      ...{ fault: 'callers who leave', alerts: ['BraidRefusing'] },
      options: { config: { maxConcurrent: 1_000 } },
      cause: async (api) => {
        const leaving = new AbortController()
        const headers = { apikey: api.key }
        const left = Array.from({ length: 200 }, () =>
          fetch(`${api.url}${QUOTE}`, { headers, signal: leaving.signal }).catch(() => {}),
        )
        await Promise.race(left)
        leaving.abort()
        await Promise.all(left)
        await api.get('/healthz')
      },
    },
    {
      ...{ fault: 'another router', code: 'ROUTER_UNCONFIRMED', alerts: ['BraidNotReady'] },
      options: { routerFault: 'no code' },
      cause: () => {},
    },
    {
      ...{ fault: 'a node of another chain', code: 'WRONG_CHAIN', alerts: ['BraidNotReady'] },
      options: { chainFault: 'chain 1' },
      cause: () => {},
    },
    {
      ...{ fault: 'a clock that was set', alerts: ['BraidClockWrong'] },
      cause: (api) => api.stepClock(3_600_000),
    },
    {
      ...{ fault: 'an error of our own', alerts: ['BraidWrong'] },
      options: { search: () => Promise.reject(new Error('a fault')) },
      cause: (api) => api.get(QUOTE),
    },
    {
      ...{ fault: 'more load than fits', alerts: ['BraidRefusing'] },
      options: { config: { maxConcurrent: 1 } },
      cause: (api) => Promise.all(Array.from({ length: 9 }, () => api.get(QUOTE))),
    },
  ]
  it.each(faults)('$fault', async ({ options, cause, alerts, code }) => {
    const well = await frozen()
    const { api, scrape } = await frozen(options)
    const before = await scrape()
    await cause(api)
    const now = await scrape()
    await expectFiring(
      [[options?.routerFault || options?.chainFault ? await well.scrape() : before, now]],
      alerts,
    )
    const { status, body } = await api.get('/readyz')
    expect([status, body['code']]).toEqual(code === undefined ? [200, null] : [503, code])
    expect(now).toContain(`braid_ready{reason="${code ?? ''}"} ${code === undefined ? 1 : 0}`)
    for (const one of [api, well.api]) await one.stop()
  })
})
