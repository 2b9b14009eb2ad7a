import { readFileSync } from 'node:fs'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { decodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.js'
import { endpoints } from '../docs/endpoints.js'
import { openApi } from '../docs/openapi.js'
import { AkkaRefusal, createAkkaClient } from '../testing/akkaClient.js'
import { frozenGraph, ISLAND, PURR, UBTC, USDC } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, TEST_ROUTER } from '../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import type { DexCompareBody, QuoteBody, SwapBody, TokenBody } from '../wire/responses.js'
import { compatAdditions } from './index.js'
import { compatNames } from './names.js'

const HYPE = 10n ** 18n
const chainId = 999
const environment = {
  BRAID_RPC_URLS: 'http://127.0.0.1:8545',
  BRAID_KEYS_FILE: 'keys.json',
  BRAID_ROUTER: TEST_ROUTER,
}

let world: TestWorld
let tools: ReturnType<typeof createAkkaClient>
let wallet: Address
beforeAll(async () => {
  const { compat } = readConfig({ ...environment, BRAID_COMPAT: 'akka' })
  world = await startTestWorld({ config: { compat } })
  tools = createAkkaClient(world.api)
  wallet = world.chain.accounts[6]!.address
  await world.chain.fund(world.chain.accounts[6]!.address, USDC, 5_000_000n)
})
afterAll(() => world?.stop())

const order = { src: NATIVE, dst: USDC, amount: `${10n * HYPE}` }
const ask = async <T>(path: string, params: Readonly<Record<string, string>> = {}) =>
  (await world.api.get<T>(`${path}?${new URLSearchParams(params)}`)).body
const refusalOf = async (asked: Promise<unknown>) => {
  const error = await asked.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AkkaRefusal)
  return error as AkkaRefusal
}

