import { buildGraph } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import { type ErrorBody, type ReadyBody, readySchema } from '../wire/responses.js'

const ORDER = `src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const FIELDS = [
  ...['status', 'code', 'message', 'blockNumber', 'stateAgeMs', 'discovery', 'venues'],
  ...['verdicts', 'swapsPerMinute', 'coverage', 'shares', 'accuracy'],
]
/** Market whose venues have no pool. */
const emptyGraph = buildGraph({ ...frozenSnapshot, pools: frozenSnapshot.pools.slice(0, 1) })

const api = useFrozenApi()

async function ready() {
  const { status, headers, body } = await api.get<ReadyBody>('/readyz')
  readySchema.parse(body)
  return { status, retryAfter: headers.get('retry-after'), body }
}

describe('/readyz', () => {
  it('has one shape, at 200 and at 503', async () => {
    const up = await ready()
    expect([up.status, up.retryAfter, Object.keys(up.body)]).toEqual([200, null, FIELDS])
    expect(up.body).toEqual({
      ...{ status: 'ready', code: null, message: null, discovery: null, venues: [] },
      ...{ verdicts: [], swapsPerMinute: null, coverage: null, shares: [], accuracy: null },
      ...{ blockNumber: `${frozenSnapshot.block.number}`, stateAgeMs: 0 },
    })
    api.setNow(RECEIVED_AT_MS + 5_001)
    const stale = await ready()
    expect([stale.status, stale.retryAfter, Object.keys(stale.body)]).toEqual([503, '1', FIELDS])
    expect(stale.body).toMatchObject({
      ...{ status: 'not_ready', code: 'STATE_STALE', stateAgeMs: 5_001, blockNumber: '123' },
    })
    api.setState(null)
    const early = await ready()
    expect([early.status, early.retryAfter, Object.keys(early.body)]).toEqual([503, '1', FIELDS])
    expect(early.body).toMatchObject({ code: 'NOT_READY', blockNumber: null, stateAgeMs: null })
  })

  it('without a pool is 503 NO_POOLS and names BRAID_VENUES', async () => {
    api.setState({ graph: emptyGraph, receivedAtMs: RECEIVED_AT_MS })
    const { status, body } = await ready()
    expect([status, body.code]).toEqual([503, 'NO_POOLS'])
    expect(body.message).toContain('BRAID_VENUES')
  })
})

describe('a market without pools', () => {
  it.each([
    `/swap/v1/999/quote?${ORDER}`,
    `/swap/v1/999/swap?${ORDER}&slippage=1`,
    `/swap/v1/999/dex-compare?${ORDER}`,
  ])('is 503 and not 422: %s', async (path) => {
    api.setState({ graph: emptyGraph, receivedAtMs: RECEIVED_AT_MS })
    const { status, headers, body } = await api.get<ErrorBody>(path)
    expect([status, body.code, body.retryable]).toEqual([503, 'NO_POOLS', true])
    expect(headers.get('retry-after')).toBe('1')
  })
})
