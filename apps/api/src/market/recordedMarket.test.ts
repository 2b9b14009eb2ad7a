import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseSnapshot, quote, stringifySnapshot } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { createKey } from '../keys/keys.js'
import { type RunningApi, startApi } from '../start/startApi.js'
import { frozenGraph, frozenSnapshot, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import {
  errorSchema,
  quoteSchema,
  readySchema,
  streamedQuoteSchema,
  tokensSchema,
} from '../wire/responses.js'

const SALE = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 10n ** 21n }
const order = { src: WHYPE, dst: USDC, amount: `${SALE.amountIn}` }
const text = stringifySnapshot(frozenSnapshot)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-recorded-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The path of a file with these contents. */
async function fileOf(name: string, contents: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, contents)
  return path
}

/** Starts as `braid-api` does with these variables, on any port. */
const start = (env: Readonly<Record<string, string>>) =>
  startApi(readConfig({ BRAID_LOG_LEVEL: 'silent', PORT: '0', ...env }))

async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers })
  const body: unknown = await response.json()
  return { status: response.status, headers: response.headers, body }
}

describe('a recorded market', () => {
  let api: RunningApi
  beforeAll(async () => {
    const market = await fileOf('market.json.gz', gzipSync(text))
    api = await start({ BRAID_MARKET: market, BRAID_METRICS_PORT: '0' })
  })
  afterAll(() => api?.stop())

  const ask = (endpoint: string, params: Readonly<Record<string, string>> = {}) =>
    get(`${api.url}/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`)

  it('is quoted as the core solves it, without a key or with any', async () => {
    const { amountOut } = quote(frozenGraph, SALE)
    const keys = [{}, { apikey: 'of another API' }]
    for (const headers of keys) {
      const { status, body } = await get(
        `${api.url}/swap/v1/999/quote?${new URLSearchParams(order)}`,
        headers,
      )
      expect([status, body]).toEqual([200, { dstAmount: `${amountOut}` }])
    }
  })

  it.each(['quote', 'dex-compare'])('says in the meta of /%s that it is recorded', async (path) => {
    const { body } = await ask(path, { ...order, includeMeta: 'true' })
    const { meta } = body as { meta: unknown }
    expect(meta).toMatchObject({ recorded: true, blockNumber: '123', stateAgeMs: 0 })
    expect(meta).toMatchObject({ blockTimestamp: Number(frozenSnapshot.block.timestamp) })
  })

  it('never ages: it is ready years after its block, and no metric of age rises', async () => {
    const tight = await ask('quote', { ...order, maxStateAgeMs: '1' })
    expect(tight.status).toBe(200)
    const { status, body } = await get(`${api.url}/readyz`)
    expect(status).toBe(200)
    expect(readySchema.parse(body)).toMatchObject({ recorded: true, stateAgeMs: 0, code: null })
    const metrics = await (await fetch(api.metricsUrl!)).text()
    expect(metrics).toMatch(/^braid_state_age_seconds 0$/m)
    expect(metrics).toMatch(/^braid_ready\{reason=""\} 1$/m)
    expect(metrics).not.toMatch(/^braid_head_lag_seconds /m)
  })

  it.each([
    ['swap', { ...order, slippage: '1' }],
    ['approve/transaction', { tokenAddress: USDC }],
    ['approve/allowance', { tokenAddress: USDC, walletAddress: PURR }],
    ['approve/spender', {}],
  ])('refuses /%s, and says what would work', async (endpoint, params) => {
    const { status, body } = await ask(endpoint, params)
    expect([status, errorSchema.parse(body)]).toMatchObject([
      501,
      { code: 'MARKET_RECORDED', retryable: false },
    ])
    expect(errorSchema.parse(body).message).toContain('BRAID_RPC_URLS')
  })

  it('names its tokens by the list, and prices them', async () => {
    const { body } = await get(`${api.url}/999/tokens`)
    const tokens = Object.values(tokensSchema.parse(body).tokens)
    expect(tokens).toHaveLength(frozenSnapshot.tokens.length)
    const of = (symbol: string) => tokens.find((token) => token.symbol === symbol)
    expect(of('USDC')).toMatchObject({ decimals: 6, verified: true, buyPriceUsd: 1 })
    expect(of('WHYPE')?.sellPriceUsd).toBeCloseTo(40, 0)
    expect(of('HYPE')).toMatchObject({ decimals: 18 })
    // No list knows it, and there is no node to ask.
    expect(of('')).toMatchObject({ verified: false })
    const unknown = await get(`${api.url}/999/tokens/0x${'12'.repeat(20)}`)
    expect([unknown.status, errorSchema.parse(unknown.body).code]).toEqual([404, 'TOKEN_NOT_FOUND'])
  })

  it('streams the quote of its block, lists its venues, and gives itself away as a file', async () => {
    const url = `${api.url}/swap/v1/999/quote/stream?${new URLSearchParams(order)}`
    const reader = (await fetch(url)).body!.getReader()
    const event = new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    const data = JSON.parse(/^data: (.*)$/m.exec(event)![1]!)
    expect(streamedQuoteSchema.parse(data)).toMatchObject({ blockNumber: '123' })
    expect((await ask('liquidity-sources')).body).toMatchObject({
      protocols: [{ id: 'test-v2' }, { id: 'test-v3' }],
    })
    const saved = parseSnapshot(JSON.stringify((await ask('snapshot')).body))
    expect(saved.block).toEqual(frozenSnapshot.block)
    expect(saved.pools).toHaveLength(frozenSnapshot.pools.length)
  })
})

it('has its keys checked as always if a file of keys is named', async () => {
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'test' })
  const market = await fileOf('keyed.json', text)
  const api = await start({ BRAID_MARKET: market, BRAID_KEYS_FILE: keysFile })
  try {
    const url = `${api.url}/swap/v1/999/quote?${new URLSearchParams(order)}`
    const none = await get(url)
    expect([none.status, errorSchema.parse(none.body).code]).toEqual([401, 'API_KEY_MISSING'])
    const own = await get(url, { apikey: key })
    expect([own.status, quoteSchema.safeParse(own.body).success]).toEqual([200, true])
  } finally {
    await api.stop()
  }
})

it.each([
  ['is absent', undefined, /no such file/],
  ['is not JSON', 'market', /the text is not JSON/],
  ['is of another version', text.replace('"version":1', '"version":2'), /unknown snapshot version/],
  ['is cut', gzipSync(text).subarray(0, 100), /unexpected end of file/],
  [
    'has a pool that cannot be',
    text.replace('"feePpm":3000', '"feePpm":-1'),
    /9001 \(uniswapV2\): feePpm is -1/,
  ],
  [
    'is of another chain',
    text.replace('"chainId":999', '"chainId":1'),
    /a market of chain 1, but BRAID_CHAIN is HyperEVM, chain 999/,
  ],
])('a file that %s ends the start with a line that says so', async (name, contents, said) => {
  const path =
    contents === undefined ? join(folder, 'none') : await fileOf(`${name}.json`, contents)
  const started = start({ BRAID_MARKET: path })
  await expect(started).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  await expect(started).rejects.toThrow(said)
  await expect(started).rejects.toThrow(`BRAID_MARKET: ${path}: `)
})
