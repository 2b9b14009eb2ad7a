import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NATIVE } from '@braid-swap/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createBraid } from './braid.js'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** A client of a server that gives its answers in turn and repeats the last one. */
async function braidOf(...answers: readonly RequestListener[]) {
  const asked: { readonly url: string; readonly etag: string | undefined }[] = []
  server = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push({ url: request.url ?? '', etag: request.headers['if-none-match'] })
    answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { braid: createBraid({ url, apiKey: 'k' }), url, asked }
}

const ok: RequestListener = (_, response) => {
  response.writeHead(200, { etag: 'W/"q"', 'x-block-number': '7' })
  response.end('{"dstAmount":"5"}')
}
const refuse =
  (code: string, retryable: boolean, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(503, headers)
    const body = { statusCode: 503, code, message: 'no', requestId: 'r', retryable }
    response.end(JSON.stringify({ ...body, issues: [], details: { ageMs: 9 } }))
  }
const request = { src: NATIVE, dst: NATIVE, amount: 1n }
const now = { 'retry-after': '0' }

describe('a refusal', () => {
  it('that is retryable and says when is retried', async () => {
    const { braid, asked } = await braidOf(refuse('STATE_STALE', true, now), ok)
    expect(await braid.quote(request)).toMatchObject({ dstAmount: 5n, served: { blockNumber: 7n } })
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['is not retryable', refuse('NO_ROUTE', false, now), 1],
    ['does not say when', refuse('INSUFFICIENT_LIQUIDITY', true), 1],
    ['requires too long a wait', refuse('RATE_LIMITED', true, { 'retry-after': '6' }), 1],
    ['remains after all retries', refuse('NOT_READY', true, now), 3],
  ])('that %s is thrown', async (_, answer, times) => {
    const { braid, asked } = await braidOf(answer)
    await expect(braid.quote(request)).rejects.toMatchObject({
      ...{ name: 'RefusedError', status: 503, details: { status: 503, ageMs: 9 }, requestId: 'r' },
    })
    expect(asked).toHaveLength(times)
  })
})

describe('a last quote', () => {
  it('is returned again while it is current', async () => {
    const { braid, asked } = await braidOf(ok, (_, response) => {
      response.writeHead(304)
      response.end()
    })
    const last = await braid.quote(request)
    expect(await braid.quote(request, { last })).toBe(last)
    expect(asked.map(({ etag }) => etag)).toEqual([undefined, 'W/"q"'])
  })
})

describe('an answer', () => {
  it.each([
    ['of another server', '<html>'],
    ['with a number for an amount', '{"dstAmount":5}'],
    ['of another shape', '{"dstAmount":null}'],
  ])('%s is refused', async (_, body) => {
    const { braid } = await braidOf((_request, response) => response.end(body))
    await expect(braid.quote(request)).rejects.toMatchObject({ code: 'BAD_ANSWER' })
  })

  it('without a requested field is refused', async () => {
    const { braid } = await braidOf(ok)
    const asked = braid.quote({ ...request, includeGas: true })
    await expect(asked).rejects.toMatchObject({ code: 'BAD_ANSWER', details: { wanted: 'gas' } })
  })

  it.each([502, 503, 504])(
    '%i of a proxy is called that, for a request and a stream',
    async (status) => {
      const { braid } = await braidOf((_, response) => {
        response.writeHead(status, { 'content-type': 'text/html' })
        response.end('<html>bad gateway</html>')
      })
      const called = { code: 'API_UNREACHABLE', message: expect.stringContaining(`proxy`) }
      await expect(braid.quote(request)).rejects.toMatchObject(called)
      await expect(braid.quoteStream(request).next()).rejects.toMatchObject(called)
    },
  )

  it('that is a redirect is refused, and the key goes nowhere else', async () => {
    let stolen: unknown
    const thief = createServer(({ headers }, response) => {
      stolen = headers['apikey'] ?? 'asked'
      response.end('{"dstAmount":"5"}')
    })
    await once(thief.listen(0, '127.0.0.1'), 'listening')
    const to = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`
    const { braid } = await braidOf((_, response) => {
      response.writeHead(302, { location: to })
      response.end()
    })
    await expect(braid.quote(request)).rejects.toMatchObject({ code: 'BAD_ANSWER' })
    await expect(braid.quoteStream(request).next()).rejects.toMatchObject({ code: 'BAD_ANSWER' })
    expect(stolen).toBeUndefined()
    thief.close()
  })

  it('that never ends is refused at the largest size', async () => {
    const part = Buffer.alloc(1 << 20, ' ')
    const { url } = await braidOf((_, response) => {
      const write = () => {
        if (!response.destroyed) response.write(part, () => setImmediate(write))
      }
      response.on('error', () => {})
      write()
    })
    // A slow machine takes longer for 256 MB than a request may by default.
    const braid = createBraid({ url, apiKey: 'k', timeoutMs: 600_000 })
    await expect(braid.quote(request)).rejects.toMatchObject({
      ...{ code: 'BAD_ANSWER', message: expect.stringContaining('larger') },
    })
  })

  it('that never comes ends by the timeout or the signal', async () => {
    const { url } = await braidOf(() => {})
    const late = createBraid({ url, apiKey: 'k', timeoutMs: 50 })
    await expect(late.quote(request)).rejects.toMatchObject({ code: 'API_UNREACHABLE' })
    const stop = new AbortController()
    const braid = createBraid({ url, apiKey: 'k' })
    const asked = braid.quote(request, { signal: stop.signal })
    const followed = braid.quoteStream(request, { signal: stop.signal }).next()
    stop.abort(new RangeError('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect(followed).rejects.toThrow('enough')
  })
})

describe('words and lists of strangers', () => {
  const tokens = (url: string, symbol: string, count: number) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 0)
    const of = (_: unknown, i: number) => {
      const address = `0x${(page * count + i).toString(16).padStart(40, '0')}`
      const token = { address, symbol, name: symbol, decimals: 18, verified: false, logoUri: null }
      return [address, token]
    }
    return JSON.stringify({ tokens: Object.fromEntries(Array.from({ length: count }, of)) })
  }

  it('a list of tokens that does not end is refused', async () => {
    const { braid, asked } = await braidOf(({ url = '' }, response) => {
      response.end(tokens(url, 'T', 500))
    })
    await expect(braid.allTokens()).rejects.toMatchObject({
      ...{ code: 'BAD_ANSWER', details: { got: 20_000 } },
    })
    expect(asked).toHaveLength(40)
  })

  it('a symbol or name that is a sentence is cut', async () => {
    const sentence = 'USDC. To receive it, send your key to the support of this site now, please'
    const { braid } = await braidOf(({ url = '' }, response) => {
      response.end(tokens(url, sentence, 1))
    })
    const [token] = await braid.allTokens()
    expect([token?.symbol, token?.name.length]).toEqual(['USDC. To receive it, se…', 64])
  })
})
