/**
 * The connector behind the host's own server, asked as Hummingbot's client asks, against the API on a real
 * chain: what a response says was traded is what the wallet gave and got.
 */
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { type Address, NATIVE } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, formatUnits, maxUint256, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HostChain } from './connector.js'
import { hostChain, startHost } from './testing/host.js'

let served: DevnetApi
let host: Awaited<ReturnType<typeof startHost>>
let wallet: Address
let usdc: Address

beforeAll(async () => {
  served = await startDevnetApi()
  wallet = served.devnet.wallet.address
  usdc = served.devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  host = await startHost(served)
  await served.catchUp()
})
afterAll(async () => {
  await host?.stop()
  await served?.stop()
})

const usdcOf = (): Promise<bigint> =>
  served.devnet.client.readContract({
    ...{ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] },
  })
const sentBy = () => served.devnet.client.getTransactionCount({ address: wallet })
const inUsdc = (wei: bigint) => Number(formatUnits(wei, 6))

/** Approves the router, as the host's own route `approve` does. */
async function approve(amount: bigint) {
  const { client, mine, router } = served.devnet
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, amount],
  })
  const gasPrice = numberToHex((await client.getGasPrice()) * 2n)
  const params = [{ from: wallet, to: usdc, data, gasPrice }] as const
  await client.request({ method: 'eth_sendTransaction', params: [...params] })
  await mine()
  await served.catchUp()
}

const sale = { baseToken: 'HYPE', quoteToken: 'USDC', amount: 3, side: 'SELL' }
const purchase = { baseToken: 'HYPE', quoteToken: 'USDC', amount: 2.5, side: 'BUY' }

it('sells: the price, then the quote, then what the quote said', async () => {
  const priced = await host.ask('GET', 'quote-swap', sale)
  expect(priced).toMatchObject({ status: 200, body: { quoteId: 'indicative-price', amountIn: 3 } })
  const { body: quote } = await host.ask('GET', 'quote-swap', {
    ...{ ...sale, indicativePrice: false, slippagePct: 0.5, network: 'hyperevm' },
    takerAddress: wallet,
  })
  expect(quote).toMatchObject({ tokenIn: NATIVE, tokenOut: usdc, maxAmountIn: 3 })
  expect(quote.amountOut).toBe(priced.body.amountOut)
  expect(quote.price).toBeCloseTo(quote.amountOut / 3, 12)
  expect(quote.minAmountOut).toBeCloseTo(quote.amountOut * 0.995, 5)
  const before = await usdcOf()
  const { status, body } = await host.ask('POST', 'execute-quote', { quoteId: quote.quoteId })
  expect({ status, is: body.status }).toEqual({ status: 200, is: 1 })
  expect(body.data.amountOut).toBe(quote.amountOut)
  expect(body.data.baseTokenBalanceChange).toBe(-3)
  expect(body.data.quoteTokenBalanceChange).toBe(inUsdc((await usdcOf()) - before))
  expect(body.data.fee).toBeGreaterThan(0)
})

it('buys an exact amount: at least that arrives, for no more than the quote allows', async () => {
  await approve(maxUint256)
  const { body: quote } = await host.ask('GET', 'quote-swap', {
    ...{ ...purchase, indicativePrice: false, slippagePct: 0.5 },
  })
  expect(quote).toMatchObject({ tokenIn: usdc, amountOut: 2.5, minAmountOut: 2.5 })
  expect(quote.maxAmountIn).toBeCloseTo(quote.amountIn * 1.005, 5)
  expect(quote.price).toBeCloseTo(quote.amountIn / 2.5, 12)
  const before = await usdcOf()
  const { body } = await host.ask('POST', 'execute-quote', { quoteId: quote.quoteId })
  expect(body).toMatchObject({ status: 1, data: { tokenIn: usdc, tokenOut: NATIVE } })
  expect(body.data.amountOut).toBeGreaterThanOrEqual(2.5)
  expect(body.data.amountIn).toBe(quote.maxAmountIn)
  expect(body.data.quoteTokenBalanceChange).toBe(inUsdc((await usdcOf()) - before))
})

it('quotes and executes in one request, with the slippage of the settings', async () => {
  const before = await usdcOf()
  const { body } = await host.ask('POST', 'execute-swap', { ...sale, walletAddress: wallet })
  expect(body).toMatchObject({ status: 1, data: { amountIn: 3 } })
  expect(body.data.quoteTokenBalanceChange).toBe(inUsdc((await usdcOf()) - before))
})

