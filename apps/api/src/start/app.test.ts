import type { Graph } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { createKey, revokeKey } from '../keys/keys.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import { type ErrorBody, errorSchema } from '../wire/responses.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const ENDPOINTS = [
  QUOTE,
  `${QUOTE.replace('quote', 'swap')}&slippage=1`,
  `/swap/v1/999/approve/transaction?tokenAddress=${USDC}`,
  `/swap/v1/999/approve/allowance?tokenAddress=${USDC}&walletAddress=${USDC}`,
  `/swap/v1/999/approve/spender`,
  QUOTE.replace('quote', 'dex-compare'),
  `/999/tokens/${USDC}`,
  '/swap/v1/999/snapshot',
  '/999/tokens',
]

const api = useFrozenApi()

const get = (path: string, headers?: Readonly<Record<string, string>>) =>
  api.get<ErrorBody>(path, headers)

describe('interface 5, authentication', () => {
  it.each(ENDPOINTS)('%s requires the apikey header', async (path) => {
    const missing = await fetch(`${api.url}${path}`)
    expect(missing.status).toBe(401)
    expect(await missing.json()).toMatchObject({ code: 'API_KEY_MISSING', statusCode: 401 })
    const wrong = await get(path, { apikey: 'nonsense' })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'API_KEY_INVALID'])
  })

  it('the key decides before the path, the chain and the parameters', async () => {
    for (const path of ['/nope', '/swap/v1/1/quote', '/swap/v1/999/quote']) {
      expect((await fetch(`${api.url}${path}`)).status).toBe(401)
    }
  })

  it('a revoked key is refused once the file is read again, a new one works', async () => {
    const other = await createKey(api.keysFile, { label: 'other' })
    api.setNow(RECEIVED_AT_MS + 6_000)
    api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 6_000 })
    expect((await get(QUOTE, { apikey: other.key })).status).toBe(200)
    await revokeKey(api.keysFile, other.id)
    api.setNow(RECEIVED_AT_MS + 12_000)
    expect((await get(QUOTE, { apikey: other.key })).status).toBe(401)
    api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 12_000 })
    expect((await get(QUOTE)).status).toBe(200)
  })

  it.each([
    ...['/', '/healthz', '/readyz', '/version', '/errors.json', '/openapi.json', '/llms.txt'],
    ...['/reference', '/reference/swagger-ui-bundle.js', '/reference/start.js'],
  ])('%s needs no key', async (path) => {
    expect((await fetch(`${api.url}${path}`)).status).toBe(200)
  })
})

describe('interface 7, errors', () => {
  it('the body has every field, and the table its status', async () => {
    const { body, headers } = await get('/swap/v1/999/quote')
    errorSchema.parse(body)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({
      ...{ statusCode: 400, error: 'Bad Request', code: 'MISSING_PARAMETER', retryable: false },
      ...{ path: '/swap/v1/999/quote', timestamp: new Date(RECEIVED_AT_MS).toISOString() },
    })
    expect(body.requestId).toBe(headers.get('x-request-id'))
  })

  it('METHOD_NOT_ALLOWED with Allow', async () => {
    for (const path of ['/swap/v1/999/quote', '/healthz']) {
      const response = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: { apikey: api.key },
      })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    }
  })

  it('received is cut to 100 characters', async () => {
    const { body } = await get(QUOTE.replace(USDC, 'z'.repeat(500)))
    expect(body.issues[0]?.received).toHaveLength(100)
  })

  it('says a thing once: the message names the parameter, the issue only the rule', async () => {
    const { body } = await get('/swap/v1/999/quote?src=x&dst=y&amount=0')
    expect(body.issues.map(({ path, message }) => `${path} ${message}`).join('; ')).toBe(
      body.message,
    )
    for (const { path, message } of body.issues) expect(message).not.toContain(path)
  })

  it('UPSTREAM_RPC when the node does not answer, without a word about the node', async () => {
    const { status, body } = await get(ENDPOINTS[3]!)
    expect([status, body.code, body.retryable]).toEqual([503, 'UPSTREAM_RPC', true])
    expect(JSON.stringify(body)).not.toContain('127.0.0.1:9')
  })

  it('INTERNAL for a fault of ours, opaque, with the request id', async () => {
    // A graph without its indices stands for a bug.
    const broken = { snapshot: frozenGraph.snapshot } as Graph
    api.setState({ graph: broken, receivedAtMs: RECEIVED_AT_MS })
    const { status, body } = await get(QUOTE)
    expect([status, body.code, body.details]).toEqual([500, 'INTERNAL', { retryAfterSeconds: 1 }])
    expect(body.message).not.toMatch(/undefined|cannot/i)
  })
})

