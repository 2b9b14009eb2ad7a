import { frozenSnapshot, RECEIVED_AT_MS, startTestApi, type TestApi } from '@braid-swap/api/testing'
import { buildGraph } from '@braid-swap/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMarket } from './market.js'

let api: TestApi
beforeAll(async () => {
  // The market is read from memory: no node is asked.
  api = await startTestApi({ graph: buildGraph(frozenSnapshot), rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(() => api?.stop())

it('is the market of the API, read once for auctions that come together, and never a stale one', async () => {
  const { url, key: apiKey } = api
  const market = openMarket({ url: `${url}/`, apiKey, maxStateAgeMs: 5_000 })
  const [one, other] = await Promise.all([market(), market()])
  expect([one.snapshot.block.number, one.snapshot.pools.length]).toEqual([123n, 8])
  expect(other).toBe(one)
  const strict = openMarket({ url, apiKey, maxStateAgeMs: 1 })
  api.setNow(RECEIVED_AT_MS + 10_000)
  await expect(strict()).rejects.toThrow('the API answered 503 to a snapshot')
  api.setNow(RECEIVED_AT_MS)
  // A failed request is sent again; its result is not remembered.
  expect((await strict()).snapshot.block.number).toBe(123n)
  const stranger = openMarket({ url, apiKey: 'nonsense', maxStateAgeMs: 5_000 })
  await expect(stranger()).rejects.toThrow('401')
})
