import { testTokenDeployedBytecode } from '@braid-swap/contracts/testing'
import { type Address, buildGraph, type Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { type Chain, startChain } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configDefaults } from '../config/config.js'
import { frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { createPriceBook, findPrices } from '../tokens/prices.js'
import { type TokensBody, tokensSchema } from '../wire/responses.js'

const TOKENS = 1_100
const POOLS = 2_000
const PAGE = 500
const MOST = 1_000
const E18 = 10n ** 18n

/** Tokens that nobody vouches for; those of the frozen market that nobody does are left out. */
const coins = Array.from(
  { length: TOKENS },
  (_, i): Address => toHex((0xc0n << 152n) + BigInt(i), 20),
)

/** Every coin with a pool or more, of another depth each: with WHYPE, with USDC, or with another coin. */
function poolOf(_: unknown, n: number): Pool {
  const coin = coins[n % TOKENS]!
  const other = [WHYPE, USDC, coins[(n * 7 + 1) % TOKENS]!, WHYPE][Math.floor(n / TOKENS)]!
  const depth = BigInt(1 + ((n * 7_919) % 997)) * 40n
  const reserve = other === USDC ? depth * 40n * 10n ** 6n : depth * E18
  return {
    ...{ family: 'uniswapV2', id: toHex((0xd0n << 152n) + BigInt(n), 20), venue: 'many' },
    ...{ tokens: [coin, other], reserves: [depth * E18, reserve], feePpm: 3000 },
  }
}

const graph = buildGraph({
  ...frozenSnapshot,
  tokens: [
    ...frozenSnapshot.tokens.slice(0, 5),
    ...coins.map((address) => ({ address, decimals: 18 })),
  ],
  pools: [...frozenSnapshot.pools.slice(0, -1), ...Array.from({ length: POOLS }, poolOf)],
})

let chain: Chain
let api: TestApi
beforeAll(async () => {
  chain = await startChain()
  const bytecode = testTokenDeployedBytecode
  await Promise.all(coins.map((address) => chain.client.setCode({ address, bytecode })))
  const { maxRequestMs } = configDefaults
  api = await startTestApi({ graph, rpcUrl: chain.rpcUrl, config: { maxRequestMs } })
  // Texts are read once in the life of an API; how fast is the node's affair.
  while ((await list(MOST)).status !== 200);
  pass(31_000)
})
afterAll(async () => {
  await api?.stop()
  await chain?.stop()
})

let nowMs = RECEIVED_AT_MS
/** Lets what was remembered grow old; the market stays as it is. */
function pass(ms: number): void {
  nowMs += ms
  api.setNow(nowMs)
  api.setState({ graph: buildGraph(graph.snapshot, graph), receivedAtMs: nowMs })
}

const list = (limit = PAGE) => api.get<TokensBody>(`/999/tokens?limit=${limit}&verified=false`)
const pricedOf = ({ tokens }: TokensBody) =>
  Object.values(tokens).filter((token) => 'buyPriceUsd' in token)

describe('a list of 500 tokens of 2,000 pools', () => {
  it('answers within the time of a request, and has every price when it is asked again', async () => {
    let before = 0
    for (;;) {
      const { status, body } = await list()
      expect(status).toBe(200)
      tokensSchema.parse(body)
      expect(Object.keys(body.tokens)).toHaveLength(PAGE)
      const priced = pricedOf(body)
      expect(priced.length).toBeGreaterThan(before)
      before = priced.length
      if (before === PAGE) break
    }
    const { body } = await list()
    const some = Object.values(body.tokens).filter((_, i) => i % 50 === 0)
    for (const token of some) {
      expect((await api.get(`/999/tokens/${token.address}`)).body).toEqual(token)
    }
    expect(pricedOf(body).some(({ buyPriceUsd }) => typeof buyPriceUsd === 'number')).toBe(true)
  })
})

describe('a list of 1,000 tokens', () => {
  it('has every token within the time of a request, with the prices that are known', async () => {
    const { status, body } = await list(MOST)
    expect(status).toBe(200)
    tokensSchema.parse(body)
    expect(Object.keys(body.tokens)).toHaveLength(MOST)
    expect(pricedOf(body).length).toBeGreaterThanOrEqual(PAGE)
  })
})

describe('a price that is remembered', () => {
  it('stands for half a minute, in a list alone', async () => {
    let at = 0
    const book = createPriceBook({ usdTokens: [USDC], trusted: new Set([WHYPE]), now: () => at })
    const exact = (of: typeof graph) =>
      book.exact(of, coins[0]!, async (asked) => findPrices(of, asked, {}))
    expect(book.recent(coins[0]!)).toBeUndefined()
    const price = await exact(graph)
    expect(await exact(graph)).toBe(price)
    const later = buildGraph(graph.snapshot, graph)
    at = 29_999
    expect(book.recent(coins[0]!)).toBe(price)
    expect(await exact(later)).not.toBe(price)
    at += 30_000
    expect(book.recent(coins[0]!)).toBeUndefined()
  })
})
