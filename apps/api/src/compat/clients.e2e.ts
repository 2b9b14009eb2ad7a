/**
 * Clients of other services quote and swap here, on a real chain, with only their base address
 * changed. What they were quoted arrives.
 */
import { createClientV2 } from '@0x/swap-ts-sdk'
import { ZRXQuoteSource } from '@balmy/sdk/dist/services/quotes/quote-sources/0x-quote-source.js'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Devnet } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compatNames } from '../config/compatNames.js'
import { createLiquidSwapClient } from '../testing/liquidSwapClient.js'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'

let served: DevnetApi
let devnet: Devnet
let owner: Address
beforeAll(async () => {
  const keyLimits = { rate: 1_000, burst: 10_000 }
  served = await startDevnetApi({ compat: compatNames, keyless: true, keyLimits })
  ;({ devnet } = served)
  owner = devnet.wallet.address
})
afterAll(() => served?.stop())

const tokenOf = (symbol: string): Address =>
  devnet.tokens.find((token) => token.symbol === symbol)!.address

const balanceOf = (token: Address): Promise<bigint> =>
  token === NATIVE
    ? devnet.client.getBalance({ address: owner })
    : devnet.client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
      })

type Call = { readonly to: string; readonly data: string; readonly value?: bigint }

async function approve(token: Address, spender: string, amount: bigint): Promise<void> {
  const args = [spender as Address, amount] as const
  await send({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
}

/** Sends a call of the wallet and mines it; what its gas cost. */
async function send({ to, data, value = 0n }: Call): Promise<bigint> {
  const hex = (wei: bigint) => `0x${wei.toString(16)}` as const
  const gasPrice = hex((await devnet.client.getGasPrice()) * 2n)
  const call = { from: owner, to: to as Address, data: data as Hex, gasPrice }
  const params = [{ ...call, value: hex(value) }] as const
  const hash = await devnet.client.request({ method: 'eth_sendTransaction', params: [...params] })
  await devnet.mine()
  const receipt = await devnet.client.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  await served.catchUp()
  return receipt.gasUsed * receipt.effectiveGasPrice
}

/** Measures the wei of a token that a call brings the wallet, without the cost of its gas. */
async function received(token: Address, call: Call): Promise<bigint> {
  const before = await balanceOf(token)
  const gas = await send(call)
  return (await balanceOf(token)) - before + (token === NATIVE ? gas : 0n)
}

describe('LiquidSwap: a client of its published description, because npm has none', () => {
  it('sells and buys through /v2/route: what was quoted is what arrives', async () => {
    await served.catchUp()
    const client = createLiquidSwapClient(served.url)
    const [usdc, ubtc] = [tokenOf('USDC'), tokenOf('UBTC')]
    const { tokens } = await client.tokens({ search: 'WHYPE', limit: 1 })
    const sold = await client.route({
      ...{ tokenIn: usdc, tokenOut: tokens[0]!.address, amountIn: '25000.5' },
      ...{ unwrapWHYPE: true, slippage: 0.5 },
    })
    if (!sold.success) throw new Error(sold.message)
    const { to, calldata, details } = sold.execution
    expect(details.amountIn).toBe('25000500000')
    await approve(usdc, to, BigInt(details.amountIn))
    expect(await received(NATIVE, { to, data: calldata })).toBe(BigInt(details.amountOut))

    const bought = await client.route({ tokenIn: usdc, tokenOut: ubtc, amountOut: '0.12345678' })
    if (!bought.success) throw new Error(bought.message)
    const { execution } = bought
    await approve(usdc, execution.to, BigInt(execution.details.amountIn))
    const call = { to: execution.to, data: execution.calldata }
    expect(await received(ubtc, call)).toBe(BigInt(execution.details.amountOut))
    expect(execution.details.minAmountOut).toBe('12345678')
  })
})

/** Balmy's SDK passes this to each of its quote sources: the order, and a fetch. */
function orderOf(
  [sellToken, buyToken]: readonly [Address, Address],
  { sellAmount, from }: { readonly sellAmount: bigint; readonly from?: string },
) {
  const { origin } = new URL(served.url)
  // The only change: requests to the service go to our base address.
  const toUs = (url: string) => (from === undefined ? url : url.replace(from, origin))
  const fetchService = {
    fetch: (url: string, { headers }: { headers?: Record<string, string> } = {}) =>
      fetch(toUs(url), { ...(headers && { headers }) }),
  }
  return {
    components: { fetchService },
    request: {
      ...{ chainId: 999, sellToken, buyToken, order: { type: 'sell', sellAmount } },
      ...{ config: { slippagePercentage: 0.5 }, accounts: { takeFrom: owner }, external: {} },
    },
    config: { apiKey: served.apikey },
  }
}

describe('0x: the client in @balmy/sdk 0.7.7, to which only our base address is given', () => {
  it('sells through /swap/allowance-holder/quote: what was quoted is what arrives', async () => {
    const source = new ZRXQuoteSource()
    const usdc = tokenOf('USDC')
    const asked = { sellAmount: 30_000_000_000n, from: 'https://api.0x.org' }
    // Without an allowance the quote names the spender.
    const first = await source.quote(orderOf([usdc, NATIVE], asked) as never)
    expect(first.allowanceTarget.toLowerCase()).toBe(devnet.router)
    await approve(usdc, first.allowanceTarget, asked.sellAmount)
    const quote = await source.quote(orderOf([usdc, NATIVE], asked) as never)
    expect(quote.minBuyAmount).toBe((quote.buyAmount * 995n + 999n) / 1_000n)
    const { to, calldata } = quote.customData.tx
    expect(await received(NATIVE, { to, data: calldata })).toBe(quote.buyAmount)

    const sold = { ...asked, sellAmount: 10n ** 18n }
    const native = await source.quote(orderOf([NATIVE, usdc], sold) as never)
    const { tx } = native.customData
    const call = { to: tx.to, data: tx.calldata, value: BigInt(tx.value ?? 0) }
    expect(await received(usdc, call)).toBe(native.buyAmount)
  })
})

describe('0x: its own client, @0x/swap-ts-sdk 2.1.1, to which only our base address is given', () => {
  const clientOf = (apiKey: string) => createClientV2({ apiKey, url: `${served.url}/trpc/swap` })

  it('sells through allowanceHolder.getQuote: what was quoted is what arrives', async () => {
    const { swap, sources } = clientOf(served.apikey)
    const listed = await sources.getSources.query({ chainId: 999 })
    const sold = { chainId: 999, sellToken: tokenOf('USDC'), sellAmount: '10000000001' }
    const order = { ...sold, buyToken: tokenOf('UBTC'), taker: owner, slippageBps: 50 }
    await approve(order.sellToken, devnet.router, 0n)
    const price = await swap.allowanceHolder.getPrice.query(order)
    if (!price.liquidityAvailable) throw new Error('there is no price')
    for (const { source } of price.route.fills) expect(listed.sources).toContain(source)
    const { spender } = price.issues.allowance!
    await approve(order.sellToken, spender, BigInt(order.sellAmount))
    const quote = await swap.allowanceHolder.getQuote.query(order)
    if (!quote.liquidityAvailable) throw new Error('there is no quote')
    expect(quote.issues).toMatchObject({ allowance: null, balance: null })
    const { to, data, value } = quote.transaction
    const got = await received(order.buyToken as Address, { to, data, value: BigInt(value) })
    expect(got).toBe(BigInt(quote.buyAmount))
  })

  it('gets the reason of a refusal as an error of tRPC', async () => {
    const order = { chainId: 999, sellToken: NATIVE, buyToken: tokenOf('UBTC'), sellAmount: '0' }
    const { swap } = clientOf(served.apikey)
    await expect(swap.allowanceHolder.getPrice.query(order)).rejects.toMatchObject({
      name: 'TRPCClientError',
      message: expect.stringContaining('sellAmount'),
      data: { code: 'BAD_REQUEST', httpStatus: 400, path: 'swap.allowanceHolder.getPrice' },
    })
    await expect(swap.permit2.getPrice.query({ ...order, sellAmount: '1' })).rejects.toThrow(
      /not served: ask \/swap\/allowance-holder\/price/,
    )
  })
})
