import { afterAll, afterEach, beforeAll } from 'vitest'
import { frozenGraph } from './frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from './startTestApi.js'
import { startTestWorld, type TestWorld } from './startTestWorld.js'

/** A URL at which nothing listens. */
export const NO_NODE = 'http://127.0.0.1:9'

/**
 * One API on the frozen market, without a node, for the tests of a file. After each test the market
 * and the clock are as in the beginning.
 */
export function useFrozenApi(): TestApi {
  const api = useStarted(() => startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE }))
  afterEach(() => {
    api.setNow(RECEIVED_AT_MS)
    api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
  })
  return api
}

/** One world of {@link startTestWorld} for the tests of a file. */
export function useTestWorld(options?: Parameters<typeof startTestWorld>[0]): TestWorld {
  return useStarted(() => startTestWorld(options))
}

/** Starts before the tests of a file and stops after them; readable only in between. */
function useStarted<T extends { readonly stop: () => Promise<void> }>(start: () => Promise<T>): T {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started?.stop())
  return new Proxy({} as T, { get: (_, name) => started?.[name as keyof T] })
}
