import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createKey } from '../keys/keys.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import { NO_NODE } from '../testing/useFrozenApi.js'
import type { SwapBody } from '../wire/responses.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const ALLOWANCE = `/swap/v1/999/approve/allowance?tokenAddress=${USDC}&walletAddress=${USDC}`
const PLACES = 8

/** A node that takes questions and never answers. */
let silent: ReturnType<typeof createHttpServer>
let silentUrl: string
beforeAll(async () => {
  silent = createHttpServer(() => {})
  const { port } = await listen(silent, { host: '127.0.0.1', port: 0 })
  silentUrl = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  silent?.closeAllConnections()
  if (silent) await close(silent)
})

const lineOf = (path: string, key?: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${key === undefined ? '' : `apikey: ${key}\r\n`}`
const statusesOf = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

describe('what is dear', () => {
  it('costs its key the time that it took, and no other key', async () => {
    // A search of any length is long here.
    const config = { requestMs: 1e-6 }
    const busy = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, config })
    const terms = { rate: 1, burst: 20 }
    const { key: dear } = await createKey(busy.keysFile, { label: 'dear', ...terms })
    const { key: other } = await createKey(busy.keysFile, { label: 'other', ...terms })
    busy.setNow(RECEIVED_AT_MS + 2_000)
    busy.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 2_000 })
    const first = await busy.get(QUOTE, { apikey: dear })
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '0'])
    const second = await busy.get(QUOTE, { apikey: dear })
    expect(second.status).toBe(429)
    // It owes no more than a few bursts, so it is not refused for ever.
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(5 * terms.burst)
    expect((await busy.get(QUOTE, { apikey: other })).status).toBe(200)
    // A search that fills nothing costs the same.
    const giant = QUOTE.replace(/amount=.*/, `amount=${10n ** 37n}`)
    const { key: third } = await createKey(busy.keysFile, { label: 'third', ...terms })
    busy.setNow(RECEIVED_AT_MS + 4_000)
    busy.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 4_000 })
    expect((await busy.get(giant, { apikey: third })).status).toBe(422)
    expect((await busy.get(QUOTE, { apikey: third })).status).toBe(429)
    await busy.stop()
  })

  it('includes looking up random tokens, of which a key has few, and none of what others need', async () => {
    const config = { nodeTimeoutMs: 20 }
    const busy = await startTestApi({ graph: frozenGraph, rpcUrl: NO_NODE, config })
    const randomToken = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`
    const askFor = (n: number) => busy.get(QUOTE.replace(WHYPE, randomToken(n)))
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push((await askFor(n)).status)
    expect(statuses.filter((status) => status === 429).length).toBe(20)
    expect((await busy.get(`/999/tokens/${randomToken(99)}`)).status).toBe(429)
    // What needs no look-up goes on.
    expect((await busy.get(QUOTE)).status).toBe(200)
    await busy.stop()
  })
})

const warningsOf = (body: unknown) =>
  (body as Partial<SwapBody>).meta?.warnings.map(({ code }) => code) ?? []

