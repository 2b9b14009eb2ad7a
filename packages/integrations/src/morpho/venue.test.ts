/**
 * What the venue does with answers that no API of ours gives, or gives only at bad times: the host's
 * encoder stays as it was, the order comes back, and the host can try its next venue.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExecutorEncoder } from 'executooor-viem'
import { createClient, custom, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { createVenue } from './venue.js'

const address = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
const [ROUTER, EXECUTOR, STRANGER, OWNER] = ['1', '2', '3', '4'].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
]
const order = { src: address('a'), dst: address('b'), srcAmount: 1_000_000n }

const abi = parseAbi([
  'function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 minAmountOut, address receiver, uint256 deadline, bytes program) payable returns (uint256 amountOut)',
])

/** The arguments of the right answer to the order, which sells for 2,000 less 1 %. */
const right = {
  ...{ tokenIn: order.src, amountIn: order.srcAmount, tokenOut: order.dst },
  ...{ minAmountOut: 1_980n, receiver: EXECUTOR },
}

function dataOf(change: Partial<typeof right> = {}): Hex {
  const { tokenIn, amountIn, tokenOut, minAmountOut, receiver } = { ...right, ...change }
  const args = [tokenIn, amountIn, tokenOut, minAmountOut, receiver, 2n ** 40n, '0x01'] as const
  return encodeFunctionData({ abi, functionName: 'swap', args })
}

const bodyOf = (tx: Readonly<Record<string, unknown>> = {}, dstAmount: string | null = '2000') =>
  JSON.stringify({ dstAmount, tx: { to: ROUTER, data: dataOf(), value: '0', ...tx } })

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function listen(answer: RequestListener): Promise<string> {
  server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function encoderOf(chainId = 999) {
  const chain = {
    ...{ id: chainId, name: 'test', rpcUrls: { default: { http: [] } } },
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
  }
  const transport = custom({ request: () => Promise.reject(new Error('no node is needed')) })
  return new ExecutorEncoder(EXECUTOR, createClient({ chain, transport, account: OWNER }))
}

/** Converts the order with an API that answers so. */
async function convert(answer: RequestListener, settings: { readonly timeoutMs?: number } = {}) {
  const reasons: string[] = []
  const asked: { readonly url: URL; readonly apikey: unknown }[] = []
  const api = await listen((request, response) => {
    asked.push({ url: new URL(request.url!, 'http://api'), apikey: request.headers['apikey'] })
    answer(request, response)
  })
  const venue = createVenue({
    ...{ api, router: ROUTER, slippageBps: 100, apikey: 'k', ...settings },
    report: (reason) => reasons.push(reason),
  })
  const encoder = encoderOf()
  const result = await venue.convert(encoder, order)
  return { result, calls: encoder.flush(), reasons, asked, api }
}

const answering =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body)

/** Converts, and fails unless the venue left everything as it was. The reason that it reported. */
async function reasonFor(answer: RequestListener, settings?: { readonly timeoutMs?: number }) {
  const { result, calls, reasons } = await convert(answer, settings)
  expect({ result, calls }).toEqual({ result: order, calls: [] })
  expect(reasons).toHaveLength(1)
  return reasons[0]!
}

it('approves the router for the order and calls it, each once, without the native token', async () => {
  const { result, calls, reasons, asked } = await convert(answering(bodyOf()))
  expect(result).toEqual({ src: order.dst, dst: order.dst, srcAmount: 0n })
  expect(calls).toEqual([
    ExecutorEncoder.buildErc20Approve(order.src, ROUTER, order.srcAmount),
    ExecutorEncoder.buildCall(ROUTER, 0n, dataOf()),
  ])
  expect(reasons).toEqual([])
  expect(asked).toHaveLength(1)
  const { url, apikey } = asked[0]!
  expect([url.pathname, apikey]).toEqual(['/swap/v1/999/swap', 'k'])
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ src: order.src, dst: order.dst, amount: '1000000', slippage: '1' },
    ...{ from: EXECUTOR, receiver: EXECUTOR, skipChecks: 'true' },
  })
})

