import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import type { QuoteBody, SwapBody } from '../wire/responses.js'
import type { QuoteRecord } from './quoteRecord.js'

const RECEIVER = `0x${'12'.repeat(20)}`
const ORDER = `src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`

let api: TestApi
const records: QuoteRecord[] = []
beforeAll(async () => {
  api = await startTestApi({
    ...{ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9' },
    records: {
      ...{ add: (record) => void records.push(record as QuoteRecord), dropped: () => 0 },
      close: async () => {},
    },
  })
})
afterAll(() => api?.stop())

it('an answered quote is recorded as it was answered, and a refused one is not', async () => {
  const { body, headers } = await api.get<QuoteBody>(
    `/swap/v1/999/quote?${ORDER}&includeGraph=true&includeMeta=true`,
  )
  await api.get(`/swap/v1/999/quote?${ORDER}0000000000000000000000000000000000000000`)
  await api.get(`/swap/v1/999/quote?src=${WHYPE}`)
  expect(records).toHaveLength(1)
  const [record] = records.splice(0)
  const { block } = frozenGraph.snapshot
  expect(record).toMatchObject({
    ...{ endpoint: 'quote', quoteId: headers.get('x-quote-id'), src: WHYPE, dst: USDC },
    requestId: headers.get('x-request-id'),
    ...{ blockNumber: `${block.number}`, blockHash: block.hash, amountIn: '1000000000000000000' },
    ...{ amountOut: body.dstAmount, gapBps: body.meta?.bound?.gapBps },
  })
  const amounts = record!.route!.map(({ amountIn, amountOut }) => [amountIn, amountOut])
  expect(amounts).toEqual(body.graph!.map(({ amountIn, amountOut }) => [amountIn, amountOut]))
  expect(api.key).toContain(record!.key)
  expect(JSON.stringify(record)).not.toContain(api.key)
})

it('a swap is recorded with its floor, its receiver and the hash of its calldata', async () => {
  const { body } = await api.get<SwapBody>(
    `/swap/v1/999/swap?${ORDER}&slippage=1&receiver=${RECEIVER}`,
  )
  const [record] = records.splice(0)
  const floor = (BigInt(body.dstAmount) * 99n) / 100n
  expect(record).toMatchObject({ endpoint: 'swap', amountOut: body.dstAmount, receiver: RECEIVER })
  expect(record!.callHash).toBe(keccak256(body.tx.data as Hex))
  expect(BigInt(record!.minAmountOut!) - floor).toBeLessThanOrEqual(1n)
})
