import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, NATIVE } from '@braid-swap/core'
import { type Devnet, startDevnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from './keys.js'
import { type RunningApi, startApi } from './startApi.js'
import { checkAnswer } from './testing/index.js'
import type { DexCompareBody, ErrorBody, QuoteBody } from './wire/responses.js'

let devnet: Devnet
let folder: string
let apikey: string
/** One that trades everything, and one whose operator refuses USD₮0. */
let apis: readonly [all: RunningApi, careful: RunningApi]
let usdc: Address
let usdt: Address

beforeAll(async () => {
  devnet = await startDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-refused-'))
  const keysFile = join(folder, 'keys.json')
  apikey = (await createKey(keysFile, { label: 'test', rate: 1_000, burst: 10_000 })).key
  ;[usdc, usdt] = ['USDC', 'USD₮0'].map(
    (symbol) => devnet.tokens.find((token) => token.symbol === symbol)!.address,
  ) as [Address, Address]
  const listed = { chainId: 999, symbol: 'USD₮0', name: 'USD₮0', decimals: 6, address: usdt }
  const extensions = { unsupported: 'its issuer may take it back' }
  const tokenListFile = join(folder, 'list.json')
  await writeFile(tokenListFile, JSON.stringify({ tokens: [{ ...listed, extensions }] }))
  const start = (more: { readonly tokenListFile?: string }) =>
    startApi({
      ...{ rpcUrls: [devnet.rpcUrl], keysFile, router: devnet.router, venues: devnet.venues },
      ...{ port: 0, pollMs: 50, maxStateAgeMs: 3_600_000, nodeTimeoutMs: 30_000 },
      ...{ maxRequestMs: 60_000, logLevel: 'silent', ...more },
    })
  apis = [await start({}), await start({ tokenListFile })]
  await Promise.all(apis.map(({ ready }) => ready))
})
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.stop()))
  await devnet?.stop()
  await rm(folder, { recursive: true })
})

async function get<T>(api: RunningApi, endpoint: string, params: Readonly<Record<string, string>>) {
  const path = `/swap/v1/999/${endpoint}`
  const url = `${api.url}${path}?${new URLSearchParams(params)}`
  const response = await fetch(url, { headers: { apikey } })
  const body: unknown = await response.json()
  expect(checkAnswer({ path, status: response.status, body })).toEqual([])
  return { status: response.status, body: body as T }
}

it('a token that the operator refuses is in no route, and in no market that is handed out', async () => {
  const [all, careful] = apis
  const order = { src: NATIVE, dst: usdc, amount: `${2_500n * 10n ** 18n}` }
  const routeOf = async (api: RunningApi) => {
    const { status, body } = await get<QuoteBody>(api, 'quote', { ...order, includeGraph: '1' })
    expect(status).toBe(200)
    return body.graph!.flatMap(({ from, to }) => [from.toLowerCase(), to.toLowerCase()])
  }
  expect(await routeOf(all)).toContain(usdt)
  expect(await routeOf(careful)).not.toContain(usdt)
  const { body } = await get<{ pools: { tokens: string[] }[] }>(careful, 'snapshot', {})
  expect(body.pools.flatMap(({ tokens }) => tokens)).not.toContain(usdt)
  // Counted with the others that are left out, for the metrics.
  expect(careful.market.discovery?.().setAside['TOKEN_UNSUPPORTED']).toBeGreaterThan(0)
  expect(all.market.discovery?.().setAside).not.toHaveProperty('TOKEN_UNSUPPORTED')
  const compared = await get<DexCompareBody>(careful, 'dex-compare', order)
  expect(compared.status).toBe(200)
})

it('is followed without it too, and asked for it says why', async () => {
  const [, careful] = apis
  await devnet.trade(20)
  await devnet.mine()
  const order = { src: NATIVE, dst: usdt, amount: `${10n ** 18n}` }
  const { status, body } = await get<ErrorBody>(careful, 'quote', order)
  expect([status, body.code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
  expect(body.message).toContain('its issuer may take it back')
})