describe('the nine tools of AKKA’s client', () => {
  it('akka_get_quote reads amounts, both tokens and gas', async () => {
    const quote = await tools.akka_get_quote({ chainId, ...order })
    const ours = await ask<QuoteBody>('/swap/v1/999/quote', { ...order, includeGas: 'true' })
    expect(quote).toMatchObject({ dstAmount: ours.dstAmount, gas: ours.gas, paid: '10' })
    expect(quote.srcToken).toMatchObject({ address: NATIVE, symbol: 'HYPE', decimals: 18 })
    expect(quote.dstToken).toMatchObject({ address: getAddress(USDC), symbol: 'USDC', decimals: 6 })
    expect(Number(quote.received)).toBeCloseTo(Number(ours.dstAmount) / 1e6)
  })

  it('akka_get_quote without its flags reads the amount alone', async () => {
    const flags = { includeTokensInfo: false, includeGas: false }
    const quote = await tools.akka_get_quote({ chainId, ...order, ...flags })
    expect(Object.keys(quote)).toEqual(['dstAmount'])
  })

  it('akka_get_swap reads a transaction ready to sign', async () => {
    const swap = await tools.akka_get_swap({ chainId, ...order, from: wallet })
    const ours = await ask<SwapBody>('/swap/v1/999/swap', {
      ...{ ...order, from: wallet, slippage: '1', includeGas: 'true' },
    })
    expect(swap.tx).toEqual(ours.tx)
    expect(swap.tx).toMatchObject({ from: getAddress(wallet), to: getAddress(TEST_ROUTER) })
    expect(swap.tx.value).toBe(order.amount)
    expect([swap.dstAmount, swap.encodedTx, swap.gas]).toEqual([
      ...[ours.dstAmount, ours.encodedTx, ours.gas],
    ])
    expect([swap.srcToken?.symbol, swap.dstToken?.symbol]).toEqual(['HYPE', 'USDC'])
  })

  it('akka_get_swap reports a missing allowance or balance', async () => {
    const sale = { chainId, src: USDC, dst: NATIVE, from: wallet }
    const unapproved = await refusalOf(tools.akka_get_swap({ ...sale, amount: '5000000' }))
    expect([unapproved.status, unapproved.message]).toEqual([400, expect.stringMatching(/spend/)])
    const short = await refusalOf(tools.akka_get_swap({ ...sale, amount: '5000001' }))
    expect([short.status, short.message]).toEqual([
      400,
      expect.stringMatching(/holds 5 USDC; 5.000001 USDC is needed/),
    ])
  })

  it('akka_dex_compare reads akkaQuote, which is serviceQuote, beside single pools', async () => {
    const { advantageBps, ...body } = await tools.akka_dex_compare({ chainId, ...order })
    expect(body.akkaQuote).toBe(body.serviceQuote)
    expect(body.pools).toHaveLength(3)
    expect(body.decimalsOut).toBe(6)
    expect(advantageBps).toBeGreaterThanOrEqual(0)
    const indirect = await tools.akka_dex_compare({ chainId, ...order, src: PURR, dst: UBTC })
    expect([indirect.pools, indirect.advantageBps]).toEqual([[], undefined])
  })

  it('akka_get_spender reads the router', async () => {
    expect(await tools.akka_get_spender({ chainId })).toEqual({ address: getAddress(TEST_ROUTER) })
  })

  it('akka_get_approve_tx reads an approval, unlimited unless an amount is named', async () => {
    for (const amount of [undefined, '1000000', '0']) {
      const approval = await tools.akka_get_approve_tx({ chainId, tokenAddress: USDC, amount })
      const { functionName, args } = decodeFunctionData({
        abi: erc20Abi,
        data: approval.data as Hex,
      })
      expect([functionName, ...args]).toEqual([
        ...['approve', getAddress(TEST_ROUTER), BigInt(amount ?? maxUint256)],
      ])
      expect(approval.to).toBe(getAddress(USDC))
    }
  })

  it('akka_check_allowance reads whether an approval is needed', async () => {
    const question = { chainId, tokenAddress: UBTC, walletAddress: wallet }
    expect(await tools.akka_check_allowance(question)).toEqual({
      ...{ allowance: '0', isApproved: false },
    })
    const approval = await tools.akka_get_approve_tx({ chainId, tokenAddress: UBTC, amount: '7' })
    await world.chain.execute([
      {
        ...{ label: 'approve', from: wallet, gas: 100_000n },
        ...{ to: approval.to as Hex, data: approval.data as Hex },
      },
    ])
    expect(await tools.akka_check_allowance(question)).toEqual({
      ...{ allowance: '7', isApproved: true },
    })
  })

  it('akka_list_tokens reads pages of up to 1,000, all or the verified', async () => {
    const { tokens } = await tools.akka_list_tokens({ chainId, limit: 1_000 })
    expect(Object.keys(tokens)).toHaveLength(frozenGraph.snapshot.tokens.length)
    for (const [key, token] of Object.entries(tokens)) {
      expect(key).toBe(token.address)
      expect(token).toEqual(await tools.akka_get_token({ chainId, address: key }))
    }
    const verified = await tools.akka_list_tokens({ chainId, verified: true })
    expect(Object.values(verified.tokens).every((token) => token.verified)).toBe(true)
    expect(Object.keys(verified.tokens)).not.toContain(getAddress(ISLAND))
    const last = await tools.akka_list_tokens({ chainId, page: 1 })
    expect(last.tokens).toEqual({})
  })

  it('akka_get_token reads texts, prices and whether it is verified', async () => {
    const token = await tools.akka_get_token({ chainId, address: getAddress(UBTC) })
    expect(token).toEqual(await ask<TokenBody>(`/999/tokens/${UBTC}`))
    expect(token).toMatchObject({ symbol: 'UBTC', name: 'Unit Bitcoin', decimals: 8 })
    expect(token).toMatchObject({ verified: true, buyPriceUsd: expect.any(Number) })
    const unpriced = await tools.akka_get_token({ chainId, address: ISLAND })
    expect(unpriced).toMatchObject({ verified: false, buyPriceUsd: null, sellPriceUsd: null })
    const absent = await refusalOf(tools.akka_get_token({ chainId, address: TEST_ROUTER }))
    expect(absent.status).toBe(404)
  })

  it('akka_list_chains has chain 999, and every other one is refused by its number', async () => {
    const chains = tools.akka_list_chains()
    expect(chains[0]).toEqual({ chainId, nativeSymbol: 'HYPE' })
    for (const { chainId: other } of chains.slice(1)) {
      const { status, message } = await refusalOf(tools.akka_get_spender({ chainId: other }))
      expect([status, message]).toEqual([404, expect.stringContaining(`${other}`)])
    }
  })
})

