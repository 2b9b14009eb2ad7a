import { quote } from '@braid-swap/core'
import { pino } from 'pino'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { startTestApi, type TestApi } from '../testing/startTestApi.js'
import { snapshotIdOf } from '../wire/quoteId.js'
import type { QuoteBody, SwapBody } from '../wire/responses.js'

const RECEIVER = `0x${'12'.repeat(20)}`
const AMOUNT = 1_000_000_000_000_000_000n
const ORDER = `src=${WHYPE}&dst=${USDC}&amount=${AMOUNT}`

type Line = Readonly<Record<string, unknown>> & {
  readonly route: readonly Readonly<Record<string, string>>[] | null
}

let api: TestApi
const lines: string[] = []
const quoteLines = () =>
  lines
    .splice(0)
    .map((text) => JSON.parse(text) as Line)
    .filter(({ msg }) => msg === 'quote')
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(text) })
  api = await startTestApi({ graph: frozenGraph, rpcUrl: 'http://127.0.0.1:9', log })
})
afterAll(() => api?.stop())

it('an answered quote is one line, from which anybody computes the answer again', async () => {
  const { body, headers } = await api.get<QuoteBody>(
    `/swap/v1/999/quote?${ORDER}&includeGraph=true&includeMeta=true&maxHops=1`,
  )
  await api.get(`/swap/v1/999/quote?${ORDER}0000000000000000000000000000000000000000`)
  await api.get(`/swap/v1/999/quote?src=${WHYPE}`)
  const [line, ...others] = quoteLines()
  expect(others).toEqual([])
  expect(line).toMatchObject({
    ...{ endpoint: 'quote', quoteId: headers.get('x-quote-id'), src: WHYPE, dst: USDC },
    ...{ requestId: headers.get('x-request-id'), terms: { maxHops: '1' } },
    ...{ snapshotId: snapshotIdOf(frozenGraph.snapshot), amountIn: `${AMOUNT}` },
    ...{ amountOut: body.dstAmount, gapBps: body.meta?.bound?.gapBps, floor: null, callHash: null },
  })
  const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: AMOUNT }
  const again = quote(frozenGraph, order, { maxHops: 1 })
  expect(`${again.amountOut}`).toBe(line!['amountOut'])
  expect(line!.route!.map(({ pool }) => pool)).toEqual(again.route.map(({ pool }) => pool.id))
})

it('a swap is logged with its floor and the hash of its calldata, and without a wallet', async () => {
  const { body } = await api.get<SwapBody>(
    `/swap/v1/999/swap?${ORDER}&slippage=1&receiver=${RECEIVER}`,
  )
  const text = lines.join('\n')
  const [line] = quoteLines()
  const least = (BigInt(body.dstAmount) * 99n) / 100n
  expect(line).toMatchObject({ endpoint: 'swap', amountOut: body.dstAmount })
  expect(line!['callHash']).toBe(keccak256(body.tx.data as Hex))
  expect(BigInt(`${line!['floor']}`) - least).toBeLessThanOrEqual(1n)
  for (const secret of [RECEIVER, api.key]) expect(text).not.toContain(secret)
})
