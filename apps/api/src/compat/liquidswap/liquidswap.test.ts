import { NATIVE } from '@braid-swap/core'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkAnswer } from '../../testing/checkAnswer.js'
import { ISLAND, PURR, UBTC, USDC, WHYPE } from '../../testing/frozenMarket.js'
import { createLiquidSwapClient, type RouteRequest } from '../../testing/liquidSwapClient.js'
import { TEST_ROUTER } from '../../testing/startTestApi.js'
import { startTestWorld, type TestWorld } from '../../testing/startTestWorld.js'
import type { ErrorBody, SwapBody } from '../../wire/responses.js'
import { dexesParameter, dexOf } from './dexes.js'

const DEAD = '0x000000000000000000000000000000000000dEaD'
const PARTNER = '0x00000000000000000000000000000000000000fe'

let world: TestWorld
let client: ReturnType<typeof createLiquidSwapClient>
beforeAll(async () => {
  world = await startTestWorld({
    config: {
      ...{ compat: ['liquidswap'], keyless: true },
      // The clock stands still, so the bucket of the address is never refilled.
      keyLimits: { rate: 1, burst: 1_000_000 },
    },
  })
  client = createLiquidSwapClient(world.api.url)
})
afterAll(() => world?.stop())

/** The raw answer, which must be as the OpenAPI document says. */
async function raw<T>(path: string) {
  const { status, body } = await world.api.get<T>(path, { apikey: '' })
  expect(checkAnswer({ path, status, body }, ['liquidswap'])).toEqual([])
  return { status, body }
}
const ask = <T>(query: Readonly<Record<string, string>>) =>
  raw<T>(`/v2/route?${new URLSearchParams(query)}`)

async function found(request: RouteRequest) {
  const answer = await client.route(request)
  if (!answer.success) throw new Error(answer.message)
  return answer
}