describe('a node whose requests are limited', () => {
  const randomToken = (n: number) => `0x${n.toString(16).padStart(40, 'b')}`
  /** What each way to cause a call of the node is, for the n-th random address. */
  const ways = [
    ['random tokens', (n: number) => QUOTE.replace(WHYPE, randomToken(n))],
    ['tokens by their path', (n: number) => `/999/tokens/${randomToken(n)}`],
    [
      'allowances',
      (n: number) => ALLOWANCE.replace(/walletAddress=.*/, `walletAddress=${randomToken(n)}`),
    ],
    [
      'swaps from random wallets',
      (n: number) => `${QUOTE.replace('/quote', '/swap')}&slippage=1&from=${randomToken(n)}`,
    ],
    [
      'simulations',
      (n: number) =>
        `${QUOTE.replace('/quote', '/swap')}&slippage=1&simulate=true&from=${randomToken(n)}`,
    ],
  ] as const

  let world: TestWorld
  let calls = 0
  /** The node, which counts what it is asked. */
  const counting = createHttpServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    calls += [JSON.parse(body)].flat().length
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(world.chain.rpcUrl, { method: 'POST', headers, body })
    return response.writeHead(200, headers).end(await answer.text())
  })
  let rpcUrl: string
  beforeAll(async () => {
    world = await startTestWorld()
    const { port } = await listen(counting, { host: '127.0.0.1', port: 0 })
    rpcUrl = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    await world?.stop()
    await close(counting)
  })

  it.each(ways)('is asked by one key half as often as it may be: by %s', async (way, pathOf) => {
    // Four tenths are for requests, of which a key gets half: 10 a minute.
    const config = { rpcRequestsPerMinute: 50 }
    const busy = await startTestApi({ graph: frozenGraph, rpcUrl, config })
    calls = 0
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push((await busy.get(pathOf(n))).status)
    expect(statuses.slice(0, 2)).not.toContain(429)
    // A swap is answered without what cannot be paid for, and says so.
    const isSwap = way === 'swaps from random wallets'
    expect(statuses.slice(10)).toEqual(Array(30).fill(isSwap ? 200 : 429))
    const last = await busy.get(`${pathOf(41)}&includeMeta=true`)
    const codes = isSwap ? ['WALLET_NOT_CHECKED'] : []
    expect(warningsOf(last.body)).toEqual(expect.arrayContaining(codes))
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThanOrEqual(10)
    // Another key still reaches the node, and quotes need none.
    const { key } = await createKey(busy.keysFile, { label: 'other', rate: 1, burst: 20 })
    busy.setNow(RECEIVED_AT_MS + 2_000)
    busy.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 2_000 })
    const before = calls
    expect((await busy.get(pathOf(99), { apikey: key })).status).not.toBe(429)
    expect(calls).toBeGreaterThan(before)
    expect((await busy.get(QUOTE)).status).toBe(200)
    await busy.stop()
  })
})

describe('a polite key', () => {
  let api: TestApi
  let polite: string
  beforeEach(async () => {
    api = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: silentUrl },
      config: { maxConcurrent: PLACES, nodeTimeoutMs: 60_000, keyless: true, proxies: 1 },
    })
    ;({ key: polite } = await createKey(api.keysFile, { label: 'polite', rate: 1, burst: 1_000 }))
    // Past the time after which the file is read again.
    api.setNow(RECEIVED_AT_MS + 6_000)
    api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 6_000 })
  })
  afterEach(() => api.stop())

  it('is answered though requests with a wrong key arrive before it in greater number', async () => {
    const keyless = `${lineOf(QUOTE, 'wrong')}\r\n`.repeat(5 * PLACES)
    const last = `${lineOf(QUOTE, polite)}connection: close\r\n\r\n`
    const statuses = statusesOf(await sendRaw(api.url, keyless + last))
    expect(statuses).toEqual([...Array(5 * PLACES).fill(401), 200])
  })

  it.each([
    ['another key holds', (): Record<string, string> => ({ apikey: api.key })],
    [
      'callers without a key, each from a network of its own, hold',
      (n: number): Record<string, string> => ({
        'x-forwarded-for': `2001:db8:1:${n.toString(16)}::1`,
      }),
    ],
  ])('is answered though %s every place', async (_, headersOf) => {
    const leaving = new AbortController()
    const flood = Array.from({ length: 4 * PLACES }, (__, n) =>
      fetch(`${api.url}${ALLOWANCE}`, { headers: headersOf(n), signal: leaving.signal })
        .then(({ status }) => status)
        .catch(() => 0),
    )
    // Refused at once: the places are taken.
    expect(await Promise.race(flood)).toBe(503)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await api.get(QUOTE, { apikey: polite })
        return status
      }),
    )
    leaving.abort()
    const counts = await Promise.all(flood)
    // Half of the places are its share: so many are answered at once, whatever the other holds.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(PLACES / 2)
    expect(counts.filter((status) => status === 503).length).toBeGreaterThan(0)
    expect((await api.get(QUOTE, { apikey: polite })).status).toBe(200)
  })
})