describe('AKKA’s client where the answer is no', () => {
  it('shows our message, with the status', async () => {
    const island = await refusalOf(tools.akka_get_quote({ chainId, ...order, dst: ISLAND }))
    expect(island.status).toBe(422)
    const compared = await refusalOf(tools.akka_dex_compare({ chainId, ...order, dst: ISLAND }))
    expect(compared.status).toBe(422)
    const stranger = createAkkaClient({ url: world.api.url, key: 'nobody' })
    expect((await refusalOf(stranger.akka_get_spender({ chainId }))).status).toBe(401)
  })
})

describe('/health', () => {
  it('says healthy where the API would quote', async () => {
    expect(await tools.health()).toEqual({ healthy: true })
  })

  it('is 503 with the reason of /readyz where it would not', async () => {
    world.api.setState(null)
    const { status, message } = await refusalOf(tools.health())
    const ready = await world.api.get<{ readonly message?: string }>('/readyz')
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect(status).toBe(503)
    expect(message).toBe(ready.body.message)
  })
})

describe('BRAID_COMPAT', () => {
  it('changes nothing where it is absent, to the byte', async () => {
    const plain = await startTestWorld()
    const path = `/swap/v1/999/dex-compare?${new URLSearchParams(order)}`
    const textOf = async ({ api }: TestWorld) =>
      (await fetch(`${api.url}${path}`, { headers: { apikey: api.key } })).text()
    const [with_, without] = [await textOf(world), await textOf(plain)]
    await plain.stop()
    const { akkaQuote, ...rest } = JSON.parse(with_) as DexCompareBody & { akkaQuote: string }
    expect(without).toBe(JSON.stringify(rest))
    expect(akkaQuote).toBe(rest.serviceQuote)
    expect(with_.startsWith(without.slice(0, -1))).toBe(true)
  })

  it('is off where it is absent, and a shape named twice is there once', () => {
    expect(readConfig(environment).compat).toEqual([])
    expect(readConfig({ ...environment, BRAID_COMPAT: '' }).compat).toEqual([])
    expect(readConfig({ ...environment, BRAID_COMPAT: 'akka, akka' }).compat).toEqual(['akka'])
  })

  it.each(['AKKA', 'akka,odos', '__proto__', 'toString', 'akka,', ' '])(
    'refuses %j and names the shapes that there are',
    (BRAID_COMPAT) => {
      expect(() => readConfig({ ...environment, BRAID_COMPAT })).toThrow(/BRAID_COMPAT.*akka/)
    },
  )

  it('extends existing endpoints, and docs/api.md describes each shape', () => {
    const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8')
    const paths = endpoints.map(({ path }) => path)
    for (const name of compatNames) {
      expect(text).toMatch(new RegExp(`^\\| \`${name}\``, 'm'))
      for (const { path } of compatAdditions([name])) expect(paths).toContain(path)
    }
  })

  it('appears in the OpenAPI document', async () => {
    const { body } = await world.api.get('/openapi.json')
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi(chainId, { compat: ['akka'] }))))
    const path = '/swap/v1/{chainId}/dex-compare'
    const schemaOf = (document: ReturnType<typeof openApi>) =>
      document.paths[path]?.get.responses['200']
    const [plain, added] = [
      schemaOf(openApi(chainId)),
      schemaOf(openApi(chainId, { compat: ['akka'] })),
    ]
    expect(added).toMatchObject({
      content: {
        'application/json': {
          schema: { required: ['serviceQuote', 'decimalsOut', 'pools', 'akkaQuote'] },
        },
      },
    })
    expect(JSON.stringify(plain).includes('akkaQuote')).toBe(false)
  })
})
