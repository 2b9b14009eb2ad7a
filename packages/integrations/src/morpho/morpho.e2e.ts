/**
 * The venue with the encoder and the executor contract of Morpho's liquidation bot, both from npm,
 * against the API on a real chain: what the API's simulation promises is what the executor gets. The
 * seizure of a collateral is a transfer here, because what the venue appends depends only on the balance.
 */
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import type { Address, Hex } from '@braid-swap/core'
import { bytecode, ExecutorEncoder, executorAbi } from 'executooor-viem'
import { createWalletClient, encodeDeployData, encodeFunctionData, erc20Abi, http } from 'viem'
import { hyperEvm } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVenue } from './venue.js'

const SLIPPAGE_BPS = 50

let served: DevnetApi
let owner: Address
let executor: Address
let reasons: string[]

beforeAll(async () => {
  served = await startDevnetApi()
  owner = served.devnet.wallet.address
  const data = encodeDeployData({ abi: executorAbi, bytecode, args: [owner] })
  executor = (await send({ data })).contractAddress!
  reasons = []
})
afterAll(() => served?.stop())

type Call = { readonly to?: Address; readonly data: Hex; readonly from?: Address }

/** Sends a call and mines it, whatever becomes of it. */
async function send({ to, data, from = owner }: Call) {
  const { client, mine } = served.devnet
  const gasPrice = `0x${((await client.getGasPrice()) * 2n).toString(16)}` as const
  const call = { from, data, gasPrice, gas: '0x1e8480', ...(to && { to }) } as const
  const hash = await client.request({ method: 'eth_sendTransaction', params: [call] })
  await mine()
  await served.catchUp()
  return client.getTransactionReceipt({ hash })
}

const tokenOf = (symbol: string): Address =>
  served.devnet.tokens.find((token) => token.symbol === symbol)!.address

function read(token: Address, functionName: 'balanceOf' | 'allowance', ...args: Address[]) {
  const call = { address: token, abi: erc20Abi, functionName, args } as const
  return served.devnet.client.readContract(call as never) as Promise<bigint>
}

const balanceOf = (token: Address) => read(token, 'balanceOf', executor)

function encoderOf(): ExecutorEncoder {
  const transport = http(served.devnet.rpcUrl)
  const client = createWalletClient({ chain: hyperEvm, transport, account: owner })
  return new ExecutorEncoder(executor, client)
}

function venueOf(router: Address = served.devnet.router) {
  const { url: api, apikey } = served
  const report = (reason: string) => reasons.push(reason)
  return createVenue({ api, router, apikey, slippageBps: SLIPPAGE_BPS, report })
}

/** What a seizure gives the executor. */
async function seize(token: Address, amount: bigint): Promise<void> {
  const args = [executor, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  expect((await send({ to: token, data })).status).toBe('success')
}

/** What the API's simulation says that the conversion of an amount brings the executor. */
async function promised(src: Address, dst: Address, amount: bigint): Promise<bigint> {
  const { headers, body } = await served.get<{ dstAmount: string }>('/swap/v1/999/swap', {
    ...{ src, dst, amount: `${amount}`, from: executor, receiver: executor },
    ...{ slippage: `${SLIPPAGE_BPS / 100}`, skipChecks: 'true', simulate: 'true' },
  })
  expect(headers.get('x-simulated-dst-amount')).toBe(body.dstAmount)
  return BigInt(body.dstAmount)
}

it.each([
  ['UBTC', 'USDC', 12_345_678n],
  ['WHYPE', 'USDC', 1_234_567_890_123_456_789n],
  ['USDC', 'UBTC', 1_234_567_891n],
])('%s to %s: the executor gets what was promised, to the wei', async (sold, bought, amount) => {
  const [src, dst] = [tokenOf(sold), tokenOf(bought)]
  await seize(src, amount)
  const [soldBefore, before] = [await balanceOf(src), await balanceOf(dst)]
  const expected = await promised(src, dst, amount)
  const [venue, encoder] = [venueOf(), encoderOf()]
  expect(venue.supportsRoute(encoder, src, dst)).toBe(true)
  const converted = await venue.convert(encoder, { src, dst, srcAmount: amount })
  expect(converted).toEqual({ src: dst, dst, srcAmount: 0n })
  const { to, data, value } = await encoder.encodeExec()
  expect(value).toBe(0n)
  expect((await send({ to, data })).status).toBe('success')
  expect((await balanceOf(dst)) - before).toBe(expected)
  expect(await balanceOf(src)).toBe(soldBefore - amount)
  expect(await read(src, 'allowance', executor, served.devnet.router)).toBe(0n)
  expect(reasons).toEqual([])
})

it('reverts as a whole if the executor does not get the floor', async () => {
  const [src, dst] = [tokenOf('UBTC'), tokenOf('USDC')]
  const amount = 300_000_000n
  await seize(src, amount)
  const [early, late] = [encoderOf(), encoderOf()]
  for (const encoder of [early, late]) {
    await venueOf().convert(encoder, { src, dst, srcAmount: amount })
  }
  // The first moves the price for the second, which was made for the same block.
  const { to, data } = await early.encodeExec()
  expect((await send({ to, data })).status).toBe('success')
  await seize(src, amount)
  const before = [await balanceOf(src), await balanceOf(dst)]
  expect((await send({ to, data: (await late.encodeExec()).data })).status).toBe('reverted')
  expect([await balanceOf(src), await balanceOf(dst)]).toEqual(before)
  expect(await read(src, 'allowance', executor, served.devnet.router)).toBe(0n)
})

it('leaves to other venues what has no route, and an API of another router', async () => {
  const [src, dst] = [tokenOf('UBTC'), tokenOf('USDC')]
  const stranger = '0x00000000000000000000000000000000000000bb'
  for (const [venue, order, reason] of [
    [venueOf(), { src: stranger, dst, srcAmount: 1n }, /the API answers 4\d\d: .*"code"/],
    [
      venueOf(),
      { src, dst, srcAmount: 2n ** 127n },
      /the API answers 422: .*INSUFFICIENT_LIQUIDITY/,
    ],
    [venueOf(stranger), { src, dst, srcAmount: 10_000n }, /the contract called is/],
  ] as const) {
    reasons = []
    const encoder = encoderOf()
    expect(await venue.convert(encoder, order)).toBe(order)
    expect(encoder.flush()).toEqual([])
    expect(reasons).toEqual([expect.stringMatching(reason)])
  }
})
