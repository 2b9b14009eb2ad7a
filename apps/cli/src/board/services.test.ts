import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Asked, askOver, services } from './services.js'

const name = (digit: string) => `0x${digit.repeat(40)}` as const
const [usdc, ubtc, router, spender, from] = ['1', '2', 'A', 'b', 'c'].map(name) as [
  ...[`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`],
]
const asked: Asked = {
  ...{ src: usdc, dst: ubtc, amount: 25_000_500_000n, srcDecimals: 6, from, slippageBps: 50 },
}
const to = router.toLowerCase()

type Seen = { readonly url: URL; readonly headers: Record<string, unknown>; readonly body: unknown }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server that gives recorded answers by path, over real HTTP, and keeps what it was asked. */
async function serve(answers: Readonly<Record<string, readonly [number, unknown]>>) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    let text = ''
    for await (const part of request) text += part
    seen.push({ url, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) })
    const [status, answer] = Object.entries(answers).find(([path]) => path === url.pathname)![1]
    response.statusCode = status
    if (status === 302) response.setHeader('location', 'http://127.0.0.1:9/')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  stops.push(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, stop }
}

const offerOf = (service: string, url: string, key = '') =>
  services.get(service)!.offer(asked, askOver(url, 5_000), key)

// The forms of the answers are those that each service publishes, cut to the fields around the price.
const liquidSwapAnswer = {
  success: true,
  tokens: { tokenIn: { address: usdc, decimals: 6 }, tokenOut: { address: ubtc, decimals: 8 } },
  ...{ amountIn: '25000.5', amountOut: '0.25311', averagePriceImpact: '0.04%' },
  execution: {
    ...{ to: router, calldata: '0xabcd01' },
    details: { path: [usdc, ubtc], amountIn: '25000500000', amountOut: '25311000' },
  },
}
const zeroExAnswer = {
  ...{ allowanceTarget: spender, blockNumber: '10', buyAmount: '25311000', buyToken: ubtc },
  ...{ liquidityAvailable: true, sellAmount: '25000500000', sellToken: usdc, zid: '0x1' },
  issues: { allowance: { actual: '0', spender }, balance: null, simulationIncomplete: false },
  transaction: { to: router, data: '0xabcd02', gas: '300000', gasPrice: '1', value: '0' },
}
const oneInchAnswer = {
  dstAmount: '25311000',
  tx: { from, to: router, data: '0xabcd03', value: '0', gas: 0, gasPrice: '1' },
}
const routeSummary = {
  ...{ tokenIn: usdc, amountIn: '25000500000', tokenOut: ubtc, amountOut: '25311000' },
  ...{ gas: '253000', route: [[{ pool: router, exchange: 'one' }]], checksum: '17' },
}
const kyberAnswer = { code: 0, message: 'successfully', data: { routeSummary, routerAddress: to } }
const kyberBuilt = {
  ...{ code: 0, message: 'successfully' },
  data: {
    ...{ amountIn: '25000500000', amountOut: '25310000', gas: '253000', data: '0xabcd04' },
    ...{ routerAddress: router, transactionValue: '0' },
  },
}

it('LiquidSwap is asked in whole tokens, and answers in wei', async () => {
  const { url, seen } = await serve({ '/v2/route': [200, liquidSwapAnswer] })
  const call = { to, data: '0xabcd01' }
  expect(await offerOf('liquidswap', url)).toEqual({ quoted: 25_311_000n, call, spender: to })
  expect(Object.fromEntries(seen[0]!.url.searchParams)).toEqual({
    ...{ tokenIn: usdc, tokenOut: ubtc, amountIn: '25000.5', chainId: '999' },
    ...{ multiHop: 'true', slippage: '0.5' },
  })
})

it('0x names the spender apart from the router, and gets its key and its version', async () => {
  const path = '/swap/allowance-holder/quote'
  const { url, seen } = await serve({ [path]: [200, zeroExAnswer] })
  expect(await offerOf('0x', url, 'k1')).toMatchObject({
    ...{ quoted: 25_311_000n, call: { to, data: '0xabcd02' }, spender },
  })
  const [{ url: asking, headers } = seen[0]!] = seen
  expect(headers).toMatchObject({ '0x-api-key': 'k1', '0x-version': 'v2' })
  expect(Object.fromEntries(asking.searchParams)).toEqual({
    ...{ chainId: '999', sellToken: usdc, buyToken: ubtc, sellAmount: '25000500000' },
    ...{ taker: from, slippageBps: '50' },
  })
  const empty = await serve({ [path]: [200, { liquidityAvailable: false, zid: '0x2' }] })
  await expect(offerOf('0x', empty.url)).rejects.toMatchObject({ why: 'refused' })
})

it('1inch gets its key as a bearer, and estimates nothing for an account without tokens', async () => {
  const { url, seen } = await serve({ '/swap/v6.1/999/swap': [200, oneInchAnswer] })
  expect(await offerOf('1inch', url, 'k2')).toMatchObject({ quoted: 25_311_000n, spender: to })
  expect(seen[0]!.headers['authorization']).toBe('Bearer k2')
  expect(seen[0]!.url.searchParams.get('disableEstimate')).toBe('true')
})

it('KyberSwap gets its own route back, and the promise is that of the calldata', async () => {
  const { url, seen } = await serve({
    '/hyperevm/api/v1/routes': [200, kyberAnswer],
    '/hyperevm/api/v1/route/build': [200, kyberBuilt],
  })
  expect(await offerOf('kyber', url)).toMatchObject({
    ...{ quoted: 25_310_000n, call: { to, data: '0xabcd04' } },
  })
  expect(seen[1]!.body).toMatchObject({
    ...{ routeSummary, sender: from, recipient: from, slippageTolerance: 50 },
  })
})

it.each([
  ['a refusal in its words', 400, { message: 'no route found' }, 'refused', 'no route found'],
  ['a refusal with 200', 200, { success: false, message: 'thin' }, 'refused', 'thin'],
  ['another form', 200, { execution: { to: 'nowhere' } }, 'unreadable', 'execution.to'],
  [
    'native tokens on top',
    200,
    { ...liquidSwapAnswer, execution: { ...liquidSwapAnswer.execution, value: '1' } },
    ...['unreadable', 'execution.value'],
  ],
  ['a page of a proxy', 502, '<html>bad gateway</html>', 'unreachable', 'HTTP 502'],
  ['a login page', 200, '<html>hello</html>', 'refused', 'HTTP 200 without JSON'],
  ['a redirect', 302, '', 'unreachable', ''],
  ['control characters', 400, { message: 'a\u001b[2Jb\nc' }, 'refused', 'a [2Jb c'],
] as const)('%s is no offer', async (_, status, answer, why, said) => {
  const { url } = await serve({ '/v2/route': [status, answer] })
  await expect(offerOf('liquidswap', url)).rejects.toMatchObject({
    ...{ why, message: expect.stringContaining(said) },
  })
})

it('a service that is gone is not reachable, and the reason is named', async () => {
  const { url, stop } = await serve({})
  stop()
  await expect(offerOf('liquidswap', url)).rejects.toMatchObject({
    ...{ why: 'unreachable', message: 'ECONNREFUSED' },
  })
})
