// Lists of pools to exclude and of tokens that a route may pass.
import { type Address, buildGraph, NATIVE, type Pool } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { describe, expect, it } from 'vitest'
import {
  frozenGraph,
  frozenSnapshot,
  ISLAND,
  PURR,
  UBTC,
  USDC,
  WHYPE,
} from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, TEST_ROUTER } from '../testing/startTestApi.js'
import { NO_NODE, useFrozenApi } from '../testing/useFrozenApi.js'
import type { ErrorBody, QuoteBody } from '../wire/responses.js'

const HYPE = 10n ** 18n
const pair = { src: WHYPE, dst: USDC, amount: `${100n * HYPE}` }

const api = useFrozenApi()

type Params = Readonly<Record<string, string>>
const quote = (more: Params) =>
  api.ask<QuoteBody & ErrorBody>('quote', { ...pair, includeGraph: 'true', ...more })

describe('excludePools and onlyIntermediates', () => {
  const toBtc = { dst: UBTC, amount: `${1_000n * HYPE}` }
  const passed = ({ graph = [] }: QuoteBody) =>
    [...new Set(graph.map(({ from }) => from.toLowerCase()))].filter((token) => token !== WHYPE)
  const codesOf = (body: QuoteBody & ErrorBody) => body.meta?.warnings.map(({ code }) => code)

  it('keep a route off a pool that its graph names, on /swap too', async () => {
    const first = (await quote({})).body.graph![0]!.pool
    const { body } = await quote({ excludePools: first })
    expect(body.graph!.map(({ pool }) => pool)).not.toContain(first)
    const swap = await api.ask<QuoteBody>('swap', { ...pair, slippage: '1', excludePools: first })
    expect(swap.body.dstAmount).toBe(body.dstAmount)
  })

  it('keep a route to the tokens listed, on /swap too, and its bound can be recomputed', async () => {
    expect(passed((await quote(toBtc)).body)).toEqual([USDC])
    const { body } = await quote({ ...toBtc, onlyIntermediates: PURR })
    expect(passed(body)).toEqual([])
    const more = { ...pair, ...toBtc, slippage: '1', onlyIntermediates: PURR }
    expect((await api.ask<QuoteBody>('swap', more)).body.dstAmount).toBe(body.dstAmount)
    expect(passed((await quote({ ...toBtc, onlyIntermediates: `${PURR},${USDC}` })).body)).toEqual([
      USDC,
    ])
  })

  it('take the native token for the wrapped one', async () => {
    const order = { src: USDC, dst: PURR, amount: '1000000' }
    expect((await quote({ ...order, onlyIntermediates: NATIVE })).status).toBe(200)
    const { status, body } = await quote({ ...order, onlyIntermediates: UBTC })
    expect([status, body.code]).toEqual([422, 'ROUTE_UNTRUSTED'])
    const { untrusted, onlyIntermediates } = body.details as Params
    expect([untrusted, onlyIntermediates]).toEqual([WHYPE, WHYPE])
    expect((await quote({ ...order, onlyIntermediates: `${onlyIntermediates}` })).status).toBe(200)
  })

  it('exclude every pool of a contract that keeps many', async () => {
    const manager = `0x${'4a'.repeat(20)}` as const
    const id = `0x${'4b'.repeat(32)}` as const
    const [, first, ...rest] = frozenSnapshot.pools
    const kept = { ...first!, id, manager } as Pool
    const pools = [frozenSnapshot.pools[0]!, kept, ...rest]
    const graph = buildGraph({ ...frozenSnapshot, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const idsOf = async (more: Params) =>
      (await quote({ ...more, includeProtocols: 'test-v2' })).body.graph!.map((hop) => hop.poolId)
    expect(await idsOf({})).toContain(id)
    expect(await idsOf({ excludePools: manager.toUpperCase().replace('X', 'x') })).not.toContain(id)
    expect(await idsOf({ excludePools: id })).not.toContain(id)
  })

  it('warn of members that the market does not have', async () => {
    const known = { excludePools: `0x${'00'.repeat(18)}9007`, onlyIntermediates: UBTC }
    expect(codesOf((await quote({ ...known, includeMeta: '1' })).body)).toEqual([])
    const unknown = { excludePools: ISLAND, onlyIntermediates: `${UBTC},${TEST_ROUTER}` }
    expect(codesOf((await quote({ ...unknown, includeMeta: '1' })).body)).toEqual([
      'POOLS_UNKNOWN',
      'TOKENS_UNKNOWN',
    ])
  })

  it.each([
    ['excludePools', WHYPE],
    ['excludePools', ''],
    ['excludePools', '0x12'],
    ['excludePools', `${UBTC},`],
    ['excludePools', Array.from({ length: 101 }, () => UBTC).join(',')],
    ['onlyIntermediates', `0x${'11'.repeat(32)}`],
    ['onlyIntermediates', Array.from({ length: 51 }, () => UBTC).join(',')],
  ])('refuse %s=%s', async (name, text) => {
    const { status, body } = await quote({ [name]: text })
    expect([status, body.code]).toEqual([400, 'INVALID_ADDRESS'])
    expect(body.issues).toMatchObject([{ path: name }])
  })

  it('have checksums if they must', async () => {
    const strict = await startTestApi({
      ...{ graph: frozenGraph, rpcUrl: NO_NODE, config: { strictChecksum: true } },
    })
    const wrong = '0xB88339CB7199b77E23DB6E890353E22632Ba630f'
    const path = `/swap/v1/999/quote?${new URLSearchParams({ ...pair, onlyIntermediates: wrong })}`
    const { body } = await strict.get<ErrorBody>(path)
    await strict.stop()
    expect(body.code).toBe('INVALID_CHECKSUM')
  })
})

describe('a token that the operator does not list', () => {
  const PHANTOM: Address = `0x${'f0'.repeat(20)}`
  const phantomPool = (n: number, other: Address, reserves: readonly [bigint, bigint]): Pool => ({
    ...{ family: 'uniswapV2', id: toHex(0x9100 + n, 20), venue: 'test-v2', feePpm: 3000 },
    ...{ tokens: [other, PHANTOM], reserves },
  })
  // Each side is worth 1,000,000 USD, and both pools together pay 2 % more than the market.
  const graph = buildGraph({
    ...frozenSnapshot,
    tokens: [...frozenSnapshot.tokens, { address: PHANTOM, decimals: 18 }],
    pools: [
      ...frozenSnapshot.pools,
      phantomPool(1, WHYPE, [25_000n * HYPE, 1_000_000n * HYPE]),
      phantomPool(2, USDC, [1_030_000n * 10n ** 6n, 1_000_000n * HYPE]),
    ],
  })
  const isPassed = ({ graph: hops = [] }: QuoteBody) =>
    hops.some(({ from }) => from.toLowerCase() === PHANTOM)
  const askOf = async (
    more: Params,
    intermediates: readonly Address[] | 'all' = [],
    earned: readonly Address[] = [],
  ) => {
    const own = await startTestApi({ graph, rpcUrl: NO_NODE, config: { intermediates }, earned })
    try {
      const params = { ...pair, includeGraph: 'true', ...more }
      return await own.ask<QuoteBody & ErrorBody>('quote', params)
    } finally {
      await own.stop()
    }
  }

  it('is no intermediate, unless the caller or the operator says so', async () => {
    expect(isPassed((await askOf({})).body)).toBe(false)
    expect(isPassed((await askOf({ onlyIntermediates: PHANTOM })).body)).toBe(true)
    expect(isPassed((await askOf({}, [PHANTOM])).body)).toBe(true)
    expect(isPassed((await askOf({}, 'all')).body)).toBe(true)
  })

  it('is one like the listed where it has earned it, also in the identity of a quote', async () => {
    const asked = { includeMeta: 'true' }
    const [closed, open] = [await askOf(asked), await askOf(asked, [], [PHANTOM])]
    expect([isPassed(closed.body), isPassed(open.body)]).toEqual([false, true])
    expect(open.body.meta!.quoteId).not.toBe(closed.body.meta!.quoteId)
    const codes = ({ meta }: QuoteBody) => meta!.warnings.map(({ code }) => code)
    expect(codes(open.body)).not.toContain('TOKEN_UNTRUSTED')
    const named = await askOf({ ...asked, onlyIntermediates: PHANTOM })
    expect(codes(named.body)).toContain('TOKEN_UNTRUSTED')
  })

  it('is traded as an end of an order', async () => {
    expect((await askOf({ dst: PHANTOM })).status).toBe(200)
    expect((await askOf({ src: PHANTOM, dst: UBTC })).status).toBe(200)
  })
})
