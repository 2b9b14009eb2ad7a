import { buildGraph, type Pool } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { configDefaults } from '../config/config.js'
import {
  frozenGraph,
  frozenSnapshot,
  ISLAND,
  REEF,
  UBTC,
  USDC,
  WHYPE,
} from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi } from '../testing/startTestApi.js'
import { NO_NODE, useFrozenApi } from '../testing/useFrozenApi.js'
import type { DexCompareBody, ErrorBody, QuoteBody, SwapBody } from '../wire/responses.js'
import { guardWarnings } from './warnings.js'

const HYPE = 10n ** 18n
const pair = { src: WHYPE, dst: USDC, amount: `${100n * HYPE}` }

const api = useFrozenApi()

type Params = Readonly<Record<string, string>>
const quote = (more: Params) =>
  api.ask<QuoteBody & ErrorBody>('quote', { ...pair, includeGraph: 'true', ...more })
const venuesOf = ({ graph = [] }: QuoteBody) =>
  [...new Set(graph.map((hop) => hop.exchange))].sort()

describe('includeProtocols and excludeProtocols', () => {
  it('keep a route to the venues asked for, on /swap too', async () => {
    expect(venuesOf((await quote({})).body)).toEqual(['test-v2', 'test-v3'])
    expect(venuesOf((await quote({ includeProtocols: 'test-v3' })).body)).toEqual(['test-v3'])
    const { body } = await quote({ excludeProtocols: 'test-v3' })
    expect(venuesOf(body)).toEqual(['test-v2'])
    const swap = await api.ask<QuoteBody>('swap', {
      ...{ ...pair, slippage: '1', excludeProtocols: 'test-v3' },
    })
    expect(swap.body.dstAmount).toBe(body.dstAmount)
  })

  it('must be ids from liquidity-sources', async () => {
    const { body } = await api.ask('liquidity-sources', {})
    expect(body).toEqual({
      protocols: [
        { id: 'test-v2', poolTypes: ['uniswapV2'], pools: 6 },
        { id: 'test-v3', poolTypes: ['uniswapV3'], pools: 1 },
      ],
    })
    const { status, body: refusal } = await quote({ excludeProtocols: 'test-v2,sushi' })
    expect([status, refusal.code]).toEqual([400, 'INVALID_ENUM'])
    expect(refusal.issues).toMatchObject([{ path: 'excludeProtocols', received: 'sushi' }])
    expect((await quote({ includeProtocols: '' })).body.code).toBe('INVALID_ENUM')
  })

  it('may name a venue of the configuration that has no pools in this market', async () => {
    const { id } = configDefaults.venues[0]!
    expect((await quote({ excludeProtocols: id })).status).toBe(200)
    const { body } = await quote({ includeProtocols: `test-v3,${id}`, includeMeta: 'true' })
    expect(venuesOf(body)).toEqual(['test-v3'])
    expect(body.meta?.warnings[0]?.code).toBe('VENUES_WITHOUT_POOLS')
    const alone = await quote({ includeProtocols: id })
    expect([alone.status, alone.body.code]).toEqual([422, 'NO_ROUTE'])
  })

  it('that leave no route are NO_ROUTE', async () => {
    const { status, body } = await quote({ excludeProtocols: 'test-v2,test-v3' })
    expect([status, body.code]).toEqual([422, 'NO_ROUTE'])
  })
})

describe('maxHops', () => {
  it('bounds every path', async () => {
    const toBtc = { dst: UBTC, amount: `${1_000n * HYPE}` }
    const sources = ({ graph = [] }: QuoteBody) => new Set(graph.map(({ from }) => from)).size
    expect(sources((await quote(toBtc)).body)).toBe(2)
    expect(sources((await quote({ ...toBtc, maxHops: '1' })).body)).toBe(1)
  })

  it.each(['0', '11', 'many'])('%s is refused', async (maxHops) => {
    expect((await quote({ maxHops })).status).toBe(400)
  })
})

