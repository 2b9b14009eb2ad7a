import type { VenueShare } from '@braid-swap/chain'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer, listen } from '../http/httpServer.js'
import { createLog } from '../http/log.js'
import { createMetrics } from '../http/metrics.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const ALLOWANCE = `/swap/v1/999/approve/allowance?tokenAddress=${USDC}&walletAddress=${USDC}`
const KEY = `brd_${'a'.repeat(12)}_${'b'.repeat(43)}`

let api: TestApi
/** A node that takes questions and never answers. */
let silent: ReturnType<typeof createHttpServer>
let silentUrl: string
beforeAll(async () => {
  silent = createHttpServer(() => {})
  const { port } = await listen(silent, { host: '127.0.0.1', port: 0 })
  silentUrl = `http://127.0.0.1:${port}`
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(async () => {
  await api?.stop()
  silent?.closeAllConnections()
  silent?.close()
})

describe('limits of the server', () => {
  it('OVERLOADED when too many requests are in progress, but not on the open paths', async () => {
    const busy = await startTestApi({
      ...{
        graph: frozenGraph,
        rpcUrl: silentUrl,
        config: { maxConcurrent: 3, maxRequestMs: 2_000 },
      },
    })
    const waiting = Array.from({ length: 3 }, () => busy.get<ErrorBody>(ALLOWANCE))
    await expect.poll(async () => (await busy.get(QUOTE)).status).toBe(503)
    const refused = await busy.get<ErrorBody>(QUOTE)
    const open = await busy.get('/healthz')
    expect([refused.status, refused.body.code, open.status]).toEqual([503, 'OVERLOADED', 200])
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const { status, body } of await Promise.all(waiting)) {
      expect([status, body.code]).toEqual([503, 'DEADLINE_EXCEEDED'])
    }
    expect((await busy.get(QUOTE)).status).toBe(200)
    await busy.stop()
  })

  it('what arrives together is counted before the first of it is searched for', async () => {
    const busy = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: silentUrl, config: { maxConcurrent: 5 } },
    })
    const ask = `GET ${QUOTE} HTTP/1.1\r\nhost: x\r\napikey: ${busy.key}\r\n`
    const answers = await sendRaw(
      busy.url,
      `${`${ask}\r\n`.repeat(9)}${ask}connection: close\r\n\r\n`,
    )
    await busy.stop()
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual([...Array(5).fill('200'), ...Array(5).fill('503')])
  })

  it('BAD_REQUEST for a target that is no URL, with a key or without, and never 500', async () => {
    for (const target of ['http://[::bad/', 'http://', 'nonsense:[']) {
      for (const header of ['', `apikey: ${api.key}\r\n`]) {
        const answer = await sendRaw(
          api.url,
          `GET ${target} HTTP/1.1\r\nhost: x\r\n${header}connection: close\r\n\r\n`,
        )
        expect(answer).toMatch(/^HTTP\/1\.1 400 /)
        expect(errorSchema.parse(JSON.parse(answer.split('\r\n\r\n')[1]!)).code).toBe('BAD_REQUEST')
      }
    }
  })

  it('a target that is a whole URL is answered by its path', async () => {
    const line = 'GET http://example.test:1/healthz?a=1 HTTP/1.1'
    const answer = await sendRaw(api.url, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a key', () => {
  it('that strays into a request is not repeated', async () => {
    const { body, headers } = await api.get<ErrorBody>(
      `/swap/v1/999/quote?src=${KEY}&dst=${USDC}&amount=${'1'.repeat(60)}${KEY}&${KEY}=1`,
      { 'x-request-id': KEY },
    )
    expect(body.issues.map(({ path }) => path)).toEqual(['src', 'amount'])
    const all = JSON.stringify([body, [...headers]])
    expect(all).not.toContain('bbbb')
    expect(JSON.stringify((await api.get(`/${KEY}/x`)).body)).not.toContain('bbbb')
  })

  it('and the secrets in nodes’ addresses do not reach the log', () => {
    const lines: string[] = []
    const log = createLog(
      { level: 'info', rpcUrls: ['https://node.test/v2/s3cret?k=s3cret'] },
      { write: (line) => void lines.push(line) },
    )
    log.warn({ err: new Error('POST https://node.test/v2/s3cret?k=s3cret failed') }, KEY)
    expect(lines.join('')).toContain('https://node.test failed')
    expect(lines.join('')).not.toMatch(/s3cret|bbbb/)
  })

  it('no text of callers or nodes steers the terminal that shows the log, and none is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        let line = ''
        const destination = {
          write: (text: string) => {
            line = text
          },
        }
        createLog({ level: 'info', rpcUrls: [] }, destination).info({ path }, path)
        expect(line).toMatch(/^[ -~]+\n$/)
        expect(JSON.parse(line)).toMatchObject({ path, msg: path })
      }),
    )
  })
})

