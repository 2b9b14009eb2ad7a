import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../http/metrics.js'
import { createKey, type KeyTerms, revokeKey } from '../keys/keys.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import type { ErrorBody } from '../wire/responses.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const SPENDER = '/swap/v1/999/approve/spender'
const CLIENTS = 50

const metrics = createMetrics({ current: () => null }, () => 0)
let api: TestApi
let nowMs = RECEIVED_AT_MS
beforeAll(async () => {
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', metrics })
})
afterAll(() => api?.stop())

/** Moves the clock past the time after which the keys file is read again. */
function pass(ms: number): void {
  nowMs += ms
  api.setNow(nowMs)
  api.setState({ graph: frozenGraph, receivedAtMs: nowMs })
}

async function makeKey(terms: Omit<KeyTerms, 'label'>) {
  const made = await createKey(api.keysFile, { label: 'test', ...terms })
  pass(6_000)
  return made
}

const get = (path: string, headers: Readonly<Record<string, string>>) =>
  api.get<ErrorBody>(path, headers)

/** Asks as many clients at once would; how often each status came. */
async function askAll(path: string, headers: Readonly<Record<string, string>>) {
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => get(path, headers)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return { counts, answers }
}

describe('the limits of a key', () => {
  it('50 clients at once get the burst; the others get 429 and a retry time', async () => {
    const { key, id } = await makeKey({ rate: 5, burst: 20 })
    const { counts, answers } = await askAll(QUOTE, { apikey: key })
    expect(counts).toEqual({ 200: 20, 429: 30 })
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
    expect(refused.body.details).toEqual({ rate: 5, burst: 20, retryAfterSeconds: 1 })
    expect(refused.headers.get('retry-after')).toBe('1')
    pass(1_000)
    expect((await askAll(QUOTE, { apikey: key })).counts).toEqual({ 200: 5, 429: 45 })
    const { values } = await metrics.requests.get()
    expect(values).toContainEqual({ labels: { key: id, outcome: 'limited' }, value: 75 })
  })

  it('are reported in every response, in the draft and the older headers', async () => {
    const { key } = await makeKey({ rate: 5, burst: 20 })
    const { headers } = await get(SPENDER, { apikey: key })
    expect(headers.get('ratelimit-policy')).toBe('"key";q=20;w=4')
    expect(headers.get('ratelimit')).toBe('"key";r=19;t=1')
    expect(headers.get('ratelimit-limit')).toBe('20')
    expect(headers.get('ratelimit-remaining')).toBe('19')
    expect(headers.get('ratelimit-reset')).toBe('1')
    const failed = await get('/swap/v1/999/quote', { apikey: key })
    expect([failed.status, failed.headers.get('ratelimit-remaining')]).toEqual([400, '18'])
  })

  it('a quote costs 1, a swap 2, a comparison 3, an unchanged quote a tenth', async () => {
    const { key } = await makeKey({ rate: 1, burst: 20 })
    const remaining = async (path: string, headers = {}) =>
      (await get(path, { apikey: key, ...headers })).headers.get('ratelimit-remaining')
    expect(await remaining(QUOTE)).toBe('19')
    expect(await remaining(`${QUOTE.replace('quote', 'swap')}&slippage=1`)).toBe('17')
    expect(await remaining(QUOTE.replace('quote', 'dex-compare'))).toBe('14')
    const etag = (await get(QUOTE, { apikey: key })).headers.get('etag')!
    for (let i = 0; i < 10; i++) await remaining(QUOTE, { 'if-none-match': etag })
    expect(await remaining(SPENDER)).toBe('11')
    // What other services call a swap; here it is asked for in vain.
    expect(await remaining('/v2/route')).toBe('9')
    expect(await remaining('/swap/allowance-holder/quote')).toBe('7')
  })

  it('are not halved by a slash at the end of the path', async () => {
    const { key } = await makeKey({ rate: 1, burst: 20 })
    const path = QUOTE.replace('quote?', 'dex-compare/?')
    expect((await get(path, { apikey: key })).status).toBe(404)
  })

  it('of one key are not those of another, and the default is the operator’s', async () => {
    const { key } = await makeKey({})
    const { key: other } = await makeKey({})
    expect((await askAll(SPENDER, { apikey: key })).counts).toEqual({ 200: 40, 429: 10 })
    expect((await get(SPENDER, { apikey: other })).status).toBe(200)
  })

  it('come after the key and before the path', async () => {
    const { key } = await makeKey({ rate: 1, burst: 1 })
    expect((await get('/nowhere', { apikey: key })).status).toBe(404)
    expect((await get('/nowhere', { apikey: key })).status).toBe(429)
  })
})

