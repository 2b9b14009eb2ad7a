import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../http/metrics.js'
import { openKeyStore } from '../keys/keyStore.js'
import { createKey, revokeKey } from '../keys/keys.js'
import { frozenGraph, frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import type { ErrorBody } from '../wire/responses.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const BLOCK_MS = Number(frozenSnapshot.block.timestamp) * 1_000
const HOUR_MS = 3_600_000

let api: TestApi
let metrics: ReturnType<typeof createMetrics>
const start = async (checksBlockTime = true) => {
  const market = { current: () => ({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS }) }
  metrics = createMetrics(market, () => RECEIVED_AT_MS)
  api = await startTestApi({
    ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', metrics },
    config: { checksBlockTime },
  })
}
beforeAll(() => start())
afterEach(async () => {
  await api.stop()
  await start()
})

describe('the age of the market', () => {
  it('counts from the timestamp of the block: a node that is always ten blocks late is refused', async () => {
    const nowMs = BLOCK_MS + 10_000
    api.setNow(nowMs)
    api.setState({ graph: frozenGraph, receivedAtMs: nowMs - 100 })
    const { status, body } = await api.get<ErrorBody>(QUOTE)
    expect([status, body.code]).toEqual([503, 'STATE_STALE'])
    expect(body.details).toEqual({
      ...{ stoppedBy: 'age', retryAfterSeconds: 1, ageMs: 10_000, limitMs: 5_000 },
      blockTimestamp: `${frozenSnapshot.block.timestamp}`,
    })
    expect((await api.get<{ stateAgeMs: number }>('/readyz')).body.stateAgeMs).toBe(10_000)
    expect(await metrics.registry.metrics()).toContain('braid_head_lag_seconds 10')
  })

  it('counts from the receipt too, so that a clock set back does not hide a frozen head', async () => {
    api.setNow(RECEIVED_AT_MS + 4_000)
    api.stepClock(-HOUR_MS)
    expect((await api.get(QUOTE)).status).toBe(200)
    api.setNow(RECEIVED_AT_MS + 5_001)
    const { body } = await api.get<ErrorBody>(QUOTE)
    expect(body.code).toBe('STATE_STALE')
    expect(await metrics.registry.metrics()).toContain('braid_clock_steps_total 1')
  })

  it('counts from the receipt by a clock that is not set, where block times are not checked', async () => {
    await api.stop()
    await start(false)
    api.setNow(RECEIVED_AT_MS + 4_000)
    api.stepClock(-HOUR_MS)
    expect((await api.get(QUOTE)).status).toBe(200)
    api.setNow(RECEIVED_AT_MS + 5_001)
    expect((await api.get<ErrorBody>(QUOTE)).body.code).toBe('STATE_STALE')
  })

  it('is told in x-state-age-ms, and the limit of the request counts the same', async () => {
    const nowMs = BLOCK_MS + 3_000
    api.setNow(nowMs)
    api.setState({ graph: frozenGraph, receivedAtMs: nowMs })
    expect((await api.get(QUOTE)).headers.get('x-state-age-ms')).toBe('3000')
    expect((await api.get(`${QUOTE}&maxStateAgeMs=2999`)).status).toBe(503)
  })
})

describe('a revoked key', () => {
  it('is refused within seconds though the clock of the machine is set back', async () => {
    const { key, id } = await createKey(api.keysFile, { label: 'leaver' })
    let steadyMs = 0
    let unixMs = RECEIVED_AT_MS
    const store = await openKeyStore(api.keysFile, {
      ...{ steadyMs: () => steadyMs, unixMs: () => unixMs },
    })
    expect(await store.find(key)).toBeDefined()
    await revokeKey(api.keysFile, id)
    unixMs -= HOUR_MS
    steadyMs += 5_000
    expect(await store.find(key)).toBeUndefined()
  })
})
