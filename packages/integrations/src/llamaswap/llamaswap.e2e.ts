/**
 * The adapter in the order in which LlamaSwap's interface calls it, against the API on a real chain:
 * what the list of routes shows is what arrives in the wallet.
 */
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { erc20Abi, getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAdapter, type HostCall } from './adapter.js'
import { askRoute, getTxs, type HostOrder } from './testing/host.js'

let served: DevnetApi
let wallet: Address
let usdc: Address
let adapter: ReturnType<typeof createAdapter>
/** Gas that the wallet paid, in wei. */
let paid = 0n

beforeAll(async () => {
  served = await startDevnetApi()
  wallet = served.devnet.wallet.address
  usdc = served.devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  adapter = adapterOf()
  await served.catchUp()
})
afterAll(() => served?.stop())

function adapterOf(change: { readonly router?: Address; readonly apikey?: string } = {}) {
  const { url: api, apikey, devnet } = served
  return createAdapter({ api, router: devnet.router, apikey, getTxs, sendTx, ...change })
}

/** Sends the calls as the wallet does, one block each; the hash of the last. */
async function sendTx(calls: HostCall[]) {
  const { client, mine } = served.devnet
  const hex = (wei: bigint) => `0x${wei.toString(16)}` as const
  let last: Hex | undefined
  for (const { from, to, data, value = 0n } of calls) {
    const gasPrice = hex((await client.getGasPrice()) * 2n)
    const params = [{ from, to, data, value: hex(value), gasPrice }] as const
    const hash = await client.request({ method: 'eth_sendTransaction', params: [...params] })
    await mine()
    const receipt = await client.getTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    last = hash
    paid += receipt.gasUsed * receipt.effectiveGasPrice
  }
  await served.catchUp()
  return last
}

const balanceOf = (token: Address): Promise<bigint> =>
  token === zeroAddress
    ? served.devnet.client.getBalance({ address: wallet })
    : served.devnet.client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] },
      })

const orderOf = (from: Address, to: Address, amount: bigint, change = {}): HostOrder => ({
  ...{ chain: 'hyperliquid', from, to, amount: `${amount}` },
  extra: { userAddress: wallet, slippage: '0.5', amountOut: '0', ...change },
})

/** Asks and swaps; what was shown, and what of the bought token arrived, without the gas paid. */
async function swap(order: HostOrder, eip5792?: { readonly isTokenApproved: boolean }) {
  const { price } = await askRoute(adapter, order)
  const [before, paidBefore] = [await balanceOf(order.to), paid]
  await adapter.swap({
    ...{ chain: order.chain, from: order.from, fromAddress: wallet, fromAmount: order.amount },
    ...{ rawQuote: price!.rawQuote, tokens: { fromToken: { address: order.from } } },
    ...(eip5792 && { eip5792 }),
  })
  const gas = order.to === zeroAddress ? paid - paidBefore : 0n
  const arrived = (await balanceOf(order.to)) - before + gas
  return { shown: BigInt(price!.amountReturned), arrived }
}

it('sells a token for the native one, approved in the same batch: what is shown arrives', async () => {
  const order = orderOf(usdc, zeroAddress, 25_000_000_000n)
  const { shown, arrived } = await swap(order, { isTokenApproved: false })
  expect(shown).toBeGreaterThan(0n)
  expect(arrived).toBe(shown)
  const args = [wallet, adapter.approvalAddress('hyperliquid')!] as const
  const left = { address: usdc, abi: erc20Abi, functionName: 'allowance', args } as const
  expect(await served.devnet.client.readContract(left)).toBe(0n)
})

it('sells the native token without an approval: what is shown arrives', async () => {
  const { shown, arrived } = await swap(orderOf(zeroAddress, usdc, 3n * 10n ** 18n))
  expect(arrived).toBe(shown)
})

it('shows a price without a wallet: the same amount, and no transaction', async () => {
  const connected = await askRoute(adapter, orderOf(usdc, zeroAddress, 10n ** 9n))
  const order = orderOf(usdc, zeroAddress, 10n ** 9n, { userAddress: zeroAddress })
  const { price, txData, tx } = await askRoute(adapter, order)
  expect(price!.amountReturned).toBe(connected.price!.amountReturned)
  expect(Number(price!.estimatedGas)).toBeGreaterThan(21_000)
  const [sender, router] = [getAddress(wallet), getAddress(served.devnet.router)]
  expect(connected.tx).toMatchObject({ from: sender, to: router, value: '0' })
  expect({ rawQuote: price!.rawQuote, txData, tx }).toEqual({ rawQuote: null, txData: '', tx: {} })
})

it('is left out where it cannot serve: another chain, an exact output', async () => {
  const order = orderOf(usdc, zeroAddress, 10n ** 9n)
  expect(await askRoute(adapter, { ...order, chain: 'ethereum' })).toEqual({ price: null })
  const bought = orderOf(usdc, zeroAddress, 0n, { amountOut: '1000' })
  expect(await askRoute(adapter, bought)).toEqual({ price: null })
  await expect(
    adapter.getQuote('hyperliquid', usdc, zeroAddress, '0', bought.extra),
  ).rejects.toThrow(/cannot buy/)
})

it('refuses what the API refuses, with its reason', async () => {
  const stranger = '0x00000000000000000000000000000000000000bb'
  await expect(askRoute(adapter, orderOf(stranger, usdc, 1n))).rejects.toThrow(/^Braid: [A-Z_]+: /)
  const wrongKey = adapterOf({ apikey: 'brd_wrong' })
  await expect(askRoute(wrongKey, orderOf(usdc, zeroAddress, 1n))).rejects.toThrow(
    /^Braid: API_KEY_INVALID: /,
  )
})

it('sends nothing to another router, for another wallet or with another value', async () => {
  const other = '0x00000000000000000000000000000000000000bb'
  const order = orderOf(zeroAddress, usdc, 10n ** 18n)
  await expect(askRoute(adapterOf({ router: other }), order)).rejects.toThrow(/the router is/)
  const { price } = await askRoute(adapter, order)
  const { rawQuote } = price!
  const chosen = {
    ...{ chain: 'hyperliquid', from: zeroAddress, fromAddress: wallet, fromAmount: 10n ** 18n },
    ...{ rawQuote, tokens: { fromToken: { address: NATIVE } } },
  }
  const nonce = () => served.devnet.client.getTransactionCount({ address: wallet })
  const before = await nonce()
  await expect(adapter.swap({ ...chosen, fromAddress: other })).rejects.toThrow(/is for/)
  await expect(adapter.swap({ ...chosen, fromAmount: 1n })).rejects.toThrow(/pays/)
  await expect(adapter.swap({ ...chosen, from: usdc })).rejects.toThrow(/pays/)
  await expect(adapter.swap({ ...chosen, rawQuote: null })).rejects.toThrow(/without a wallet/)
  const moved = { ...rawQuote!, tx: { ...rawQuote!.tx, to: other } } as const
  await expect(adapter.swap({ ...chosen, rawQuote: moved })).rejects.toThrow(/the router is/)
  expect(await nonce()).toBe(before)
})