describe('maxPriceImpact', () => {
  it('refuses what exceeds it, on /swap too, and passes what does not', async () => {
    const impactful = { amount: `${20_000n * HYPE}` }
    const { body } = await quote({ ...impactful, includeMeta: 'true' })
    const impact = Number(body.meta?.['priceImpactBps']) / 100
    expect(impact).toBeGreaterThan(1)
    expect((await quote({ ...impactful, maxPriceImpact: `${impact + 0.01}` })).status).toBe(200)
    const over = await quote({ ...impactful, maxPriceImpact: `${impact - 0.01}` })
    expect([over.status, over.body.code]).toEqual([422, 'PRICE_IMPACT_TOO_HIGH'])
    expect(over.body.details).toMatchObject({ priceImpactBps: `${body.meta?.['priceImpactBps']}` })
    const swap = await api.ask<ErrorBody>('swap', {
      ...{ ...pair, ...impactful, slippage: '1', maxPriceImpact: '0.5' },
    })
    expect(swap.body.code).toBe('PRICE_IMPACT_TOO_HIGH')
  })

  it('forces the exact walk, which computes the price impact', async () => {
    const { headers } = await quote({ exactQuote: 'no', includeGraph: '0', maxPriceImpact: '50' })
    expect(headers.get('x-quote-mode')).toBe('exact')
  })
})

