import { NATIVE } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { configDefaults } from '../../config/config.js'
import { checkAnswer } from '../../testing/checkAnswer.js'
import { ISLAND, UBTC, USDC, WHYPE } from '../../testing/frozenMarket.js'
import { TEST_ROUTER } from '../../testing/startTestApi.js'
import { useTestWorld } from '../../testing/useFrozenApi.js'
import type { ErrorBody, SwapBody } from '../../wire/responses.js'

const HYPE = 10n ** 18n
const TAKER = '0x00000000000000000000000000000000000000aa'
const router = getAddress(TEST_ROUTER)

const world = useTestWorld({ config: { compat: ['0x'] } })

type Body = Readonly<Record<string, unknown>> & {
  readonly route: { readonly fills: readonly { from: string; proportionBps: string }[] }
  readonly transaction: { readonly to: string; readonly data: string; readonly value: string }
}

/** Asks with 0x's headers; the answer must be as the OpenAPI document says. */
async function ask<B = Body>(
  name: 'price' | 'quote',
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const query999 = { chainId: '999', ...query }
  return askAt<B>(`/swap/allowance-holder/${name}?${new URLSearchParams(query999)}`, headers)
}

async function askAt<B>(path: string, headers: Readonly<Record<string, string>> = {}) {
  const given = { apikey: '', '0x-api-key': world.api.key, '0x-version': 'v2', ...headers }
  const { status, body } = await world.api.get<B>(path, given)
  expect(checkAnswer({ path, status, body }, ['0x'])).toEqual([])
  return { status, body }
}

const own = async (query: Readonly<Record<string, string>>) =>
  (await world.api.get<SwapBody>(`/swap/v1/999/swap?${new URLSearchParams(query)}`)).body

const sale = { sellToken: NATIVE, buyToken: USDC, sellAmount: `${10n * HYPE}` }
const sold = { sellToken: USDC, sellAmount: '50000000' }
const PARTNER = '0x00000000000000000000000000000000000000fe'
const charged = {
  ...{ ...sale, taker: TAKER, swapFeeBps: '10' },
  ...{ swapFeeRecipient: PARTNER, swapFeeToken: USDC },
}
const FIELDS = [
  ...['allowanceTarget', 'blockNumber', 'buyAmount', 'buyToken', 'fees', 'issues'],
  ...['liquidityAvailable', 'minBuyAmount', 'mode', 'route', 'sellAmount', 'sellToken'],
  ...['tokenMetadata', 'totalNetworkFee', 'zid'],
]

