import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { frozenGraph, ISLAND, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'
import type { QuoteBody } from '../wire/responses.js'
import { createTracing } from './openTracing.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const PARENT = { traceparent: `00-${TRACE}-${CALLER}-01` }
const ORDER = `src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const WALLET = `0x${'cafe'.repeat(10)}`
const RECEIVER = `0x${'5afe'.repeat(10)}`

const exporter = new InMemorySpanExporter()
let api: TestApi
beforeAll(async () => {
  const tracing = createTracing(new SimpleSpanProcessor(exporter))
  api = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, tracing })
})
beforeEach(() => exporter.reset())
afterAll(() => api?.stop())

/** The spans by name; each name occurs once. */
function spansByName(): Readonly<Record<string, ReadableSpan>> {
  const spans = exporter.getFinishedSpans()
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]))
  expect(Object.keys(byName).length).toBe(spans.length)
  return byName
}

describe('the trace of a request', () => {
  it('is a span http with its parts as children, in the trace of the caller', async () => {
    const { status } = await api.get(`/swap/v1/999/quote?${ORDER}`, PARENT)
    expect(status).toBe(200)
    const { http, ...parts } = spansByName()
    expect(Object.keys(parts).sort()).toEqual(['market', 'queue', 'solve', 'walk'])
    expect(http!.parentSpanContext?.spanId).toBe(CALLER)
    for (const span of Object.values(parts)) {
      expect(span.parentSpanContext?.spanId).toBe(http!.spanContext().spanId)
    }
    for (const span of exporter.getFinishedSpans()) expect(span.spanContext().traceId).toBe(TRACE)
    const times = [http!, ...Object.values(parts)].map(({ startTime, endTime }) => [
      startTime[0] * 1e3 + startTime[1] / 1e6,
      endTime[0] * 1e3 + endTime[1] / 1e6,
    ])
    for (const [start, end] of times) {
      expect(start).toBeGreaterThanOrEqual(times[0]![0]!)
      expect(end).toBeLessThanOrEqual(times[0]![1]!)
      expect(Math.abs(end! - Date.now())).toBeLessThan(60_000)
    }
  })

  it('names chain, tokens, block, legs and gap', async () => {
    const path = `/swap/v1/999/quote?${ORDER}&includeGraph=true&includeMeta=true`
    const { body, headers } = await api.get<QuoteBody>(path)
    const { http, market, solve, walk } = spansByName()
    expect(http!.attributes).toEqual({
      'braid.chain_id': 999,
      'braid.token_in': WHYPE,
      'braid.token_out': USDC,
      'braid.quote_id': headers.get('x-quote-id'),
      'braid.request_id': headers.get('x-request-id'),
      'http.request.method': 'GET',
      'http.route': '/swap/v1/:chainId/quote',
      'http.response.status_code': 200,
    })
    const { block, pools } = frozenGraph.snapshot
    expect(market!.attributes).toMatchObject({
      'braid.block_number': Number(block.number),
      'braid.block_hash': block.hash,
      'braid.pools': pools.length,
    })
    const legs = body.graph!.length
    const gapBps = body.meta!.bound!.gapBps
    expect(solve!.attributes).toMatchObject({ 'braid.gap_bps': gapBps, 'braid.legs': legs })
    expect(walk!.attributes).toEqual({ 'braid.legs': legs })
  })

  it('of a swap has its simulation, and neither key nor wallet', async () => {
    const path = `/swap/v1/999/swap?${ORDER}&slippage=1&from=${WALLET}&receiver=${RECEIVER}`
    const { status } = await api.get(`${path}&skipChecks=true&simulate=true`)
    expect(status).toBe(200)
    // Nothing listens where the node should be.
    expect(spansByName()['simulate']!.attributes).toEqual({ 'braid.ran': false })
    const text = JSON.stringify(
      exporter.getFinishedSpans().map(({ name, attributes, status: of }) => [name, attributes, of]),
    ).toLowerCase()
    for (const secret of [WALLET, RECEIVER, api.key])
      expect(text).not.toContain(secret.toLowerCase())
  })

  it('says at which part it failed, and with which code', async () => {
    const { body } = await api.get(`/swap/v1/999/quote?src=${WHYPE}&dst=${ISLAND}&amount=1000000`)
    const { http, solve } = spansByName()
    expect(solve!.status).toEqual({ code: 2, message: body['code'] })
    expect(http!.attributes).toMatchObject({
      'error.type': body['code'],
      'http.response.status_code': 422,
    })
    // The fault of a caller is no fault of the server.
    expect(http!.status.code).toBe(0)
  })

  it('is not made without a valid key, nor if the caller does not sample', async () => {
    await api.get('/healthz')
    await api.get(`/swap/v1/999/quote?${ORDER}`, { apikey: 'none' })
    await api.get(`/swap/v1/999/quote?${ORDER}`, { traceparent: `00-${TRACE}-${CALLER}-00` })
    expect(exporter.getFinishedSpans()).toEqual([])
  })
})

it('the SDK is loaded by one module only, and that module only when traces are on', () => {
  const folder = join(import.meta.dirname, '..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.(test|e2e|fuzz)\.ts$/.test(file),
  )
  const importers = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(folder, file), 'utf8')))
  expect(importers(/from '@opentelemetry\//)).toEqual([join('tracing', 'openTracing.ts')])
  expect(importers(/^import [^;]*from '.*openTracing\.js'/m)).toEqual([])
  expect(importers(/await import\('.*openTracing\.js'\)/)).toEqual([join('start', 'startApi.ts')])
})
