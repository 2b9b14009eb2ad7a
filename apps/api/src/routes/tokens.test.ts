import { buildGraph, NATIVE } from '@braid-swap/core'
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
import { startTestWorld } from '../testing/startTestWorld.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { type ErrorBody, type TokenBody, tokenSchema } from '../wire/responses.js'

const world = useTestWorld()

const get = (address: string) => world.api.get<TokenBody>(`/999/tokens/${address}`)

describe('interface 4.5, tokens/{address}', () => {
  it('has every field of 2.2 and no other', async () => {
    const { status, body } = await get(UBTC)
    expect(status).toBe(200)
    tokenSchema.parse(body)
    expect(body).toMatchObject({
      ...{ symbol: 'UBTC', name: 'Unit Bitcoin', decimals: 8, verified: true },
      logoUri: expect.stringMatching(/^https:/),
      address: '0x9FDBdA0A5e284c32744D2f17Ee5c74B284993463',
    })
  })

  it('buying costs more than selling brings, both near the market', async () => {
    const { buyPriceUsd, sellPriceUsd } = (await get(UBTC)).body
    expect(buyPriceUsd).toBeGreaterThan(sellPriceUsd ?? 0)
    // Around 100,000, less 0.3 % of fee and some impact on each way.
    expect(buyPriceUsd).toBeGreaterThan(100_000)
    expect(buyPriceUsd).toBeLessThan(100_700)
    expect(sellPriceUsd).toBeGreaterThan(99_300)
    expect(sellPriceUsd).toBeLessThan(100_000)
  })

  it('the native token is HYPE, priced as the wrapped one', async () => {
    const native = (await get(NATIVE)).body
    const wrapped = (await get(WHYPE)).body
    expect(native).toMatchObject({ symbol: 'HYPE', decimals: 18, address: NATIVE, verified: true })
    expect(native.buyPriceUsd).toBe(wrapped.buyPriceUsd)
    expect(native.sellPriceUsd).toBe(wrapped.sellPriceUsd)
  })

  it('the token that prices are stated in costs 1', async () => {
    expect((await get(USDC)).body).toMatchObject({ buyPriceUsd: 1, sellPriceUsd: 1 })
  })

  it('prices are null without a path to a USD token, and above 5 % of impact', async () => {
    const nothing = { buyPriceUsd: null, sellPriceUsd: null }
    expect((await get(ISLAND)).body).toMatchObject({ ...nothing, verified: false })
    expect((await get(PURR)).body).toMatchObject(nothing)
  })

  it('the second USD token serves where the first has no path', async () => {
    const second = await startTestWorld({ config: { usdTokens: [ISLAND, USDC] } })
    const { body } = await second.api.get<TokenBody>(`/999/tokens/${UBTC}`)
    await second.stop()
    expect(body).toEqual((await get(UBTC)).body)
  })

  it('the address may be in any case, and must match the pattern', async () => {
    expect((await get(`0x${UBTC.slice(2).toUpperCase()}`)).status).toBe(200)
    const { status, body } = await world.api.get<ErrorBody>('/999/tokens/0x12')
    expect([status, body.code]).toEqual([400, 'INVALID_ADDRESS'])
    expect(body.issues).toMatchObject([{ in: 'path', path: 'address' }])
  })

  it('TOKEN_NOT_FOUND is a 404 here', async () => {
    const { status, body } = await world.api.get<ErrorBody>(`/999/tokens/0x${'12'.repeat(20)}`)
    expect([status, body.code, body.statusCode]).toEqual([404, 'TOKEN_NOT_FOUND', 404])
  })

  it('may be cached for half a minute', async () => {
    expect((await get(USDC)).headers.get('cache-control')).toBe('private, max-age=30')
  })

  it('prices follow the market state', async () => {
    const before = (await get(UBTC)).body.buyPriceUsd ?? 0
    const dearer = frozenSnapshot.pools.map((pool) =>
      'reserves' in pool && pool.tokens.includes(UBTC)
        ? {
            ...pool,
            reserves: pool.tokens.map((token, i) =>
              token === UBTC ? pool.reserves[i]! / 2n : pool.reserves[i]!,
            ) as unknown as readonly [bigint, bigint],
          }
        : pool,
    )
    world.api.setState({
      graph: buildGraph({ ...frozenSnapshot, pools: dearer }),
      receivedAtMs: RECEIVED_AT_MS,
    })
    const after = (await get(UBTC)).body.buyPriceUsd ?? 0
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect(after / before).toBeCloseTo(2, 1)
  })
})