describe('meta', () => {
  it('contains the output without price impact, and the gas cost in the token out', async () => {
    const { body } = await quote({ includeMeta: 'true' })
    const spot = Number(body.meta?.['spotDstAmount'])
    const impact = Number(body.meta?.['priceImpactBps']) / 10_000
    // Floats of wei, and the impact is rounded to hundredths of a basis point.
    expect(Number(body.dstAmount) / spot).toBeCloseTo(1 - impact, 5)
    expect(BigInt(String(body.meta?.['gasCostInDst']))).toBeGreaterThan(0n)
    expect(BigInt(String(body.meta?.['gasPrice']))).toBe(frozenSnapshot.block.gasPrice)
    const gross = await quote({ includeMeta: 'true', objective: 'gross' })
    expect(gross.body.meta).not.toHaveProperty('gasCostInDst')
  })

  it('counts no fee as price impact', async () => {
    // Pools of 20,000 HYPE and more with a fee of 0.3 %.
    const alone = { includeProtocols: 'test-v2', maxHops: '1', objective: 'gross' }
    const small = await quote({ ...alone, amount: `${HYPE / 10n}`, includeMeta: 'true' })
    expect(small.body.meta?.priceImpactBps).toBeLessThan(0.1)
    expect(small.body.meta?.warnings).toEqual([])
  })

  it('warns of a price impact above 1 %, with what was measured', async () => {
    const alone = { includeProtocols: 'test-v2', maxHops: '1', includeMeta: 'true' }
    for (const endpoint of ['quote', 'swap', 'dex-compare'] as const) {
      const params = { ...pair, ...alone, slippage: '1', amount: `${5_000n * HYPE}` }
      const { body } = await api.ask<QuoteBody>(endpoint, params)
      const bps = body.meta!.priceImpactBps!
      expect(bps).toBeGreaterThan(100)
      const [warning] = body.meta!.warnings
      expect(warning?.code).toBe('PRICE_IMPACT_HIGH')
      expect(warning?.message).toContain(`${(bps / 100).toFixed(2)} %`)
    }
  })

  it('warns if the price impact is unknown, which does not mean none', async () => {
    const { body } = await quote({ includeGraph: '0', includeMeta: 'true', exactQuote: 'no' })
    expect(body.meta).toMatchObject({ mode: 'sum', priceImpactBps: null })
    expect(body.meta?.warnings).toMatchObject([{ code: 'PRICE_IMPACT_UNKNOWN' }])
  })

  it('warns while sampled pools are left out by the price guard', () => {
    const progress = { isDone: true, venues: 1, venuesDone: 1, poolsFound: 9 }
    const of = (setAside: Readonly<Record<string, number>>) =>
      guardWarnings({ discovery: () => ({ ...progress, setAside }) })
    expect(of({ POOL_OFF_MARKET: 2, POOL_EMPTY: 1 })).toMatchObject([{ code: 'POOLS_OFF_MARKET' }])
    expect(of({ POOL_OFF_MARKET: 2, POOL_RATE_STEPPED: 1 })[0]!.message).toMatch(/^3 pools/)
    expect(of({ POOL_EMPTY: 1 })).toEqual([])
    expect(guardWarnings({})).toEqual([])
  })

  it('warns while no order book answers, so that no sampled pool is compared', () => {
    const progress = { isDone: true, venues: 1, venuesDone: 1, poolsFound: 9, setAside: {} }
    const of = (pricesCompared?: boolean) =>
      guardWarnings({
        discovery: () => ({ ...progress, ...(pricesCompared !== undefined && { pricesCompared }) }),
      }).map(({ code }) => code)
    expect(of(false)).toEqual(['PRICES_NOT_COMPARED'])
    expect(of(true)).toEqual([])
    expect(of()).toEqual([])
  })

  it('names the last block that the state stands for, by the age at which it is refused', async () => {
    const { body } = await quote({ includeMeta: 'true' })
    expect(body.meta).toMatchObject({ blockNumber: '123', validUntilBlock: '128' })
    const swap = await api.ask<SwapBody>('swap', { ...pair, slippage: '1', includeMeta: 'true' })
    expect(swap.body.meta?.validUntilBlock).toBe('128')
    const compare = await api.ask<DexCompareBody>('dex-compare', { ...pair, includeMeta: 'true' })
    expect(compare.body.meta?.validUntilBlock).toBe('128')
  })

  it('names the next block where a pool was asked what it pays', async () => {
    const ladder: Pool = {
      ...{ family: 'ladder', id: `0x${'1a'.repeat(20)}`, venue: 'test-ladder' },
      ...{ tokens: [WHYPE, USDC], protocol: 'estimateSwap', sampledAt: 9n, quotedAt: 10n },
      ladders: [[[1_000n * HYPE, 41_000_000_000n]], []],
    }
    const block = { ...frozenSnapshot.block, number: 200n }
    const pools = [...frozenSnapshot.pools, ladder]
    const graph = buildGraph({ ...frozenSnapshot, block, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const { body } = await quote({ includeMeta: 'true', includeProtocols: 'test-ladder' })
    expect(body.graph).toMatchObject([{ sampled: true }])
    expect(body.meta).toMatchObject({ blockNumber: '200', validUntilBlock: '201' })
  })
})

describe('block', () => {
  it('quotes from a state of a recent quote after the market moved on, with the same id', async () => {
    const before = await quote({})
    const pools = frozenSnapshot.pools.filter((pool) => pool.family !== 'uniswapV3')
    const block = { ...frozenSnapshot.block, number: 124n }
    const graph = buildGraph({ ...frozenSnapshot, block, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const after = await quote({})
    expect(after.body.dstAmount).not.toBe(before.body.dstAmount)
    const pinned = await quote({ block: '123' })
    expect(pinned.body).toEqual(before.body)
    for (const name of ['x-quote-id', 'x-block-number', 'x-block-hash']) {
      expect(pinned.headers.get(name)).toBe(before.headers.get(name))
    }
    expect((await quote({ block: '124' })).body).toEqual(after.body)
  })

  it('that nobody quoted from is STATE_NOT_RETAINED, and says which are', async () => {
    await quote({})
    const { status, body } = await quote({ block: '7' })
    expect([status, body.code, body.retryable]).toEqual([422, 'STATE_NOT_RETAINED', false])
    expect(body.details['newest']).toMatch(/^12[34]$/)
  })
})

describe('a token that the operator’s list says not to trade', () => {
  it('is TOKEN_UNSUPPORTED, with the reason', async () => {
    const tokenList = new Map([[REEF, { unsupported: 'takes a fee on every transfer' }]])
    const careful = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: NO_NODE, config: { tokenList } },
    })
    const params = new URLSearchParams({ src: ISLAND, dst: REEF, amount: '1000' })
    const { status, body } = await careful.get<ErrorBody>(`/swap/v1/999/quote?${params}`)
    await careful.stop()
    expect([status, body.code]).toEqual([422, 'TOKEN_UNSUPPORTED'])
    expect(body.message).toContain('takes a fee on every transfer')
  })
})