describe('LiquidSwap: /v2/route', () => {
  it('has the recorded fields, without a key', async () => {
    const { body } = await ask<object>({ tokenIn: WHYPE, tokenOut: UBTC, amountIn: '2000' })
    const fieldsOf = (value: unknown): unknown =>
      Array.isArray(value)
        ? [fieldsOf(value[0])]
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fieldsOf(one)]))
          : typeof value
    const token = { address: 'string', symbol: 'string', name: 'string', decimals: 'number' }
    const [text, number] = ['string', 'number']
    const hop = {
      ...{ tokenIn: text, tokenOut: text, routerIndex: number, routerName: text, fee: number },
      ...{ amountIn: text, amountOut: text, stable: 'boolean', priceImpact: text },
    }
    const details = { path: [text], amountIn: text, amountOut: text, minAmountOut: text }
    expect(fieldsOf(body)).toEqual({
      success: 'boolean',
      tokens: { tokenIn: token, tokenOut: token, intermediates: [token] },
      ...{ amountIn: text, amountOut: text, averagePriceImpact: text },
      execution: {
        ...{ to: text, calldata: text, value: text },
        details: { ...details, hopSwaps: [[hop]] },
      },
    })
  })

  it('answers as /swap does: the same calldata, output and floor', async () => {
    const answer = await found({ tokenIn: WHYPE, tokenOut: USDC, amountIn: 10, slippage: 0.5 })
    const own = await world.api.get<SwapBody>(
      `/swap/v1/999/swap?src=${WHYPE}&dst=${USDC}&amount=${10n ** 19n}&slippage=0.5&includeMeta=1`,
    )
    const { execution } = answer
    expect(execution.calldata).toBe(own.body.tx.data)
    expect([execution.to, execution.value]).toEqual([getAddress(TEST_ROUTER), '0'])
    expect(execution.details.amountOut).toBe(own.body.dstAmount)
    expect(execution.details.minAmountOut).toBe(own.body.meta!.minDstAmount)
  })

  it('pays a fee out of the output, as /swap does, and none of 0 basis points', async () => {
    type Details = { minAmountOut: string; feeBps?: number; feeRecipient?: string }
    type Body = { execution: { calldata: string; details: Details } }
    const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: '10', feeRecipient: PARTNER }
    const { body } = await ask<Body>({ ...order, feeBps: '30' })
    const own = await world.api.get<SwapBody>(
      `/swap/v1/999/swap?src=${WHYPE}&dst=${USDC}&amount=${10n ** 19n}&slippage=1&includeMeta=1&feeBps=30&feeRecipient=${PARTNER}`,
    )
    expect(body.execution.calldata).toBe(own.body.tx.data)
    expect(body.execution.details).toMatchObject({
      ...{ feeBps: 30, feeRecipient: getAddress(PARTNER) },
      minAmountOut: own.body.meta!.minDstAmount,
    })
    const free = await ask<Body>({ ...order, feeBps: '0' })
    expect(free.body.execution.details).not.toHaveProperty('feeBps')
    expect(free.body.execution.calldata).not.toContain(PARTNER.slice(2))
  })

  it.each([
    ['0.9', 90_000_000n],
    ['0.00000001', 1n],
    ['1e-7', 10n],
  ])('sells %s UBTC to the wei', async (amountIn, wei) => {
    const answer = await client.route({ tokenIn: UBTC, tokenOut: WHYPE, amountIn })
    if (!answer.success) throw new Error(answer.message)
    expect(answer.execution.details.amountIn).toBe(`${wei}`)
  })

  it('buys an exact amount: the floor is the amount, and the input includes the slippage', async () => {
    const answer = await found({ tokenIn: WHYPE, tokenOut: USDC, amountOut: '100.25' })
    const { details } = answer.execution
    expect(details.minAmountOut).toBe('100250000')
    expect(BigInt(details.amountOut)).toBeGreaterThanOrEqual(100_250_000n)
    const least = await world.api.get<{ readonly srcAmount: string }>(
      `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&dstAmountExact=100250000`,
    )
    const ratio = Number(details.amountIn) / Number(least.body.srcAmount)
    expect(ratio).toBeGreaterThan(1.0099)
    expect(ratio).toBeLessThan(1.0101)
  })

  it('pays the native token with unwrapWHYPE, or for 0x…dEaD, and sells it', async () => {
    const own = async (src: string, dst: string, amount: bigint) =>
      (
        await world.api.get<SwapBody>(
          `/swap/v1/999/swap?src=${src}&dst=${dst}&amount=${amount}&slippage=1`,
        )
      ).body.tx
    const native = await own(USDC, NATIVE, 5_000_000n)
    const order = { tokenIn: USDC, amountIn: 5 }
    const unwrapped = await found({ ...order, tokenOut: WHYPE, unwrapWHYPE: true })
    expect(unwrapped.execution.calldata).toBe(native.data)
    expect(unwrapped.tokens.tokenOut).toMatchObject({ address: getAddress(WHYPE) })
    expect((await found({ ...order, tokenOut: DEAD })).execution.calldata).toBe(native.data)
    // Front ends always send the flag; it concerns the wrapped token alone.
    const other = await found({ tokenIn: WHYPE, tokenOut: USDC, amountIn: 1, unwrapWHYPE: true })
    expect(other.execution.calldata).toBe((await own(WHYPE, USDC, 10n ** 18n)).data)
    const sold = await found({ tokenIn: DEAD, tokenOut: USDC, amountIn: 1 })
    const paid = await own(NATIVE, USDC, 10n ** 18n)
    expect([sold.execution.calldata, sold.execution.value]).toEqual([paid.data, paid.value])
  })

  it('decomposes a route that joins: the swaps in and out sum to the order', async () => {
    const answer = await found({ tokenIn: WHYPE, tokenOut: UBTC, amountIn: 2_000 })
    const { hopSwaps, amountIn, amountOut, path } = answer.execution.details
    expect(hopSwaps.length).toBeGreaterThan(1)
    const swaps = hopSwaps.flat()
    const sum = (amounts: readonly string[]) => amounts.reduce((all, one) => all + BigInt(one), 0n)
    const from = swaps.filter(({ tokenIn }) => tokenIn === getAddress(WHYPE))
    const to = swaps.filter(({ tokenOut }) => tokenOut === getAddress(UBTC))
    expect(sum(from.map((swap) => swap.amountIn))).toBe(BigInt(amountIn))
    expect(sum(to.map((swap) => swap.amountOut))).toBe(BigInt(amountOut))
    expect([path[0], path.at(-1)]).toEqual([WHYPE, UBTC].map((token) => getAddress(token)))
    expect(answer.tokens.intermediates?.map(({ symbol }) => symbol)).toEqual(['USDC'])
  })

  it('refuses to use only dexes without pools here, and excludes none of them', async () => {
    const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 100 }
    const { execution } = await found({ ...order, excludeDexes: '1,3' })
    expect(execution.calldata).toBe((await found(order)).execution.calldata)
    const none = await ask<ErrorBody>({ ...order, amountIn: '1', includeDexes: '13' })
    expect([none.status, none.body.code]).toEqual([422, 'NO_ROUTE'])
  })

  it.each([
    [{}, 400, 'MISSING_PARAMETER', ['tokenIn', 'tokenOut']],
    [{ tokenIn: WHYPE, tokenOut: USDC }, 400, 'MISSING_PARAMETER', ['amountIn']],
    [{ tokenIn: WHYPE, tokenOut: WHYPE, amountIn: '1' }, 400, 'SAME_TOKEN', ['tokenOut']],
    [{ tokenIn: WHYPE, tokenOut: USDC, amountIn: '0' }, 400, 'AMOUNT_ZERO', ['amountIn']],
    [{ tokenIn: USDC, tokenOut: WHYPE, amountIn: '1e-7' }, 400, 'INVALID_AMOUNT', ['amountIn']],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', amountOut: '1' },
      ...([400, 'AMOUNT_AMBIGUOUS', ['amountIn']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', feeBps: '101', feeRecipient: PARTNER },
      ...([400, 'AMOUNT_OUT_OF_RANGE', ['feeBps']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', feeBps: '5' },
      ...([400, 'MISSING_PARAMETER', ['feeRecipient']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', feeBps: '5', feeRecipient: TEST_ROUTER },
      ...([400, 'RECEIVER_REFUSED', ['feeRecipient']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', excludeDexes: '99' },
      ...([400, 'INVALID_ENUM', ['excludeDexes']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: TEST_ROUTER, amountIn: '1' },
      ...([400, 'TOKEN_NOT_FOUND', ['tokenOut']] as const),
    ],
    [
      { tokenIn: WHYPE, tokenOut: USDC, amountIn: '1', chainId: '1' },
      ...([404, 'CHAIN_NOT_SUPPORTED', ['chainId']] as const),
    ],
    [{ tokenIn: WHYPE, tokenOut: ISLAND, amountIn: '1' }, 422, 'NO_ROUTE', []],
  ])('%j fails with success: false and the caller’s names', async (query, status, code, paths) => {
    const answer = await ask<ErrorBody & { success: boolean }>(query as Record<string, string>)
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([status, code, false])
    expect(answer.body.issues.map(({ path }) => path)).toEqual(paths)
    const seen = await client.route(query as RouteRequest)
    expect(seen).toEqual({ success: false, message: answer.body.message })
  })
})

describe('LiquidSwap: /tokens', () => {
  it('lists verified tokens first, up to a limit, and finds them by name or address', async () => {
    const all = await client.tokens({ limit: 1_000 })
    expect(all.count).toBe(all.tokens.length)
    const some = await client.tokens({ limit: 2 })
    expect([some.count, some.limitedCount, some.tokens.length]).toEqual([all.count, 2, 2])
    expect((await client.tokens({ search: 'usdc' })).tokens[0]).toMatchObject({ symbol: 'USDC' })
    expect((await client.tokens({ search: getAddress(PURR) })).tokens).toMatchObject([
      { address: getAddress(PURR), symbol: 'PURR', decimals: 18 },
    ])
  })
})

it('LiquidSwap: a number of a dex means our venues', () => {
  const schema = z.object({ dexes: dexesParameter('dexes') })
  const venuesOf = (dexes: string) => schema.parse({ dexes }).dexes
  expect(venuesOf('3')).toEqual(['hyperswap-v3'])
  expect(venuesOf('6,1,13')).toEqual(['kittenswap-v1', 'stex-khype', 'stex-sthype'])
  expect(dexOf('prjx')).toEqual([12, 'ProjectX'])
  expect(dexOf('test-v2')).toEqual([0, 'test-v2'])
})
