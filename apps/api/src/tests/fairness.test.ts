import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createKey } from '../keys/keys.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`
const ALLOWANCE = `/swap/v1/999/approve/allowance?tokenAddress=${USDC}&walletAddress=${USDC}`
const PLACES = 8

/** A node that takes questions and never answers. */
let silent: ReturnType<typeof createHttpServer>
let api: TestApi
let polite: string
beforeAll(async () => {
  silent = createHttpServer(() => {})
  const { port } = await listen(silent, { host: '127.0.0.1', port: 0 })
  api = await startTestApi({
    ...{ graph: frozenGraph, rpcUrl: `http://127.0.0.1:${port}` },
    config: { maxConcurrent: PLACES, nodeTimeoutMs: 60_000 },
  })
  ;({ key: polite } = await createKey(api.keysFile, { label: 'polite', rate: 1, burst: 1_000 }))
  // Past the time after which the file is read again.
  api.setNow(RECEIVED_AT_MS + 6_000)
  api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS + 6_000 })
})
afterAll(async () => {
  await api?.stop()
  silent?.closeAllConnections()
  if (silent) await close(silent)
})

const lineOf = (path: string, key?: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${key === undefined ? '' : `apikey: ${key}\r\n`}`
const statusesOf = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

describe('a polite key', () => {
  it('is answered though requests without a key arrive before it in greater number', async () => {
    const keyless = `${lineOf(QUOTE)}\r\n`.repeat(5 * PLACES)
    const last = `${lineOf(QUOTE, polite)}connection: close\r\n\r\n`
    const statuses = statusesOf(await sendRaw(api.url, keyless + last))
    expect(statuses).toEqual([...Array(5 * PLACES).fill(401), 200])
  })

  it('is answered though another key holds every place', async () => {
    const leaving = new AbortController()
    const flood = Array.from({ length: 4 * PLACES }, () =>
      fetch(`${api.url}${ALLOWANCE}`, { headers: { apikey: api.key }, signal: leaving.signal })
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
