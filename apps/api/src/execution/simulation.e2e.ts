import {
  type Address,
  buildGraph,
  decodeRouterCall,
  type Hex,
  NATIVE,
  parseSnapshot,
  quote,
} from '@braid-swap/core'
import { PERMIT2, permit2Message } from '@braid-swap/core/advanced'
import type { Devnet } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'
import type { ErrorBody, QuoteBody, SwapBody } from '../wire/responses.js'

const HYPE = 10n ** 18n

let served: DevnetApi
let devnet: Devnet
let usdc: Address

beforeAll(async () => {
  served = await startDevnetApi()
  devnet = served.devnet
  usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
})
afterAll(() => served?.stop())

const get = <T>(endpoint: string, params: Readonly<Record<string, string>>) =>
  served.get<T>(`/swap/v1/999/${endpoint}`, params)

const swap = (params: Readonly<Record<string, string>>) =>
  get<SwapBody & ErrorBody>('swap', {
    ...{ slippage: '0', simulate: 'true', includeMeta: 'true', ...params },
  })

/** Mines what is pending and waits until the API has that block. */
async function mine(): Promise<void> {
  await devnet.mine()
  await served.catchUp()
}

async function send(to: Address, data: Hex, value = 0n): Promise<void> {
  const gasPrice = numberToHex(await devnet.client.getGasPrice())
  const gas = numberToHex(1_500_000n)
  const hash = await devnet.client.request({
    method: 'eth_sendTransaction',
    params: [{ from: devnet.wallet.address, to, data, value: numberToHex(value), gasPrice, gas }],
  })
  const isMined = () =>
    devnet.client.getTransactionReceipt({ hash }).then(
      () => true,
      () => false,
    )
  // Small blocks may be full of trades.
  do await mine()
  while (!(await isMined()))
}

