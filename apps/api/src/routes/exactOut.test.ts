import { decodeRouterCall, type Hex, NATIVE, quote, quoteExactOut } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozenGraph, ISLAND, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { checkGraph, checkRoutes } from '../testing/index.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import {
  type ErrorBody,
  type QuoteBody,
  quoteSchema,
  type SwapBody,
  swapSchema,
} from '../wire/responses.js'

const WANTED = 400_000_000n
const order = { src: WHYPE, dst: USDC, dstAmountExact: `${WANTED}` } as const
const least = quoteExactOut(frozenGraph, { tokenIn: WHYPE, tokenOut: USDC, amountOut: WANTED })
const srcAmount = least.order.amountIn

const world = useTestWorld()

type Params = Readonly<Record<string, string>>
const get = <T>(endpoint: string, params: Params) =>
  world.api.get<T>(`/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`)
const quoteOf = (params: Params) => get<QuoteBody & ErrorBody>('quote', params)
const swapOf = (params: Params) =>
  get<SwapBody & ErrorBody>('swap', { ...order, slippage: '0.5', ...params })
const callOf = ({ tx }: SwapBody) => decodeRouterCall(tx.data as Hex)

describe('dstAmountExact in a quote', () => {
  it('gives the least input that core finds, and what it pays', async () => {
    const { status, body } = await quoteOf(order)
    expect(status).toBe(200)
    expect(body).toEqual({ dstAmount: `${least.amountOut}`, srcAmount: `${srcAmount}` })
    expect(least.amountOut).toBeGreaterThanOrEqual(WANTED)
    const amountIn = srcAmount - 1n
    const less = quote(frozenGraph, { tokenIn: WHYPE, tokenOut: USDC, amountIn })
    expect(less.amountOut).toBeLessThan(WANTED)
  })

  it('gives the graph and the routes of that input, to the wei', async () => {
    const { headers, body } = await quoteOf({ ...order, includeGraph: '1', includeRoutes: '1' })
    const { dstAmount, graph = [], routes = [] } = quoteSchema.parse(body)
    const { src, dst } = order
    const answer = { src, dst, amount: `${srcAmount}`, dstAmount, graph }
    expect(checkGraph(answer)).toEqual([])
    expect(checkRoutes({ ...answer, routes })).toEqual([])
    expect(headers.get('x-quote-mode')).toBe('exact')
  })

  it('is certified: the bound in meta is a least cost, not above that of the answer', async () => {
    for (const objective of ['net', 'gross']) {
      const { body } = await quoteOf({ ...order, includeMeta: '1', objective })
      const bound = quoteSchema.parse(body).meta!.bound!
      const lowest = BigInt((objective === 'net' ? bound.minSrcCost : bound.minSrcAmount)!)
      expect(lowest).toBeGreaterThan((BigInt(body.srcAmount!) * 99n) / 100n)
      if (objective === 'gross') expect(lowest).toBeLessThanOrEqual(BigInt(body.srcAmount!))
      expect(bound.gapBps).toBeLessThan(100)
      expect(bound).not.toHaveProperty('maxDstAmount')
    }
  })

  it('wraps one to one', async () => {
    const { body } = await quoteOf({ src: NATIVE, dst: WHYPE, dstAmountExact: '7' })
    expect(body).toEqual({ dstAmount: '7', srcAmount: '7' })
  })

  it.each([
    ['both amounts', { ...order, amount: '1' }, 'AMOUNT_AMBIGUOUS'],
    ['neither', { src: WHYPE, dst: USDC }, 'MISSING_PARAMETER'],
  ])('%s are refused with the rule', async (_, params, code) => {
    for (const endpoint of ['quote', 'swap']) {
      const { status, body } = await get<ErrorBody>(endpoint, { ...params, slippage: '1' })
      expect([status, body.code]).toEqual([400, code])
      expect(body.issues).toMatchObject([{ in: 'query', path: 'amount', code }])
      expect(body.message).toContain('dstAmountExact')
    }
  })

  it.each([
    ['0', 400, 'AMOUNT_ZERO'],
    ['1e6', 400, 'INVALID_AMOUNT'],
    [`${1n << 128n}`, 400, 'AMOUNT_OUT_OF_RANGE'],
    [`${(1n << 128n) - 1n}`, 422, 'INSUFFICIENT_LIQUIDITY'],
  ])('%s is %s %s', async (dstAmountExact, status, code) => {
    const answer = await quoteOf({ ...order, dstAmountExact })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('without a route is NO_ROUTE', async () => {
    const { status, body } = await quoteOf({ src: ISLAND, dst: PURR, dstAmountExact: '1000' })
    expect([status, body.code]).toEqual([422, 'NO_ROUTE'])
  })
})

describe('dstAmountExact in a swap', () => {
  it('sells the input raised by the slippage, and reverts below the wanted output', async () => {
    const { status, body } = await swapOf({ includeMeta: '1' })
    expect(status).toBe(200)
    swapSchema.parse(body)
    const raised = (srcAmount * 1_005n + 999n) / 1_000n
    expect([body.srcAmount, body.maxSrcAmount]).toEqual([`${srcAmount}`, `${raised}`])
    expect(callOf(body)).toMatchObject({ amountIn: raised, minAmountOut: WANTED })
    expect(BigInt(body.dstAmount)).toBeGreaterThan(WANTED)
    expect(body.meta).toMatchObject({ minDstAmount: `${WANTED}` })
  })

  it('without slippage sells the least input', async () => {
    const { body } = await swapOf({ slippage: '0' })
    expect(body.maxSrcAmount).toBe(body.srcAmount)
    expect(callOf(body)).toMatchObject({ minAmountOut: WANTED })
    expect(BigInt(body.dstAmount)).toBeGreaterThanOrEqual(WANTED)
  })

  it('sends the raised input as value if the source is native', async () => {
    const { body } = await swapOf({ src: NATIVE })
    expect(body.tx.value).toBe(body.maxSrcAmount)
  })

  it('wraps one to one for any slippage', async () => {
    const { body } = await swapOf({ src: NATIVE, dst: WHYPE, dstAmountExact: '7', slippage: '5' })
    expect([body.srcAmount, body.maxSrcAmount, body.dstAmount]).toEqual(['7', '7', '7'])
  })

  it('refuses a signature, because it covers an amount that is not known yet', async () => {
    const permit = `0x${'11'.repeat(65)}`
    const { status, body } = await swapOf({ permit, deadline: '99999999999' })
    expect([status, body.code]).toEqual([400, 'INVALID_SIGNATURE'])
    expect(body.message).toContain('dstAmountExact')
  })
})
