import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type ClientOptions, createClient } from '../chains/createClient.js'
import { readHeader } from '../reads/headers.js'
import {
  hasRateLimit,
  learnProfiles,
  logRangeOf,
  profilesOf,
  readHealth,
  refillMs,
} from './client.js'
import { isTooLarge } from './rpcErrors.js'

type Answer = {
  readonly status?: number
  readonly result?: unknown
  readonly code?: number
  /** Message of the error with that code. */
  readonly message?: string
  readonly retryAfter?: string
  /** Replaces the whole body. */
  readonly body?: string
}
type Asked = { readonly id: number; readonly method: string }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A node that gives its answers in turn and repeats the last one. */
async function startNode(answers: readonly Answer[]) {
  let asked = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!
      const { status = 200, result, code, message = 'no', retryAfter = '0' } = answer
      const outcome = code === undefined ? { result } : { error: { code, message } }
      const requests = [JSON.parse(body)].flat() as Asked[]
      const whole = requests.map(({ id }) => ({ jsonrpc: '2.0', id, ...outcome }))
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': retryAfter })
      response.end(answer.body ?? JSON.stringify(whole))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

const gasPrice = (url: string | readonly string[], options?: ClientOptions) =>
  createClient(url, options).request({ method: 'eth_gasPrice' })

/** A node that takes batches of at most `most` requests; none at all with 0. */
async function startBatchLimited(most: number) {
  const sizes: number[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked | Asked[]
    const size = Array.isArray(body) ? body.length : 0
    sizes.push(size)
    const answer = ({ id }: Asked) => ({ jsonrpc: '2.0', id, result: `0x${id.toString(16)}` })
    const error = { code: -32600, message: 'Batch is too large' }
    response.writeHead(200, { 'content-type': 'application/json' })
    const whole = Array.isArray(body) ? body.map(answer) : answer(body)
    response.end(JSON.stringify(size > most ? { jsonrpc: '2.0', id: null, error } : whole))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sizes }
}

describe('a batch that the node refuses', () => {
  it.each([0, 1, 7, 20])('is sent in parts of at most %i, and the length is kept', async (most) => {
    const node = await startBatchLimited(most)
    const client = createClient(node.url)
    const ask = () =>
      Promise.all(Array.from({ length: 45 }, () => client.request({ method: 'eth_gasPrice' })))
    const answers = await ask()
    expect(new Set(answers).size).toBe(45)
    const before = node.sizes.length
    await ask()
    expect(Math.max(...node.sizes.slice(before))).toBeLessThanOrEqual(most)
    expect(readHealth(client)).toMatchObject([{ failures: 0 }])
  })
})

describe('createClient', () => {
  it('retries after a busy or broken answer', async () => {
    const node = await startNode([{ status: 429 }, { status: 503 }, { result: '0x1' }])
    expect(await gasPrice(node.url)).toBe('0x1')
    expect(node.asked()).toBe(3)
  })

  it('gives up after three retries', async () => {
    const node = await startNode([{ status: 503 }])
    await expect(gasPrice(node.url)).rejects.toThrow()
    expect(node.asked()).toBe(4)
  })

  it('does not retry a refusal', async () => {
    const node = await startNode([{ code: -32603 }])
    await expect(gasPrice(node.url)).rejects.toThrow()
    expect(node.asked()).toBe(1)
  })

  it('retries a rate limit reported as -32005, and counts it', async () => {
    const node = await startNode([{ code: -32005, message: 'rate limited' }, { result: '0x1' }])
    const client = createClient(node.url)
    expect(await client.request({ method: 'eth_gasPrice' })).toBe('0x1')
    expect(node.asked()).toBe(2)
    expect(readHealth(client)).toMatchObject([{ requests: 2, failures: 1, limited: 1 }])
  })

  it('does not retry -32005 if it says that one request is too large', async () => {
    const message = 'query returned more than 10000 results'
    const node = await startNode([{ code: -32005, message }])
    const client = createClient(node.url)
    await expect(client.request({ method: 'eth_gasPrice' })).rejects.toThrow(message)
    expect(node.asked()).toBe(1)
    expect(readHealth(client)).toMatchObject([{ failures: 0, limited: 0, restsMs: 0 }])
  })

  it('is limited if every endpoint is, and says when the first takes some requests at once', () => {
    const urls = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
    const limited = createClient(urls, { requestsPerMinute: 100 })
    const free = createClient(urls)
    expect([limited, free].map(hasRateLimit)).toEqual([true, false])
    // A limit begins with one request.
    expect(refillMs(limited, 1)).toBe(0)
    expect(refillMs(limited, 2)).toBeGreaterThan(0)
    expect(refillMs(free, 10)).toBe(0)
  })

  it('asks for no more blocks of logs at once than the option or a profile allows', () => {
    const client = createClient('http://127.0.0.1:1', { logRange: 500 })
    expect(logRangeOf(client)).toBe(500)
    const callGas = 1_000_000n
    const learned = { pastState: 'pinned', overrides: 'honoured', callGas, logRange: 50 } as const
    learnProfiles(client, [learned])
    expect(logRangeOf(client)).toBe(50)
    expect(profilesOf(client)).toEqual([learned])
    expect(logRangeOf(createClient('http://127.0.0.1:1'))).toBe(Number.POSITIVE_INFINITY)
  })

  it('needs a URL', () => {
    expect(() => createClient([])).toThrow('rpcUrl is a list of 0')
  })
})

describe('incomplete answers', () => {
  it.each([
    ['half a body', '[{"jsonrpc":"2.0","id":1,"resu'],
    ['no JSON', '<html>busy</html>'],
    ['an object without a result', '{}'],
    ['a batch with nothing in it', '[]'],
    ['an answer to another request', '[{"jsonrpc":"2.0","id":-7,"result":"0x5"}]'],
    ['an entry without a result', '[{"jsonrpc":"2.0","id":1}]'],
  ])('%s is retried', async (_, body) => {
    const node = await startNode([{ body }, { result: '0x1' }])
    expect(await gasPrice(node.url)).toBe('0x1')
    expect(node.asked()).toBe(2)
  })

  it('one missing from a batch does not shift the others', async () => {
    let asked = 0
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const requests = JSON.parse(body) as (Asked & { readonly params: readonly string[] })[]
      const answers = requests.map(({ id, params }) => ({ id, result: params[0] }))
      response.end(JSON.stringify(asked++ === 0 ? answers.slice(1) : answers))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const owners = ['0x01', '0x02', '0x03'] as const
    const balances = owners.map((owner) =>
      client.request({ method: 'eth_getBalance', params: [owner, 'latest'] }),
    )
    expect(await Promise.all(balances)).toEqual(owners)
  })
})

describe('several endpoints', () => {
  it('uses the next one at once after a failure, and the failed one cools down', async () => {
    const [bad, good] = [await startNode([{ status: 503 }]), await startNode([{ result: '0x2' }])]
    const client = createClient([bad.url, good.url])
    for (let i = 0; i < 3; i++) {
      expect(await client.request({ method: 'eth_gasPrice' })).toBe('0x2')
    }
    expect([bad.asked(), good.asked()]).toEqual([1, 3])
    expect(readHealth(client)).toMatchObject([
      { index: 0, requests: 1, failures: 1, limited: 0 },
      { index: 1, requests: 3, failures: 0, limited: 0, restsMs: 0 },
    ])
  })

  it('tries another after a refusal or an unknown block', async () => {
    const refusing = await startNode([{ code: -32602 }])
    const knowing = await startNode([{ result: '0x3' }])
    expect(await gasPrice([refusing.url, knowing.url])).toBe('0x3')

    const behind = await startNode([{ result: null }])
    const block = {
      ...{ number: '0x7', hash: `0x${'11'.repeat(32)}`, parentHash: `0x${'22'.repeat(32)}` },
      ...{ timestamp: '0x1', gasLimit: '0x2' },
    }
    const ahead = await startNode([{ result: block }])
    expect((await readHeader(createClient([behind.url, ahead.url]), 7n)).number).toBe(7n)
    await expect(readHeader(createClient([behind.url]), 7n)).rejects.toMatchObject({
      code: 'BLOCK_UNAVAILABLE',
    })
  })

  it.each([
    ['a header that is not found', { code: -32000, message: 'header not found' }],
    ['a block that is null', { result: null }],
  ])(
    'asks once more after %s, because one URL may stand for several backends',
    async (_, missing) => {
      const known = {
        number: '0x7',
        hash: `0x${'11'.repeat(32)}`,
        timestamp: '0x1',
        gasLimit: '0x2',
      }
      const node = await startNode([missing, { result: known }])
      expect((await readHeader(createClient(node.url), 7n)).number).toBe(7n)
      const without = await startNode([missing])
      await expect(readHeader(createClient(without.url), 7n)).rejects.toThrow()
      expect([node.asked(), without.asked()]).toEqual([2, 2])
      const late = await startNode([missing, { result: [] }])
      const receipts = createClient(late.url).request({
        method: 'eth_getBlockReceipts',
        params: ['0x7'],
      } as never)
      expect(await receipts).toEqual([])
    },
  )

  it('reports the refusal of the first if all refuse', async () => {
    const [one, two] = [await startNode([{ code: -32601 }]), await startNode([{ code: -32602 }])]
    await expect(gasPrice([one.url, two.url])).rejects.toMatchObject({ code: -32601 })
  })
})

describe('an endpoint that sends Retry-After', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString()

  it.each([
    ['in seconds', () => '30'],
    ['as a date', inAnHour],
  ])('%s, is not used; a request that would wait too long fails', async (_, retryAfter) => {
    const node = await startNode([{ status: 429, retryAfter: retryAfter() }])
    const options = { patienceMs: 5_000 }
    const client = createClient(node.url, options)
    for (let i = 0; i < 3; i++) {
      await expect(client.request({ method: 'eth_gasPrice' })).rejects.toMatchObject({
        code: 'RPC_BUSY',
      })
    }
    expect(node.asked()).toBe(1)
    const [health] = readHealth(client)
    expect(health!.restsMs).toBeGreaterThan(25_000)
    expect(health!.restsMs).toBeLessThanOrEqual(600_000)
  })

  it('is used again after that time', async () => {
    const node = await startNode([{ status: 429, retryAfter: '1' }, { result: '0x1' }])
    const before = performance.now()
    expect(await gasPrice(node.url)).toBe('0x1')
    expect(performance.now() - before).toBeGreaterThanOrEqual(999)
  })

  it('is used again after `soleRestMs` if there is no other, or if the others rest too', async () => {
    const busy = { status: 429, retryAfter: '600' }
    const alone = await startNode([busy, { result: '0x1' }])
    const options = { soleRestMs: 50, patienceMs: 100 }
    expect(await gasPrice(alone.url, options)).toBe('0x1')
    const [one, two] = [await startNode([busy, { result: '0x1' }]), await startNode([busy])]
    expect(await gasPrice([one.url, two.url], options)).toBe('0x1')
    expect([one.asked(), two.asked()]).toEqual([2, 1])
  })

  it('rests for no longer after many failures in a row', async () => {
    const failures = Array.from({ length: 12 }, () => ({ status: 503, retryAfter: '' }))
    const node = await startNode([...failures, { result: '0x1' }])
    const options = { soleRestMs: 5, patienceMs: 20, retryCount: 20 }
    expect(await gasPrice(node.url, options)).toBe('0x1')
  })

  it('is replaced by another one meanwhile', async () => {
    const busy = await startNode([{ status: 429, retryAfter: '600' }])
    const free = await startNode([{ result: '0x1' }])
    expect(await gasPrice([busy.url, free.url], { patienceMs: 100 })).toBe('0x1')
  })
})

describe('a rate limit', () => {
  it('counts each request of a batch, and uses the other endpoint before it waits', async () => {
    const [one, two] = [await startNode([{ result: '0x1' }]), await startNode([{ result: '0x2' }])]
    const client = createClient([one.url, two.url], { requestsPerMinute: 6, patienceMs: 0 })
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => client.request({ method: 'eth_gasPrice' })),
    )
    // A new client may send one request to each endpoint; the third would have to wait.
    expect(answers).toEqual(['0x1', '0x2'])
    await expect(client.request({ method: 'eth_gasPrice' })).rejects.toMatchObject({
      code: 'RPC_BUSY',
    })
    await sleep(0)
    expect([one.asked(), two.asked()]).toEqual([1, 1])
  })
})

describe('an answer without end', () => {
  it('is cut at the limit, counted after decompression, and not asked for again', async () => {
    const limit = 100_000
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(bomb.length).toBeLessThan(limit)
    const client = createClient(url, { maxAnswerBytes: limit })
    const error = await client.request({ method: 'eth_gasPrice' }).catch((cause: unknown) => cause)
    expect(isTooLarge(error)).toBe(true)
    expect(asked).toBe(1)
  })
})