describe('simulate=true', () => {
  it.each([
    ['HYPE', () => NATIVE, () => usdc, `${HYPE}`],
    ['WHYPE', () => devnet.wrappedNative, () => usdc, `${HYPE}`],
    ['USDC', () => usdc, () => NATIVE, '5000000'],
  ])(
    'gives nobody the %s that the swap takes, and says what comes out',
    async (_, src, dst, amount) => {
      const { status, headers, body } = await swap({ src: src(), dst: dst(), amount })
      expect(status).toBe(200)
      expect(body.meta?.['simulation']).toMatchObject({
        ran: true,
        ok: true,
        dstAmount: body.dstAmount,
      })
      expect(body.meta?.warnings).toEqual([])
      expect(headers.get('x-simulated-dst-amount')).toBe(body.dstAmount)
      expect(headers.get('x-gas-estimate')).toBe('node')
    },
  )

  it('needs nothing of a wallet that can pay', async () => {
    const from = devnet.wallet.address
    const { body } = await swap({ src: NATIVE, dst: usdc, amount: `${HYPE}`, from })
    expect(body.meta?.['simulation']).toMatchObject({ ran: true, dstAmount: body.dstAmount })
  })

  it('of a state that the market has left is SIMULATION_REVERTED, with the router’s reason', async () => {
    const order = { src: NATIVE, dst: usdc, amount: `${100n * HYPE}` }
    const first = await swap(order)
    const block = first.headers.get('x-block-number')!
    const { to, data, value } = first.body.tx
    await send(to as Address, data as Hex, BigInt(value))
    const late = await swap({ ...order, block })
    expect([late.status, late.body.code]).toEqual([422, 'SIMULATION_REVERTED'])
    expect(late.body.details['reason']).toMatch(
      /^(AmountOutTooLow\(\d+, \d+|RateTooLow\(0x\w+, \d+, \d+, \d+)\)$/,
    )
    const lenient = await swap({ ...order, block, slippage: '50' })
    expect(lenient.body.meta?.warnings).toMatchObject([
      { code: 'SLIPPAGE_HIGH' },
      { code: 'SIMULATION_DIFFERS' },
    ])
    expect(lenient.headers.get('x-simulated-dst-amount')).not.toBe(lenient.body.dstAmount)
  })
})

describe('the state behind a recent quote', () => {
  it('is handed out after the market moved on, and gives the same route offline', async () => {
    const amountIn = 50n * HYPE
    const params = { src: devnet.wrappedNative, dst: usdc, amount: `${amountIn}` }
    const before = await get<QuoteBody>('quote', { ...params, includeMeta: '1', includeGraph: '1' })
    await devnet.trade(30)
    await mine()
    const snapshotId = before.body.meta!.snapshotId
    const { url: base, apikey } = served
    const url = `${base}/swap/v1/999/snapshot?snapshotId=${snapshotId}`
    const text = await (await fetch(url, { headers: { apikey } })).text()
    const snapshot = parseSnapshot(text)
    expect(`${snapshot.block.number}`).toBe(before.headers.get('x-block-number'))
    const order = { tokenIn: params.src, tokenOut: usdc, amountIn }
    const { amountOut, route } = quote(buildGraph(snapshot), order)
    expect(`${amountOut}`).toBe(before.body.dstAmount)
    expect(route.map((hop) => `${hop.amountOut}`)).toEqual(
      before.body.graph?.map((hop) => hop.amountOut),
    )
  })
})

describe('permit2', () => {
  it('pays for a swap that the signature was made for before', async () => {
    const account = privateKeyToAccount(devnet.wallet.privateKey)
    const { wrappedNative, router, client } = devnet
    const amount = 2n * HYPE
    await send(
      wrappedNative,
      encodeFunctionData({ abi: [DEPOSIT], functionName: 'deposit' }),
      amount,
    )
    const args = [PERMIT2, amount] as const
    await send(wrappedNative, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    const order = { src: wrappedNative, dst: usdc, amount: `${amount}`, from: account.address }
    const refused = await swap(order)
    expect(refused.body.code).toBe('ALLOWANCE_INSUFFICIENT')

    const { timestamp } = await client.getBlock()
    const deadline = timestamp + 600n
    const nonce = 2n ** 100n
    const unsigned = await swap({ ...order, skipChecks: 'true', simulate: 'false' })
    const call = { ...decodeRouterCall(unsigned.body.tx.data as Hex), deadline }
    const message = permit2Message(call, { chainId: 999, router, nonce })
    const permit2 = await account.signTypedData(message)
    const paid = { ...order, permit2, permit2Nonce: `${nonce}`, deadline: `${deadline}` }
    const { status, body } = await swap(paid)
    expect([status, body.message]).toEqual([200, undefined])
    expect(body.meta?.['simulation']).toMatchObject({ dstAmount: body.dstAmount })
    const balance = { address: usdc, abi: erc20Abi, functionName: 'balanceOf' } as const
    const before = await client.readContract({ ...balance, args: [account.address] })
    await send(router, body.tx.data as Hex)
    const after = await client.readContract({ ...balance, args: [account.address] })
    expect(`${after - before}`).toBe(body.dstAmount)
    expect((await swap({ ...paid, skipChecks: '1' })).body.code).toBe('SIMULATION_REVERTED')
  })

  it.each([
    [{ permit2: `0x${'11'.repeat(65)}`, deadline: '99999999999' }, 'MISSING_PARAMETER'],
    [{ permit: `0x${'11'.repeat(65)}` }, 'MISSING_PARAMETER'],
    [{ permit: `0x${'11'.repeat(64)}`, deadline: '99999999999' }, 'INVALID_SIGNATURE'],
    [{ deadline: '5' }, 'AMOUNT_OUT_OF_RANGE'],
    [{ src: NATIVE, permit: `0x${'11'.repeat(65)}` }, 'NATIVE_NOT_APPROVABLE'],
  ])('%o is %s', async (more, code) => {
    const order = { src: devnet.wrappedNative, dst: usdc, amount: '1000' }
    const { status, body } = await swap({ ...order, ...(more as Record<string, string>) })
    expect([status, body.code]).toEqual([400, code])
  })
})

const DEPOSIT = {
  ...{ type: 'function', name: 'deposit', stateMutability: 'payable', inputs: [], outputs: [] },
} as const
