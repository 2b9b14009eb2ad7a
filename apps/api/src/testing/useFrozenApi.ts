import { afterAll, afterEach, beforeAll } from 'vitest'
import { frozenGraph } from './frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from './startTestApi.js'

/** A URL at which nothing listens. */
export const NO_NODE = 'http://127.0.0.1:9'

/**
 * Starts one API on the frozen market, without a node, before the tests of a file and gives it to
 * `use`. After each test the market and the clock are as in the beginning; after all the API stops.
 */
export function useFrozenApi(use: (api: TestApi) => void): void {
  let api: TestApi | undefined
  beforeAll(async () => {
    api = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE })
    use(api)
  })
  afterEach(() => {
    api?.setNow(RECEIVED_AT_MS)
    api?.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
  })
  afterAll(() => api?.stop())
}