describe('leaves the order to other venues, with the reason', () => {
  it('when the API finds no route (422)', async () => {
    const body = '{"code":"NO_ROUTE","message":"no route"}'
    expect(await reasonFor(answering(body, 422))).toMatch(/answers 422: .*NO_ROUTE/)
  })

  it('when the API is not ready (503)', async () => {
    const body = '{"code":"STATE_STALE","message":"the state is old"}'
    expect(await reasonFor(answering(body, 503))).toMatch(/answers 503: .*STATE_STALE/)
  })

  it('when a proxy in front of the API answers in HTML (502)', async () => {
    expect(await reasonFor(answering('<html>Bad gateway</html>', 502))).toMatch(
      /answers 502: <html/,
    )
  })

  it('when the API does not answer in time', async () => {
    expect(await reasonFor(() => {}, { timeoutMs: 50 })).toMatch(/timeout/)
  })

  it('when the API stops within its answer', async () => {
    const half: RequestListener = (_, response) => {
      response.writeHead(200)
      response.write('{"dstAmount":')
    }
    expect(await reasonFor(half, { timeoutMs: 50 })).toMatch(/timeout/)
  })

  it('when the connection breaks', async () => {
    expect(await reasonFor((_, response) => response.destroy())).toMatch(/fetch failed/)
  })

  it('when the API redirects, without asking there', async () => {
    const { result, calls, reasons, asked } = await convert((_, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    )
    expect({ result, calls }).toEqual({ result: order, calls: [] })
    expect([reasons.length, asked.length]).toEqual([1, 1])
  })
})

describe('appends nothing when the answer is another swap', () => {
  it.each([
    ['another contract called', bodyOf({ to: STRANGER }), /the contract called is/],
    ['native value', bodyOf({ value: '1' }), /pays 1 wei/],
    ['another token sold', bodyOf({ data: dataOf({ tokenIn: STRANGER }) }), /token sold is/],
    ['more sold', bodyOf({ data: dataOf({ amountIn: 1_000_001n }) }), /amount sold is 1000001/],
    ['less sold', bodyOf({ data: dataOf({ amountIn: 999_999n }) }), /amount sold is 999999/],
    ['another token bought', bodyOf({ data: dataOf({ tokenOut: STRANGER }) }), /token bought is/],
    ['another receiver', bodyOf({ data: dataOf({ receiver: STRANGER }) }), /the receiver is/],
    ['a floor too low', bodyOf({ data: dataOf({ minAmountOut: 1_979n }) }), /the floor is 1979/],
    ['no floor', bodyOf({ data: dataOf({ minAmountOut: 0n }) }, '0'), /the floor is 0/],
    ['another function', bodyOf({ data: '0x095ea7b3' }), /signature/],
    ['half of the calldata', bodyOf({ data: dataOf().slice(0, 200) }), /bytes|size|bounds/i],
    ['no calldata', bodyOf({ data: undefined }), /left to other venues/],
    ['no transaction', '{"dstAmount":"2000"}', /left to other venues/],
    ['no amount', bodyOf({}, null), /left to other venues/],
    ['null', 'null', /left to other venues/],
    ['no JSON', '<html>', /JSON/],
  ])('%s', async (_, body, reason) => {
    expect(await reasonFor(answering(body))).toMatch(reason)
  })
})

it('supports two tokens of HyperEVM, however they are written, and no other chain', () => {
  const venue = createVenue({ api: 'http://api', router: ROUTER, slippageBps: 100 })
  expect(venue.supportsRoute(encoderOf(), order.src, order.dst)).toBe(true)
  expect(venue.supportsRoute(encoderOf(1), order.src, order.dst)).toBe(false)
  const lower = order.src.toLowerCase() as Hex
  expect(venue.supportsRoute(encoderOf(), order.src, lower)).toBe(false)
})

it.each([-1, 0.5, 5_001, Number.NaN])('refuses a slippage of %s basis points', (slippageBps) => {
  expect(() => createVenue({ api: 'http://api', router: ROUTER, slippageBps })).toThrow(RangeError)
})