describe('0x: /swap/allowance-holder', () => {
  it('lets pages of others send the headers of its clients', async () => {
    const asked = { origin: 'https://a.test', 'access-control-request-method': 'GET' }
    const url = `${world.api.url}/swap/allowance-holder/price`
    const { headers } = await fetch(url, { method: 'OPTIONS', headers: asked })
    const allowed = headers.get('access-control-allow-headers')!.split(',')
    expect(allowed).toEqual(expect.arrayContaining(['0x-api-key', '0x-version', 'content-type']))
  })

  it('has the recorded fields of a price and of a quote', async () => {
    const price = await ask('price', sale)
    expect(Object.keys(price.body).sort()).toEqual([...FIELDS, 'gas', 'gasPrice'].sort())
    const quote = await ask('quote', { ...sale, taker: TAKER })
    expect(Object.keys(quote.body).sort()).toEqual([...FIELDS, 'transaction'].sort())
    expect(Object.keys(quote.body.transaction).sort()).toEqual([
      ...['data', 'gas', 'gasPrice', 'to', 'value'],
    ])
    expect(price.body).toMatchObject({
      ...{ liquidityAvailable: true, mode: 'exact-in', allowanceTarget: router },
      fees: { integratorFee: null, integratorFees: [], zeroExFee: null, gasFee: null },
      issues: { allowance: null, balance: null, simulationIncomplete: false },
      ...{ sellAmount: sale.sellAmount, sellToken: NATIVE, buyToken: USDC },
    })
  })

  it('answers as /swap does: the same calldata, output and floor', async () => {
    const { body } = await ask('quote', { ...sale, taker: TAKER, slippageBps: '50' })
    const ours = await own({
      ...{ src: NATIVE, dst: USDC, amount: sale.sellAmount, slippage: '0.5' },
      ...{ includeMeta: 'true', from: TAKER, skipChecks: 'true' },
    })
    const { to, data, value } = body.transaction
    expect({ to, data, value }).toEqual({
      ...{ to: ours.tx.to, data: ours.tx.data, value: sale.sellAmount },
    })
    expect(body['buyAmount']).toBe(ours.dstAmount)
    expect(body['minBuyAmount']).toBe(ours.meta!.minDstAmount)
    const byPpm = await ask('quote', { ...sale, taker: TAKER, slippagePpm: '5000' })
    const both = { ...sale, taker: TAKER, slippageBps: '50', slippagePpm: '5000' }
    const refused = await ask<ErrorBody>('quote', both)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('slippagePpm'),
    ])
    expect(byPpm.body.transaction.data).toBe(data)
  })

  it('shows fills whose parts of each token sum to 10,000', async () => {
    const { body } = await ask('price', { ...sale, buyToken: UBTC, sellAmount: `${2_000n * HYPE}` })
    const sums: Record<string, number> = {}
    for (const { from, proportionBps } of body.route.fills) {
      sums[from] = (sums[from] ?? 0) + Number(proportionBps)
    }
    expect(body.route.fills.length).toBeGreaterThan(2)
    expect(new Set(Object.values(sums))).toEqual(new Set([10_000]))
  })

  it('buys an exact amount, and the issues count what is sold for it', async () => {
    const order = { sellToken: WHYPE, buyToken: USDC, buyAmount: '100250000', slippageBps: '100' }
    const price = await ask('price', order)
    const quote = await ask('quote', { ...order, taker: TAKER })
    const { maxSellAmount } = quote.body as unknown as { maxSellAmount: string }
    const ours = await own({
      ...{ src: WHYPE, dst: USDC, dstAmountExact: order.buyAmount, slippage: '1' },
      from: TAKER,
      skipChecks: 'true',
    })
    expect(maxSellAmount).toBe(ours.maxSrcAmount)
    expect(quote.body.transaction.data).toBe(ours.tx.data)
    for (const { body } of [price, quote]) {
      expect(body).toMatchObject({ mode: 'exact-out', buyAmount: order.buyAmount, maxSellAmount })
      expect(body['routes']).toMatchObject({ refund: { fills: [], tokens: [] } })
    }
    expect(quote.body['issues']).toMatchObject({
      allowance: { actual: '0', spender: router },
      balance: { token: WHYPE, actual: '0', expected: maxSellAmount },
      simulationIncomplete: true,
    })
  })

  it.each([
    ['a token', sale, USDC],
    ['the wrapped token, for the native one', { ...sold, buyToken: NATIVE }, WHYPE],
  ])('takes a fee as /swap does, in %s', async (_, sides, swapFeeToken) => {
    const order = {
      ...sides,
      ...{ swapFeeBps: '30', swapFeeRecipient: PARTNER, swapFeeToken: getAddress(swapFeeToken) },
    }
    const price = await ask('price', order)
    const quote = await ask('quote', { ...order, taker: TAKER, slippageBps: '50' })
    const ours = await own({
      ...{ src: order.sellToken, dst: order.buyToken, amount: order.sellAmount, slippage: '0.5' },
      ...{ from: TAKER, skipChecks: 'true', includeMeta: 'true' },
      ...{ feeBps: '30', feeRecipient: PARTNER },
    })
    expect(quote.body.transaction.data).toBe(ours.tx.data)
    expect(quote.body['buyAmount']).toBe(ours.dstAmount)
    const { amount } = ours.meta!.fee!
    expect(BigInt(amount)).toBeGreaterThan(0n)
    const fee = { amount, token: swapFeeToken, type: 'volume' }
    for (const { body } of [price, quote]) {
      expect(body['fees']).toMatchObject({ integratorFee: fee, integratorFees: [fee] })
    }
  })

  it('reports a missing allowance and balance as issues, not as errors', async () => {
    const taker = world.chain.accounts[7]!.address
    const order = { sellToken: USDC, buyToken: NATIVE, sellAmount: '5000000', taker }
    const issues = async () => (await ask('quote', order)).body['issues']
    const allowance = { actual: '0', spender: router }
    const balance = { token: USDC, actual: '0', expected: '5000000' }
    expect(await issues()).toMatchObject({ allowance, balance, simulationIncomplete: true })
    await world.chain.fund(taker, USDC, 5_000_000n)
    expect(await issues()).toMatchObject({ allowance, balance: null, simulationIncomplete: true })
    const args = [TEST_ROUTER, 5_000_000n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await world.chain.execute([{ label: 'approve', from: taker, to: USDC, data, gas: 100_000n }])
    expect(await issues()).toMatchObject({
      ...{ allowance: null, balance: null, simulationIncomplete: false },
    })
  })

  it('answers 200 without liquidity where the market cannot fill the order', async () => {
    for (const query of [
      { ...sale, buyToken: ISLAND },
      { ...sale, sellAmount: '1' },
    ]) {
      const { status, body } = await ask('quote', { ...query, taker: TAKER })
      expect([status, body]).toEqual([200, { liquidityAvailable: false, zid: expect.any(String) }])
    }
  })

  it('excludes sources, and reports those that are none', async () => {
    const order = { ...sale, excludedSources: 'test-v3,Uniswap_V3' }
    const { body } = await ask('price', order)
    expect(body['issues']).toMatchObject({ invalidSourcesPassed: ['Uniswap_V3'] })
    // A venue of the configuration is one, though it has no pool in this market.
    const { id } = configDefaults.venues[0]!
    const { body: more } = await ask('price', { ...sale, excludedSources: id })
    expect(more['issues']).toMatchObject({ invalidSourcesPassed: [] })
    const sources = (body.route.fills as unknown as { source: string }[]).map((f) => f.source)
    expect(sources).not.toContain('test-v3')
  })

  it.each([
    [{ sellToken: WHYPE }, 'MISSING_PARAMETER', ['buyToken', 'taker', 'sellAmount']],
    [{ ...sale, sellAmount: '0', taker: TAKER }, 'AMOUNT_ZERO', ['sellAmount']],
    [{ ...sale, buyAmount: '1', taker: TAKER }, 'AMOUNT_AMBIGUOUS', ['sellAmount']],
    [{ ...charged, swapFeeBps: '101' }, 'AMOUNT_OUT_OF_RANGE', ['swapFeeBps']],
    [{ ...charged, swapFeeBps: '10,10' }, 'INVALID_AMOUNT', ['swapFeeBps']],
    [{ ...charged, swapFeeToken: NATIVE }, 'INVALID_ENUM', ['swapFeeToken']],
    [
      { ...charged, buyToken: NATIVE, sellToken: USDC, swapFeeToken: NATIVE },
      'INVALID_ENUM',
      ['swapFeeToken'],
    ],
    [{ ...sale, taker: TAKER, swapFeeBps: '10' }, 'MISSING_PARAMETER', ['swapFeeToken']],
    [
      { ...sale, taker: TAKER, swapFeeBps: '10', swapFeeToken: USDC },
      'MISSING_PARAMETER',
      ['swapFeeRecipient'],
    ],
    [
      { ...sale, taker: TAKER, tradeSurplusRecipient: TAKER },
      ...(['AMOUNT_OUT_OF_RANGE', ['tradeSurplusRecipient']] as const),
    ],
    [
      { ...sale, taker: TAKER, sellEntireBalance: 'true' },
      ...(['AMOUNT_OUT_OF_RANGE', ['sellEntireBalance']] as const),
    ],
    [{ ...sale, taker: TAKER, buyToken: TEST_ROUTER }, 'TOKEN_NOT_FOUND', ['buyToken']],
    [{ ...sale, buyToken: NATIVE, taker: TAKER }, 'SAME_TOKEN', ['buyToken']],
  ])('%j is INPUT_INVALID with the caller’s names', async (query, code, fields) => {
    type Refusal = ErrorBody & { name: string; data: { details: { field: string }[] } }
    const { status, body } = await ask<Refusal>('quote', query as Record<string, string>)
    expect([status, body.code, body.name]).toEqual([400, code, 'INPUT_INVALID'])
    expect(body.data.details.map(({ field }) => field)).toEqual(fields)
  })

  it('refuses another version and a wrong key', async () => {
    const version = await ask<ErrorBody>('price', sale, { '0x-version': 'v1' })
    expect([version.status, version.body.code]).toEqual([400, 'INVALID_ENUM'])
    const stranger = await ask<ErrorBody>('price', sale, { '0x-api-key': 'nobody' })
    expect([stranger.status, stranger.body.code]).toEqual([401, 'API_KEY_INVALID'])
  })
})

