import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'
import type { DexCompareBody, ErrorBody, QuoteBody } from '../wire/responses.js'

/** One that trades everything, and one whose operator refuses USD₮0. */
let all: DevnetApi
let careful: DevnetApi
let folder: string
let usdc: Address
let usdt: Address

beforeAll(async () => {
  all = await startDevnetApi()
  const { devnet } = all
  ;[usdc, usdt] = ['USDC', 'USD₮0'].map(
    (symbol) => devnet.tokens.find((token) => token.symbol === symbol)!.address,
  ) as [Address, Address]
  folder = await mkdtemp(join(tmpdir(), 'braid-refused-'))
  const tokenListFile = join(folder, 'list.json')
  const listed = { chainId: 999, symbol: 'USD₮0', name: 'USD₮0', decimals: 6, address: usdt }
  const extensions = { unsupported: 'its issuer may take it back' }
  await writeFile(tokenListFile, JSON.stringify({ tokens: [{ ...listed, extensions }] }))
  careful = await startDevnetApi({ devnet, tokenListFile })
})
afterAll(async () => {
  await careful?.stop()
  await all?.stop()
  await rm(folder, { recursive: true })
})

it('a token that the operator refuses is in no route, and in no market that is handed out', async () => {
  const order = { src: NATIVE, dst: usdc, amount: `${2_500n * 10n ** 18n}` }
  const routeOf = async ({ get }: DevnetApi) => {
    const asked = { ...order, includeGraph: 'true' }
    const { status, body } = await get<QuoteBody>('/swap/v1/999/quote', asked)
    expect(status).toBe(200)
    return body.graph!.flatMap(({ from, to }) => [from.toLowerCase(), to.toLowerCase()])
  }
  expect(await routeOf(all)).toContain(usdt)
  expect(await routeOf(careful)).not.toContain(usdt)
  type Snapshot = { readonly pools: readonly { readonly tokens: readonly string[] }[] }
  const { body } = await careful.get<Snapshot>('/swap/v1/999/snapshot')
  expect(body.pools.flatMap(({ tokens }) => tokens)).not.toContain(usdt)
  // Counted with the others that are left out, for the metrics.
  expect(careful.market.discovery?.().setAside['TOKEN_UNSUPPORTED']).toBeGreaterThan(0)
  expect(all.market.discovery?.().setAside).not.toHaveProperty('TOKEN_UNSUPPORTED')
  expect((await careful.get<DexCompareBody>('/swap/v1/999/dex-compare', order)).status).toBe(200)
})

it('the market is followed without it too, and asked for it says why', async () => {
  const { devnet } = all
  await devnet.trade(20)
  await devnet.mine()
  await careful.catchUp()
  const order = { src: NATIVE, dst: usdt, amount: `${10n ** 18n}` }
  const { status, body } = await careful.get<ErrorBody>('/swap/v1/999/quote', order)
  expect([status, body.code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
  expect(body.message).toContain('its issuer may take it back')
})