describe('a market that is missing or stale', () => {
  it('NOT_READY before the first market, on every endpoint that needs one', async () => {
    api.setState(null)
    for (const path of [ENDPOINTS[0]!, ENDPOINTS[1]!, ENDPOINTS[2]!, ENDPOINTS[5]!]) {
      const { status, body, headers } = await get(path)
      expect([status, body.code]).toEqual([503, 'NOT_READY'])
      expect(headers.get('retry-after')).toBe('1')
    }
    expect((await get('/healthz')).status).toBe(200)
  })

  it('STATE_STALE above five seconds names the age, the limit and what to do', async () => {
    api.setNow(RECEIVED_AT_MS + 5_000)
    expect((await get(QUOTE)).status).toBe(200)
    api.setNow(RECEIVED_AT_MS + 5_001)
    const { status, body } = await get(QUOTE)
    expect([status, body.code]).toEqual([503, 'STATE_STALE'])
    expect(body.details).toMatchObject({ ageMs: 5_001, limitMs: 5_000 })
    api.setNow(RECEIVED_AT_MS + 7_300)
    const { headers, body: later } = await get(QUOTE)
    expect(later.message).toBe(
      'the newest block is 7.3 s old, the limit is 5 s; ask again in a second, or see /readyz',
    )
    expect(headers.get('retry-after')).toBe('1')
  })

  it('maxStateAgeMs tightens and never loosens', async () => {
    api.setNow(RECEIVED_AT_MS + 200)
    expect((await get(`${QUOTE}&maxStateAgeMs=100`)).body.code).toBe('STATE_STALE')
    api.setNow(RECEIVED_AT_MS + 5_001)
    expect((await get(`${QUOTE}&maxStateAgeMs=60000`)).body.code).toBe('STATE_STALE')
  })

  it('parameters are checked before readiness', async () => {
    api.setState(null)
    expect((await get('/swap/v1/999/quote')).body.code).toBe('MISSING_PARAMETER')
  })
})

describe('the reference page', () => {
  it('is made of files from here alone, under a policy that allows no others', async () => {
    const page = await fetch(`${api.url}/reference`)
    const html = await page.text()
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:/)
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!)
    expect(files).toHaveLength(3)
    for (const file of files) {
      expect(file).toMatch(/^\/reference\//)
      expect((await fetch(`${api.url}${file}`)).status).toBe(200)
    }
    expect(html).not.toMatch(/<script>|<style|style=| on[a-z]+=/)
  })

  it('and llms.txt names every endpoint', async () => {
    const text = await (await fetch(`${api.url}/llms.txt`)).text()
    for (const path of ENDPOINTS) {
      const [bare = ''] = path.replace(USDC, '{address}').split('?')
      expect(text).toContain(bare)
    }
  })
})

describe('headers', () => {
  it('x-request-id is taken over if it is well formed, else made', async () => {
    const taken = await get(QUOTE, { 'x-request-id': 'client-0001' })
    expect(taken.headers.get('x-request-id')).toBe('client-0001')
    const made = await get(QUOTE, { 'x-request-id': 'a b' })
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('a browser may preflight and read the headers, errors included', async () => {
    const preflight = await fetch(`${api.url}/swap/v1/999/quote`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'apikey',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('apikey')
    const failed = await fetch(`${api.url}${QUOTE}`, { headers: { origin: 'https://example.org' } })
    expect(failed.status).toBe(401)
    expect(failed.headers.get('access-control-allow-origin')).toBe('*')
    expect(failed.headers.get('access-control-expose-headers')).toContain('x-quote-id')
  })

  it.each([
    [ENDPOINTS[0]!, 'private, no-cache'],
    [ENDPOINTS[1]!, 'no-store'],
    [ENDPOINTS[2]!, 'no-store'],
    [ENDPOINTS[5]!, 'no-store'],
  ])('%s is cached as it should be', async (path, cacheControl) => {
    const { headers } = await get(path)
    expect(headers.get('cache-control')).toBe(cacheControl)
    expect(headers.get('vary')).toMatch(/apikey/)
  })

  it('HEAD answers as GET without a body', async () => {
    const response = await fetch(`${api.url}${QUOTE}`, {
      ...{ method: 'HEAD', headers: { apikey: api.key } },
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('x-quote-id')).toMatch(/^q1_/)
  })

  it('a malformed percent escape is an answer, not a crash', async () => {
    const answer = await sendRaw(
      api.url,
      `GET /%E0%A4%A/%zz?src=%E0%A4%A HTTP/1.1\r\nHost: x\r\nconnection: close\r\napikey: ${api.key}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect((await get('/healthz')).status).toBe(200)
  })
})
