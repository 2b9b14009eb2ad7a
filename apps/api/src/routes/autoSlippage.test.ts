import { buildGraph, decodeRouterCall, floorAt, type Hex, type Pool } from '@braid-swap/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkAnswer } from '../testing/checkAnswer.js'
import { frozenSnapshot, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { RECEIVED_AT_MS, startTestApi, type TestApi } from '../testing/startTestApi.js'
import { NO_NODE } from '../testing/useFrozenApi.js'
import type { ErrorBody, QuoteBody, SwapBody } from '../wire/responses.js'

const order = { src: WHYPE, dst: USDC, amount: '1000000000000000000' }

let api: TestApi
beforeEach(async () => {
  const graph = buildGraph(frozenSnapshot)
  api = await startTestApi({ graph, rpcUrl: NO_NODE })
  return () => api.stop()
})

/** A block in which every V2 pool pays `ppm` parts per million less of its second token. */
function block(number: bigint, ppm: bigint): void {
  const pools = frozenSnapshot.pools.map((pool): Pool => {
    if (pool.family !== 'uniswapV2') return pool
    const [a, b] = pool.reserves
    return { ...pool, reserves: [a, b - (b * ppm) / 1_000_000n] }
  })
  const { block: before } = frozenSnapshot
  const timestamp = before.timestamp + number - before.number
  const next = { ...frozenSnapshot, pools, block: { ...before, number, timestamp } }
  api.setState({ graph: buildGraph(next), receivedAtMs: RECEIVED_AT_MS })
}

const ask = async <T>(endpoint: string, params: Readonly<Record<string, string>>) => {
  const path = `/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`
  const answer = await api.get<T>(path)
  expect(checkAnswer({ path, ...answer })).toEqual([])
  return answer
}
const v2Only = { ...order, includeProtocols: 'test-v2', includeMeta: '1' }
const suggestion = async (params: Readonly<Record<string, string>>) =>
  (await ask<QuoteBody>('quote', params)).body.meta?.suggestedSlippage

describe('the suggested slippage', () => {
  it('is unknown while there is one state, and a swap that wants it says so', async () => {
    expect(await suggestion(v2Only)).toBeUndefined()
    const { status, body } = await ask<ErrorBody>('swap', { ...v2Only, slippage: 'auto' })
    expect([status, body.code]).toEqual([503, 'NOT_READY'])
  })

  it('is the least of the pair, and the range that the route moved by, up to a stated most', async () => {
    block(123n, 0n)
    block(124n, 0n)
    const calm = await suggestion(v2Only)
    expect(calm).toEqual({
      ...{ bps: 50, pairBps: 50, moveBps: 0, sampledBps: 0, maxBps: 100, watchedSeconds: 1 },
    })
    block(130n, 1_950n)
    expect(await suggestion(v2Only)).toMatchObject({ bps: 70, moveBps: 20, watchedSeconds: 7 })
    block(131n, 29_950n)
    expect(await suggestion(v2Only)).toMatchObject({ bps: 100, moveBps: 300, maxBps: 100 })
  })

  it('forgets what moved more than a minute ago', async () => {
    block(123n, 1_950n)
    block(183n, 0n)
    const near = await suggestion(v2Only)
    expect(near).toMatchObject({ watchedSeconds: 60 })
    expect(near?.moveBps).toBe(20)
    block(250n, 0n)
    block(251n, 0n)
    expect(await suggestion(v2Only)).toMatchObject({ moveBps: 0, watchedSeconds: 1 })
  })

  it('is wider for a token that the operator has not verified', async () => {
    await api.stop()
    const graph = buildGraph(frozenSnapshot)
    api = await startTestApi({ graph, rpcUrl: NO_NODE, config: { tokenList: new Map() } })
    block(123n, 0n)
    block(124n, 0n)
    const wide = await suggestion({ ...order, dst: PURR, includeMeta: '1' })
    expect(wide).toMatchObject({ bps: 100, pairBps: 100, maxBps: 500 })
  })
})

describe('slippage=auto', () => {
  const pair = { src: WHYPE, dst: USDC, includeProtocols: 'test-v2' }
  it.each([
    { ...pair, amount: order.amount },
    { ...pair, dstAmountExact: '40000000' },
  ])('is what /quote suggests at the same block, and is in the calldata: %j', async (asked) => {
    block(124n, 0n)
    block(125n, 1_950n)
    const { body: quoted } = await ask<QuoteBody>('quote', { ...asked, includeMeta: '1' })
    const { body } = await ask<SwapBody>('swap', { ...asked, slippage: 'auto' })
    const { slippageBps } = body
    expect(slippageBps).toBe(quoted.meta?.suggestedSlippageBps)
    expect(slippageBps).toBeGreaterThan(50)
    const given = await ask<SwapBody>('swap', { ...asked, slippage: `${slippageBps! / 100}` })
    const { slippageBps: _, ...same } = body
    expect(same).toEqual(given.body)
    const { minAmountOut } = decodeRouterCall(body.tx.data as Hex)
    const wanted =
      'amount' in asked
        ? floorAt(BigInt(body.dstAmount), BigInt(slippageBps! * 100))
        : BigInt(asked.dstAmountExact)
    expect(minAmountOut).toBe(wanted)
  })

  it.each(['Auto', 'auto ', 'AUTO', '"auto"'])('is spelled "auto": not %s', async (slippage) => {
    const { status, body } = await ask<ErrorBody>('swap', { ...order, slippage })
    expect([status, body.code]).toEqual([400, 'INVALID_SLIPPAGE'])
  })
})
