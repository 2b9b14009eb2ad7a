import { buildGraph } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenSnapshot, ISLAND, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS } from '../testing/startTestApi.js'
import { useFrozenApi } from '../testing/useFrozenApi.js'
import type { ErrorBody, QuoteBody } from '../wire/responses.js'

const api = useFrozenApi()

const huge = { src: WHYPE, dst: USDC, amount: `${10n ** 30n}` }
const v3Only = { ...huge, includeProtocols: 'test-v3' }
const excluded = [{ exchange: 'test-v2', reason: 'EXCLUDED_BY_REQUEST', pools: 6 }]

async function ask(params: Readonly<Record<string, string>>, endpoint = 'quote') {
  const path = `/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`
  const { status, body, headers } = await api.get<ErrorBody & QuoteBody>(path)
  expect(checkAnswer({ path, status, body })).toEqual([])
  return { status, body, left: Number(headers.get('ratelimit-remaining')) }
}

describe('includeNearest', () => {
  it('names the most that can be filled, on /swap too', async () => {
    const { status, body } = await ask({ ...v3Only, includeNearest: 'true' })
    expect([status, body.code]).toEqual([422, 'INSUFFICIENT_LIQUIDITY'])
    const { amount, dstAmount, leftOut } = body.details.nearest!
    expect(leftOut).toEqual(excluded)
    expect((await ask({ ...v3Only, amount })).body.dstAmount).toBe(dstAmount)
    const more = `${(BigInt(amount) * 1_002n) / 1_000n}`
    expect((await ask({ ...v3Only, amount: more })).status).toBe(422)
    const swap = await ask({ ...v3Only, includeNearest: 'true', slippage: '1' }, 'swap')
    expect(swap.body.details.nearest).toEqual(body.details.nearest)
  })

  it('names the most that can be bought for an exact output', async () => {
    const { amount: _, ...pair } = v3Only
    const wanted = { ...pair, dstAmountExact: `${10n ** 30n}`, includeNearest: 'true' }
    const { dstAmount } = (await ask(wanted)).body.details.nearest!
    const bought = await ask({ ...pair, dstAmountExact: dstAmount })
    expect([bought.status, BigInt(dstAmount) > 0n]).toEqual([200, true])
  })

  it('is nothing where no part can be filled', async () => {
    const nothing = { amount: '0', dstAmount: '0', leftOut: [] }
    const island = await ask({ ...huge, dst: ISLAND, includeNearest: 'true' })
    expect([island.body.code, island.body.details.nearest]).toEqual(['NO_ROUTE', nothing])
    const dust = await ask({ src: PURR, dst: USDC, amount: '1', includeNearest: 'true' })
    expect([dust.body.code, dust.body.details.nearest]).toEqual(['AMOUNT_TOO_SMALL', nothing])
  })

  it('counts pools whose price is off the market', async () => {
    const [wrap, first, ...rest] = frozenSnapshot.pools
    const off = { ...first!, id: `0x${'0f'.repeat(20)}`, reserves: [10n ** 12n, 10n ** 15n] }
    const pools = [wrap!, first!, ...rest, off] as typeof frozenSnapshot.pools
    const graph = buildGraph({ ...frozenSnapshot, pools })
    api.setState({ graph, receivedAtMs: RECEIVED_AT_MS })
    const { body } = await ask({ ...huge, dst: ISLAND, includeNearest: 'true' })
    expect(body.details.nearest!.leftOut).toEqual([
      { exchange: 'test-v2', reason: 'PRICE_OFF_MARKET', pools: 1 },
    ])
  })

  it('costs more only if there is something to explain, and is absent unless asked for', async () => {
    const fine = { src: WHYPE, dst: USDC, amount: '1000000000000000000' }
    const before = (await ask(fine)).left
    expect((await ask({ ...fine, includeNearest: 'true' })).left).toBe(before - 1)
    const refused = await ask(v3Only)
    expect([refused.left, refused.body.details]).toEqual([
      before - 2,
      expect.not.objectContaining({ nearest: expect.anything() }),
    ])
    expect((await ask({ ...v3Only, includeNearest: 'true' })).left).toBe(before - 7)
    expect((await ask({ ...v3Only, includeNearest: 'false' })).left).toBe(before - 8)
  })
})