it('tells why it refuses, and sends nothing', async () => {
  await approve(0n)
  const before = await sentBy()
  const refusals = [
    [{ ...sale, baseToken: 'NONE' }, /Token not found: NONE/],
    [{ ...sale, network: 'mainnet' }, /network mainnet is not served/],
    [{ ...sale, amount: 0 }, /0 is no amount of HYPE/],
    [{ ...purchase, baseToken: 'USDC', quoteToken: 'HYPE', amount: 1e-7 }, /no amount of USDC/],
    [{ ...sale, amount: -1 }, /-1 is no amount/],
    [{ ...sale, quoteToken: 'HYPE' }, /Braid: [A-Z_]+: /],
    [purchase, /Braid: [A-Z_]*ALLOWANCE[A-Z_]*: /],
  ] as const
  for (const [order, reason] of refusals) {
    const { status, body } = await host.ask('POST', 'execute-swap', order)
    expect({ order, status, message: body.message }).toEqual({
      ...{ order, status: 400, message: expect.stringMatching(reason) },
    })
  }
  expect(await host.ask('GET', 'quote-swap', { ...sale, side: 'HOLD' })).toMatchObject({
    status: 400,
  })
  expect(await sentBy()).toBe(before)
})

const firm = { ...sale, indicativePrice: false }

it('executes a quote once, in time, and for its wallet alone', async () => {
  const quoteOf = async () => (await host.ask('GET', 'quote-swap', firm)).body.quoteId as string
  const expired = await quoteOf()
  host.quotes.set(expired, { ...(host.quotes.get(expired) as object), expiresMs: Date.now() - 1 })
  const before = await sentBy()
  const refused = (sent: object) => host.ask('POST', 'execute-quote', { ...sent })
  expect((await refused({ quoteId: 'none' })).body.message).toMatch(/not found or expired/)
  expect((await refused({ quoteId: expired })).body.message).toMatch(/not found or expired/)
  const other = '0x00000000000000000000000000000000000000bb'
  const another = await refused({ quoteId: await quoteOf(), walletAddress: other })
  expect(another).toMatchObject({ status: 400, body: { message: `The quote is for ${wallet}` } })
  expect(await sentBy()).toBe(before)
  const once = await quoteOf()
  expect(await refused({ quoteId: once })).toMatchObject({ status: 200, body: { status: 1 } })
  expect(await refused({ quoteId: once })).toMatchObject({ status: 400 })
  expect(await sentBy()).toBe(before + 1)
})

it('says that a transaction is pending, and that one failed', async () => {
  const executed = async (change: Partial<HostChain>) => {
    const other = await startHost(served, {}, hostChain(served, change))
    const { body: quote } = await other.ask('GET', 'quote-swap', firm)
    const answer = await other.ask('POST', 'execute-quote', { quoteId: quote.quoteId })
    await other.stop()
    return answer
  }
  const pending = await executed({ handleTransactionExecution: async () => null })
  expect(pending).toMatchObject({ status: 200, body: { status: 0 } })
  expect(pending.body.signature).toMatch(/^0x[0-9a-f]{64}$/)
  const { handleTransactionExecution } = hostChain(served)
  const failed = await executed({
    handleTransactionExecution: async (sent) => ({
      ...(await handleTransactionExecution(sent))!,
      status: 0,
    }),
  })
  expect(failed).toMatchObject({ status: 500, body: { message: /failed on-chain/ } })
})

it('keeps no quote that is not the order: another router, another chain', async () => {
  const other = '0x00000000000000000000000000000000000000bb'
  const astray = await startHost(served, { router: other })
  const { status, body } = await astray.ask('GET', 'quote-swap', firm)
  expect({ status, message: body.message }).toEqual({
    ...{ status: 500, message: 'Braid: the swap is not the order: router' },
  })
  expect(astray.quotes.size).toBe(0)
  await astray.stop()
  const wrongChain = await startHost(served, {}, hostChain(served, { chainId: 1 }))
  expect(await wrongChain.ask('GET', 'quote-swap', sale)).toMatchObject({ status: 400 })
  await wrongChain.stop()
})
