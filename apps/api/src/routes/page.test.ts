import type { Hex } from '@braid-swap/core'
import { permit2Message } from '@braid-swap/core/advanced'
import { verifyTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import type { Page, PageFile } from '../http/page.js'
import { createKey } from '../keys/keys.js'
import { frozenGraph, USDC } from '../testing/frozenMarket.js'
import { sendRaw } from '../testing/sendRaw.js'
import { RECEIVED_AT_MS, startTestApi, TEST_ROUTER, type TestApi } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'

const file = (extension: string, text: string) => ({ extension, body: Buffer.from(text) })
const page: Page = new Map<string, PageFile>([
  ['/', { ...file('.html', '<!doctype html>'), gzipped: Buffer.from('no real gzip') }],
  ['/assets/a-1.js', file('.js', 'let a')],
])
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'identity' }

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', page })
})
afterAll(() => api?.stop())

const ask = (path: string, init?: RequestInit) => fetch(`${api.url}${path}`, init)

describe('/', () => {
  it('is the page for browsers, and lets nothing in from elsewhere', async () => {
    const response = await ask('/', { headers: html })
    expect(await response.text()).toBe('<!doctype html>')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("; img-src 'self' data:; ")
    expect(policy.replace("img-src 'self' data:", '')).not.toMatch(/unsafe|http|data:|\*/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  it('may be embedded only by sites that the operator names, and only on purpose', async () => {
    const ancestors = async (url: string, path: string) => {
      const policy = (await fetch(`${url}${path}`, { headers: html })).headers
      return /frame-ancestors (.*)$/.exec(policy.get('content-security-policy') ?? '')?.[1]
    }
    expect(await ancestors(api.url, '/?embed=1')).toBe("'none'")
    const frames = ['https://a.example', 'https://b.example']
    const other = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', page },
      config: { page: { frames } },
    })
    expect(await ancestors(other.url, '/?embed=1')).toBe('https://a.example https://b.example')
    expect(await ancestors(other.url, '/')).toBe("'none'")
    await other.stop()
  })

  it.each(['*/*', 'application/json'])('is JSON for who accepts %s', async (accept) => {
    const response = await ask('/', { headers: { accept } })
    expect(await response.json()).toMatchObject({ name: 'braid' })
  })
})

describe('the files of the page', () => {
  it('are kept for ever, since their names change with them', async () => {
    const response = await ask('/assets/a-1.js')
    expect(await response.text()).toBe('let a')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
  })

  it.each(['/assets/b.js', '/assets/..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json'])(
    'do not have %s among them',
    async (path) => {
      expect([401, 404]).toContain((await ask(path)).status)
    },
  )
})

describe('without a demo', () => {
  it('the page gets no demo settings, and no node is called', async () => {
    const setting = await (await ask('/page.json')).json()
    expect(setting).toMatchObject({ chainId: 999, router: TEST_ROUTER, demo: null })
    const headers = { 'content-type': 'application/json', apikey: api.key }
    const body = JSON.stringify({ method: 'eth_getBalance', params: [USDC, 'latest'] })
    expect((await ask('/demo/rpc', { method: 'POST', headers, body })).status).toBe(405)
  })
})

describe('with a demo', () => {
  it('answers only to its own host name, whatever name leads to this machine', async () => {
    const { port } = new URL(world.api.url)
    const statusAs = async (host: string) => {
      const head = `GET /page.json HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`
      return Number((await sendRaw(world.api.url, head)).split(' ')[1])
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect(await statusAs(host)).toBe(200)
    }
    for (const host of ['evil.example', `127.0.0.1.evil.example:${port}`, 'localhost.evil']) {
      expect(await statusAs(host)).toBe(400)
    }
  })

  let world: TestWorld
  const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  beforeAll(async () => {
    world = await startTestWorld({ config: { demo: { account } }, page })
  })
  afterAll(() => world?.stop())

  const json = { 'content-type': 'application/json' }
  const post = async (question: unknown, headers: Record<string, string> = json) => {
    const body = typeof question === 'string' ? question : JSON.stringify(question)
    const response = await fetch(`${world.api.url}/demo/rpc`, { method: 'POST', headers, body })
    const answer = (await response.json()) as { readonly result: string; readonly code: string }
    return { status: response.status, body: answer }
  }
  const sending = (from: string) => ({
    method: 'eth_sendTransaction',
    params: [
      {
        ...{ from, to: USDC, data: '0x', value: '0x0', chainId: '0x3e7' },
        ...{ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0', gas: '0x5208' },
      },
    ],
  })

  it('the page may read and send', async () => {
    const { body } = await post({ method: 'eth_getBalance', params: [account, 'latest'] })
    expect(BigInt(body.result)).toBeGreaterThan(0n)
    expect((await post(sending(account))).body.result).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('the page may try and estimate a call at the fees that it is to pay', async () => {
    const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' }
    const call = { from: account, to: account, data: '0x', value: '0x0', ...fees }
    const tried = await post({ method: 'eth_call', params: [call, 'latest'] })
    const estimated = await post({ method: 'eth_estimateGas', params: [call] })
    expect([tried.body.result, estimated.body.result]).toEqual(['0x', '0x5208'])
  })

  it('the page may look for the end of a swap in the router’s events and in whole blocks', async () => {
    const at = { fromBlock: '0x0', toBlock: '0x0' }
    const logs = { address: TEST_ROUTER, topics: [`0x${'1'.repeat(64)}`, null], ...at }
    const found = await post({ method: 'eth_getLogs', params: [logs] })
    expect([found.status, found.body.result]).toEqual([200, []])
    const block = await post({ method: 'eth_getBlockByNumber', params: ['0x0', true] })
    expect(block.body.result).toMatchObject({ number: '0x0', transactions: [] })
  })

  it('the page may have the account sign what a wallet would be shown', async () => {
    const deadline = 2_000_000_000n
    const paid = { tokenIn: USDC, amountIn: 5n, deadline }
    const message = permit2Message(paid, { chainId: 999, router: TEST_ROUTER, nonce: 7n })
    const text = JSON.stringify(message, (_, v) => (typeof v === 'bigint' ? `${v}` : v))
    const sign = (from: string) => post({ method: 'eth_signTypedData_v4', params: [from, text] })
    const signature = (await sign(account)).body.result as Hex
    expect(await verifyTypedData({ ...message, address: account, signature })).toBe(true)
    expect((await sign('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')).status).toBe(400)
  })

  it.each<readonly [string, unknown]>([
    ['from another account', sending('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')],
    ['what the page never asks', { method: 'anvil_setBalance', params: [account, '0x1'] }],
    ['of another block', { method: 'eth_getBalance', params: [account, '0x1'] }],
    ['no JSON', '{'],
    ['too much', `"${'x'.repeat(70_000)}"`],
  ])('refuses %s', async (_, question) => {
    const { status, body } = await post(question)
    expect([status, body.code]).toEqual([400, 'INVALID_BODY'])
  })

  it('refuses what a stranger’s page could send without asking', async () => {
    const question = { method: 'eth_getBalance', params: [account, 'latest'] }
    const { status } = await post(question, { 'content-type': 'text/plain' })
    expect(status).toBe(400)
    const preflight = await fetch(`${world.api.url}/demo/rpc`, {
      method: 'OPTIONS',
      headers: { origin: 'http://stranger.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).not.toContain('POST')
  })
})

describe('the configuration of a demo', () => {
  const environment = {
    ...{ BRAID_RPC_URLS: 'http://127.0.0.1:8545', BRAID_KEYS_FILE: 'k', BRAID_ROUTER: TEST_ROUTER },
    ...{ BRAID_PAGE_KEY: 'k', BRAID_DEMO_ACCOUNT: USDC },
  }

  it('is off unless it is asked for', () => {
    const { BRAID_DEMO_ACCOUNT, ...without } = environment
    expect(readConfig(without).demo).toBeUndefined()
    expect(readConfig(environment).demo).toEqual({ account: USDC })
  })

  it.each(['0.0.0.0', '::', '192.168.1.2', 'example.org', '127.0.0.1.example.org'])(
    'is refused if others could reach it: %s',
    (HOST) => {
      expect(() => readConfig({ ...environment, HOST })).toThrow(/BRAID_DEMO_ACCOUNT.*must be 127/)
    },
  )

  it('needs a key for its page', () => {
    const { BRAID_PAGE_KEY, ...half } = environment
    expect(() => readConfig(half)).toThrow(/BRAID_PAGE_KEY is required/)
  })
})

describe('the page’s own key', () => {
  it('is given to every visitor, and each address has its limits', async () => {
    let pageKey = ''
    // The key exists only after the start, because the API under test has the file of keys.
    const own = {
      frames: [],
      get key() {
        return pageKey
      },
    }
    const other = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', page },
      config: { page: own, proxies: 1 },
    })
    try {
      pageKey = (await createKey(other.keysFile, { label: 'page', rate: 1, burst: 3 })).key
      other.setNow(RECEIVED_AT_MS + 6_000)
      const spender = '/swap/v1/999/approve/spender'
      const ask = async (apikey: string, address: string) =>
        (await other.get(spender, { apikey, 'x-forwarded-for': address })).status
      expect((await other.get<{ apiKey: string }>('/page.json')).body.apiKey).toBe(pageKey)
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push(await ask(pageKey, '203.0.113.5'))
      expect(statuses).toEqual([200, 200, 200, 429])
      expect(await ask(pageKey, '203.0.113.6')).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

describe('the settings of the page', () => {
  const environment = {
    ...{ BRAID_RPC_URLS: 'http://127.0.0.1:8545', BRAID_KEYS_FILE: 'k', BRAID_ROUTER: TEST_ROUTER },
  }

  it('are read', () => {
    expect(readConfig(environment)).toMatchObject({ page: { frames: [] }, proxies: 0 })
    const { page: own, proxies } = readConfig({
      ...environment,
      BRAID_PAGE_KEY: 'brd_x',
      ...{ BRAID_PAGE_FRAMES: 'https://a.example, http://b.example:81', BRAID_PROXIES: '1' },
    })
    expect(own).toEqual({
      key: 'brd_x',
      frames: ['https://a.example', 'http://b.example:81'],
    })
    expect(proxies).toBe(1)
  })

  it.each([
    ['BRAID_PAGE_FRAMES', '*'],
    ['BRAID_PAGE_FRAMES', 'https://a.example/path'],
    ['BRAID_PAGE_FRAMES', "'self'"],
    ['BRAID_PAGE_FRAMES', 'https://a.example; script-src *'],
    ['BRAID_PROXIES', '-1'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readConfig({ ...environment, [name]: value })).toThrow(name)
  })
})
