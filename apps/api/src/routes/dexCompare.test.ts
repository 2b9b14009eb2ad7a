import { buildGraph, NATIVE, type Pool } from '@braid-swap/core'
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
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import {
  type DexCompareBody,
  dexCompareSchema,
  type ErrorBody,
  type QuoteBody,
} from '../wire/responses.js'

const HYPE = 10n ** 18n
const order = { src: WHYPE, dst: USDC, amount: `${10n * HYPE}` }

const world = useTestWorld()

const path = (params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/dex-compare?${new URLSearchParams(params)}`
const get = (params: Readonly<Record<string, string>>) =>
  world.api.get<DexCompareBody>(path(params))

describe('interface 4.6, dex-compare', () => {
  it.each(['src', 'dst', 'amount'])('%s is required', async (name) => {
    const { [name]: _, ...rest } = order as Record<string, string>
    const { status, body } = await world.api.get<ErrorBody>(path(rest))
    expect([status, body.code]).toEqual([400, 'MISSING_PARAMETER'])
  })

  it('has serviceQuote, decimalsOut and the pools of 2.7, best first', async () => {
    const { status, body } = await get(order)
    expect(status).toBe(200)
    dexCompareSchema.parse(body)
    expect(body.decimalsOut).toBe(6)
    expect(body.pools).toHaveLength(3)
    const amounts = body.pools.map(({ amountOut }) => BigInt(amountOut))
    expect(amounts).toEqual([...amounts].sort((a, b) => (a > b ? -1 : 1)))
    expect(body.pools.every(({ decimalsOut }) => decimalsOut === 6)).toBe(true)
  })

  it.each([1n, 10n, 500n, 3_000n, 30_000n, 400_000n])(
    'serviceQuote is never below the best pool, for %s HYPE',
    async (hype) => {
      for (const src of [WHYPE, NATIVE]) {
        const { body } = await get({ ...order, src, amount: `${hype * HYPE}` })
        expect(BigInt(body.serviceQuote)).toBeGreaterThanOrEqual(
          BigInt(body.pools[0]?.amountOut ?? 0),
        )
      }
    },
  )

  it('serviceQuote is the exact gross quote', async () => {
    const params = new URLSearchParams({ ...order, objective: 'gross' })
    const quoted = await world.api.get<QuoteBody>(`/swap/v1/999/quote?${params}`)
    expect((await get(order)).body.serviceQuote).toBe(quoted.body.dstAmount)
  })

  it('pools that cannot take the whole amount are left out and counted in meta', async () => {
    const { body } = await get({ ...order, amount: `${400_000n * HYPE}`, includeMeta: 'true' })
    expect(body.pools).toHaveLength(2)
    expect(body.meta?.['poolsLeftOut']).toBe(1)
  })

  it('names the venue of each pool with includeMeta, and without it only the fields of 2.7', async () => {
    const { body } = await get({ ...order, includeMeta: 'true' })
    const venueOf = new Map(frozenSnapshot.pools.map(({ id, venue }) => [id as string, venue]))
    expect(body.pools.map(({ exchange }) => exchange)).toEqual(
      body.pools.map(({ poolAddress }) => venueOf.get(poolAddress.toLowerCase())),
    )
    const plain = (await get(order)).body.pools[0] ?? {}
    expect(Object.keys(plain).sort()).toEqual([
      ...['amountOut', 'decimalsOut', 'poolAddress', 'poolType'],
    ])
  })

  it('a pair without a pool of its own has pools [] and a 200', async () => {
    const { status, body } = await get({ ...order, src: PURR, dst: USDC })
    expect([status, body.pools]).toEqual([200, []])
    expect(BigInt(body.serviceQuote)).toBeGreaterThan(0n)
    const wrap = await get({ src: NATIVE, dst: WHYPE, amount: '5' })
    expect(wrap.body).toEqual({ serviceQuote: '5', decimalsOut: 18, pools: [] })
  })

  it('returns the ten deepest pools unless limit says otherwise', async () => {
    const more = Array.from(
      { length: 12 },
      (_, i): Pool => ({
        ...{ family: 'uniswapV2', id: toHex(0xa000 + i, 20), venue: 'test-v2', feePpm: 3000 },
        tokens: [WHYPE, UBTC],
        reserves: [BigInt(100 + i) * HYPE, BigInt(4_000_000 + 40_000 * i)],
      }),
    )
    const graph = buildGraph({ ...frozenSnapshot, pools: [...frozenSnapshot.pools, ...more] })
    world.api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const ten = await get({ ...order, dst: UBTC })
    const two = await get({ ...order, dst: UBTC, limit: '2' })
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect(ten.body.pools).toHaveLength(10)
    const addresses = ten.body.pools.map(({ poolAddress }) => poolAddress.toLowerCase())
    expect(addresses).not.toContain(more[0]!.id)
    expect(addresses).toContain(more[11]!.id)
    expect(two.body.pools.map(({ poolAddress }) => poolAddress.toLowerCase())).toContain(
      toHex(0x9004, 20),
    )
  })

  it('NO_ROUTE is a 422', async () => {
    const { status, body } = await world.api.get<ErrorBody>(path({ ...order, dst: ISLAND }))
    expect([status, body.code]).toEqual([422, 'NO_ROUTE'])
  })
})