describe('0x: what it lists', () => {
  type Sources = { readonly sources: readonly string[]; readonly zid: string }

  it('has the recorded fields of the sources: those that a price takes as excluded', async () => {
    const { status, body } = await askAt<Sources>('/sources?chainId=999')
    expect([status, Object.keys(body).sort()]).toEqual([200, ['sources', 'zid']])
    expect(body.sources).toContain('test-v3')
    const order = { ...sale, excludedSources: body.sources.join(',') }
    const excluded = await ask('price', order)
    expect(excluded.body).toMatchObject({ liquidityAvailable: false })
    const kept = body.sources.filter((source) => source !== 'test-v3').join(',')
    const { body: price } = await ask('price', { ...order, excludedSources: kept })
    expect(price['issues']).toMatchObject({ invalidSourcesPassed: [] })
  })

  it.each([
    ['/sources', 400, 'MISSING_PARAMETER'],
    ['/sources?chainId=1', 404, 'CHAIN_NOT_SUPPORTED'],
    ['/sources?chainId=x', 400, 'INVALID_CHAIN_ID'],
  ])('%s is %i %s', async (path, status, code) => {
    const answer = await askAt<ErrorBody>(path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('refuse another version and key', async () => {
    const path = '/sources?chainId=999'
    const version = await askAt<ErrorBody>(path, { '0x-version': 'v1' })
    expect([version.status, version.body.code]).toEqual([400, 'INVALID_ENUM'])
    const stranger = await askAt<ErrorBody>(path, { '0x-api-key': 'nobody' })
    expect([stranger.status, stranger.body.code]).toEqual([401, 'API_KEY_INVALID'])
  })
})

it.each(['price', 'quote'])('0x: /swap/permit2/%s is refused with what to ask', async (name) => {
  type Refusal = ErrorBody & { readonly name: string }
  const { status, body } = await askAt<Refusal>(`/swap/permit2/${name}?chainId=999`)
  expect([status, body.code, body.name]).toEqual([404, 'NOT_FOUND', 'NOT_FOUND'])
  expect(body.message).toContain(`/swap/allowance-holder/${name}`)
})

describe('0x: as its SDK asks, through tRPC', () => {
  const order = { chainId: 999, ...sale }
  type Enveloped = { readonly result: { readonly data: object } }
  type Fault = { readonly code: string; readonly error: { readonly data: object } }

  const procedure = (name: string, input: string) =>
    `/trpc/swap/${name}?input=${encodeURIComponent(input)}`

  /** Without the id, which every request has of its own. */
  const withoutId = ({ zid: _, ...rest }: Record<string, unknown>) => rest

  it.each([
    ['swap.allowanceHolder.getPrice', '/swap/allowance-holder/price', order],
    ['swap.allowanceHolder.getQuote', '/swap/allowance-holder/quote', { ...order, taker: TAKER }],
    ['sources.getSources', '/sources', { chainId: 999 }],
  ] as const)('%s has the body of %s in its envelope', async (name, path, query) => {
    const texts = Object.entries(query).map(([key, value]) => [key, `${value}`])
    const plain = await askAt<object>(`${path}?${new URLSearchParams(Object.fromEntries(texts))}`)
    const { status, body } = await askAt<Enveloped>(procedure(name, JSON.stringify(query)))
    expect(status).toBe(200)
    expect(withoutId({ ...body.result.data })).toEqual(withoutId({ ...plain.body }))
  })

  it.each([
    ['no JSON', '{', 'INVALID_BODY'],
    ['no object', '[]', 'INVALID_BODY'],
    ['null', 'null', 'INVALID_BODY'],
    ['a nested value', JSON.stringify({ ...order, sellToken: { a: 1 } }), 'INVALID_BODY'],
    // 2^53 + 1 is read as 2^53: another amount.
    ['a rounded number', '{"sellAmount":9007199254740993}', 'INVALID_BODY'],
    ['a missing parameter', JSON.stringify({ chainId: 999 }), 'MISSING_PARAMETER'],
    ['another chain', JSON.stringify({ ...order, chainId: 1 }), 'CHAIN_NOT_SUPPORTED'],
  ])('refuses %s in the form of tRPC', async (_, input, code) => {
    const name = 'swap.allowanceHolder.getPrice'
    const { status, body } = await askAt<Fault>(procedure(name, input))
    expect(body.code).toBe(code)
    const [tag, number] = status === 404 ? ['NOT_FOUND', -32_004] : ['BAD_REQUEST', -32_600]
    const data = { code: tag, httpStatus: status, path: name }
    expect(body.error).toEqual({ message: expect.any(String), code: number, data })
  })

  it('refuses a wrong key in the form of tRPC', async () => {
    const path = procedure('sources.getSources', '{"chainId":999}')
    const { status, body } = await askAt<Fault>(path, { '0x-api-key': 'nobody' })
    expect([status, body.code]).toEqual([401, 'API_KEY_INVALID'])
    expect(body.error.data).toMatchObject({ code: 'UNAUTHORIZED', httpStatus: 401 })
  })
})
