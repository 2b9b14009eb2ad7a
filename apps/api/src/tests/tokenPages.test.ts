import { NATIVE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import {
  frozenGraph,
  frozenSnapshot,
  ISLAND,
  PURR,
  REEF,
  UBTC,
  USDC,
  WHYPE,
} from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { type ErrorBody, type TokenBody, type TokensBody, tokensSchema } from '../wire/responses.js'

const world = useTestWorld()

const get = (query = '') => world.api.get<TokensBody>(`/999/tokens${query}`)
const addressesOf = ({ body }: { body: TokensBody }) =>
  Object.keys(body.tokens).map((address) => address.toLowerCase())
const all = [ISLAND, REEF, WHYPE, PURR, UBTC, USDC, NATIVE]

describe('the list of tokens', () => {
  it('has every token of the market, each as it is when asked for alone', async () => {
    const list = await get()
    expect(list.status).toBe(200)
    expect(addressesOf(list)).toEqual(all)
    expect(all).toHaveLength(frozenSnapshot.tokens.length)
    tokensSchema.parse(list.body)
    for (const [address, token] of Object.entries(list.body.tokens)) {
      expect(token.address).toBe(address)
      const alone = await world.api.get<TokenBody>(`/999/tokens/${address}`)
      expect(token).toEqual(alone.body)
      expect(list.headers.get('cache-control')).toBe(alone.headers.get('cache-control'))
    }
  })

  it('comes in pages that do not overlap, the last of them empty', async () => {
    const pages = [0, 1, 2, 3].map((page) => get(`?page=${page}&limit=3`))
    expect((await Promise.all(pages)).map(addressesOf)).toEqual([
      ...[all.slice(0, 3), all.slice(3, 6), all.slice(6), []],
    ])
  })

  it('is of verified tokens only, or of the others only', async () => {
    const verified = [WHYPE, PURR, UBTC, USDC, NATIVE]
    expect(addressesOf(await get('?verified=true'))).toEqual(verified)
    expect(addressesOf(await get('?verified=false'))).toEqual([ISLAND, REEF])
    // Pages are of what is listed, not of what is left out.
    expect(addressesOf(await get('?verified=true&limit=2&page=1'))).toEqual([UBTC, USDC])
  })

  it.each([
    ['?page=-1', 'INVALID_AMOUNT'],
    ['?page=one', 'INVALID_AMOUNT'],
    ['?limit=0', 'AMOUNT_OUT_OF_RANGE'],
    ['?limit=1001', 'AMOUNT_OUT_OF_RANGE'],
    ['?verified=maybe', 'INVALID_BOOLEAN'],
  ])('%s is refused', async (query, code) => {
    const { status, body } = await world.api.get<ErrorBody>(`/999/tokens${query}`)
    expect([status, body.code]).toEqual([400, code])
  })

  it('needs a market and the right chain', async () => {
    world.api.setState(null)
    const { status, body } = await world.api.get<ErrorBody>('/999/tokens')
    world.api.setState({ graph: frozenGraph, receivedAtMs: RECEIVED_AT_MS })
    expect([status, body.code]).toEqual([503, 'NOT_READY'])
    const other = await world.api.get<ErrorBody>('/1/tokens')
    expect([other.status, other.body.code]).toEqual([404, 'CHAIN_NOT_SUPPORTED'])
  })
})