describe('metrics', () => {
  it('report requests by route, status and code, and the state', async () => {
    const market = {
      current: () => ({ graph: frozenGraph, receivedAtMs: 1_000 }),
      disagreement: () => undefined,
      discovery: () => ({
        ...{ isDone: false, venues: 9, venuesDone: 4, poolsFound: 300, setAside: {} },
        swaps: { served: 5, setAside: 0, unknown: 0 },
      }),
      shares: (): readonly VenueShare[] => [
        {
          venue: 'a',
          pools: 6,
          served: 4,
          refused: { POOL_OFF_MARKET: 2 },
          isRefused: false,
          heldPercent: 100,
        },
        {
          venue: 'b',
          pools: 1,
          served: 0,
          refused: { POOL_EMPTY: 1 },
          isRefused: true,
          heldPercent: 0,
        },
      ],
      venues: () => [{ venue: 'a', state: 'serving', since: 1n }] as never,
      counts: () => ({ sweptPools: 7, driftedPools: 1, failedRounds: 2 }),
    }
    const metrics = createMetrics(market, () => 3_500)
    const watched = await startTestApi({ graph: frozenGraph, rpcUrl: silentUrl, metrics })
    await watched.get(QUOTE)
    await watched.get('/swap/v1/999/quote')
    await watched.get('/nowhere')
    const text = await metrics.registry.metrics()
    await watched.stop()
    const route = '/swap/v1/:chainId/quote'
    const count = 'braid_request_duration_seconds_count'
    expect(text).toContain(`${count}{route="${route}",status="200",code="none"} 1`)
    expect(text).toContain(`${count}{route="${route}",status="400",code="MISSING_PARAMETER"} 1`)
    expect(text).toContain(`${count}{route="none",status="404",code="NOT_FOUND"} 1`)
    expect(text).toContain('braid_state_age_seconds 2.5')
    expect(text).toContain('braid_audited_pools{result="same"} 6')
    expect(text).toContain('braid_audited_pools{result="drifted"} 1')
    expect(text).toContain('braid_pools{venue="a",outcome="served"} 4')
    expect(text).toContain('braid_pools{venue="a",outcome="POOL_OFF_MARKET"} 2')
    expect(text).toContain('braid_venue_state{venue="a",state="serving"} 1')
    expect(text).toContain('braid_venue_state{venue="b",state="refused"} 1')
    expect(text).toContain('braid_chain_swaps{pool="served"} 5')
    expect(text).toContain('braid_ready{reason=""} 1')
    const id = watched.key.split('_')[1]
    expect(text).toContain(`braid_requests_total{key="${id}",outcome="allowed"} 3`)
    expect(text).toContain('braid_solve_duration_seconds_count{endpoint="quote"} 1')
    expect(text).toContain('braid_optimality_gap_bps_count 1')
    expect(text).toContain('braid_bound_exceeded_total 0')
    expect(text).not.toContain(watched.key)
    // Without a market there is no age, and none that is 0.
    const none = createMetrics({ current: () => null }, () => 3_500)
    expect(await none.registry.metrics()).not.toMatch(/^braid_state_/m)
  })
})