describe('a key', () => {
  it('that is wrong gives 50 clients 401, whatever is wrong with it', async () => {
    const { key, id } = await makeKey({ rate: 1, burst: 1 })
    await revokeKey(api.keysFile, id)
    pass(6_000)
    const unknown = `brd_${'0'.repeat(12)}_${'0'.repeat(43)}`
    const bodies = new Set<string>()
    for (const apikey of [key, unknown, 'nonsense', `${key}0`]) {
      const { counts, answers } = await askAll(QUOTE, { apikey })
      expect(counts).toEqual({ 401: CLIENTS })
      for (const { body } of answers) {
        bodies.add(JSON.stringify({ ...body, requestId: '', timestamp: '' }))
        expect(JSON.stringify(body)).not.toContain(apikey)
      }
    }
    expect(bodies.size).toBe(1)
  })

  it('for some pages gives 50 clients of other pages 403, and those pages 200', async () => {
    const { key } = await makeKey({ burst: 1_000, origins: ['https://a.test'] })
    for (const headers of [{}, { origin: 'https://b.test' }, { origin: 'https://a.test.evil' }]) {
      const { counts, answers } = await askAll(QUOTE, { apikey: key, ...headers })
      expect(counts).toEqual({ 403: CLIENTS })
      expect(answers[0]!.body.code).toBe('API_KEY_FORBIDDEN')
    }
    const origin = 'https://a.test'
    expect((await askAll(QUOTE, { apikey: key, origin })).counts).toEqual({ 200: CLIENTS })
  })

  it('for some pages is taken from the API’s own page too, whose GETs name no origin', async () => {
    const { key } = await makeKey({ origins: ['https://a.test'] })
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (await get(QUOTE, { apikey: key, ...headers })).status
    expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    // A link or the address bar, another host of the same site, and any other page.
    for (const site of [
      'none',
      'same-site',
      'cross-site',
      'Same-Origin',
      'same-origin, none',
      '',
    ]) {
      expect(await statusOf({ 'sec-fetch-site': site })).toBe(403)
    }
    // The browser's own header outweighs the others.
    for (const other of ['https://b.test', 'null', api.url]) {
      expect(await statusOf({ 'sec-fetch-site': 'same-origin', origin: other })).toBe(403)
    }
  })

  it('that is wrong is not helped by coming from the API’s own page', async () => {
    const headers = { apikey: 'nonsense', 'sec-fetch-site': 'same-origin' }
    expect((await get(QUOTE, headers)).status).toBe(401)
  })
})

describe('an API that answers without a key', () => {
  let open: TestApi
  beforeAll(async () => {
    open = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' },
      config: { keyless: true, keyLimits: { rate: 1, burst: 20 } },
    })
  })
  afterAll(() => open?.stop())

  it('applies the limits of a key to the address', async () => {
    const ask = () => open.get<ErrorBody>(SPENDER, { apikey: '' })
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) statuses.push((await ask()).status)
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429])
    expect((await open.get(SPENDER)).status).toBe(200)
  })

  it.each([
    ['the address that its proxy appended', 1, [200, 200, 429], 200],
    ['the connection if no proxy is in front', 0, [200, 200, 429], 429],
  ])('takes %s, and nothing that a caller writes', async (_, proxies, ofOne, ofOther) => {
    const keyLimits = { rate: 1, burst: 2 }
    const behind = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' },
      config: { keyless: true, keyLimits, proxies },
    })
    const ask = async (forwarded: string) =>
      (await behind.get(SPENDER, { apikey: '', 'x-forwarded-for': forwarded })).status
    const one: number[] = []
    for (let i = 0; i < 3; i++) one.push(await ask(`198.51.100.${i}, 203.0.113.5`))
    const other = await ask('203.0.113.5, 203.0.113.6')
    await behind.stop()
    expect([one, other]).toEqual([ofOne, ofOther])
  })

  it('still refuses a wrong key', async () => {
    const { status, body } = await open.get<ErrorBody>(SPENDER, { apikey: 'nobody' })
    expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
  })

  it('says in its OpenAPI document that the key is optional', async () => {
    const { body } = await open.get('/openapi.json')
    expect(body).toMatchObject({ security: [{ apikey: [] }, {}] })
  })

  it('is off by default', async () => {
    const { status, body } = await get(SPENDER, { apikey: '' })
    expect([status, body.code]).toEqual([401, 'API_KEY_MISSING'])
  })
})
