import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { type Devnet, startDevnet } from '@braid-swap/devnet'
import { pino } from 'pino'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from './keys.js'
import { type RunningApi, startApi } from './startApi.js'
import { checkAnswer, checkGraph, checkRoutes } from './testing/index.js'
import type { DexCompareBody, QuoteBody, SwapBody, TokenBody } from './wire/responses.js'

let devnet: Devnet
let api: RunningApi
let folder: string
let apikey: string

beforeAll(async () => {
  devnet = await startDevnet()
  folder = await mkdtemp(join(tmpdir(), 'braid-live-'))
  const keysFile = join(folder, 'keys.json')
  apikey = (await createKey(keysFile, { label: 'live', rate: 1_000, burst: 10_000 })).key
  api = await startApi({
    ...{ rpcUrls: [devnet.rpcUrl], keysFile, router: devnet.router, venues: devnet.venues },
    // Blocks come when a test mines them, so the state grows old by the wall clock.
    ...{
      port: 0,
      pollMs: 50,
      maxStateAgeMs: 3_600_000,
      nodeTimeoutMs: 30_000,
      maxRequestMs: 60_000,
    },
    log: pino({ level: 'silent' }),
  })
  await api.ready
})
afterAll(async () => {
  await api?.stop()
  await devnet?.stop()
  await rm(folder, { recursive: true })
})

async function get<T>(path: string, params: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams(params)
  const response = await fetch(`${api.url}${path}?${query}`, { headers: { apikey } })
  const { status, headers } = response
  const body: unknown = await response.json()
  expect(checkAnswer({ path, status, body })).toEqual([])
  return { status, headers, body: body as T }
}

/** Waits until the API has the chain's newest block. */
async function catchUp(): Promise<void> {
  const number = await devnet.client.getBlockNumber()
  while (api.market.current()?.graph.snapshot.block.number !== number) await sleep(5)
}

const addressOf = (symbol: string): Address =>
  devnet.tokens.find((token) => token.symbol === symbol)!.address

const balanceOf = (token: Address, owner: Address): Promise<bigint> =>
  token === NATIVE
    ? devnet.client.getBalance({ address: owner })
    : devnet.client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
      })

/** Sends a transaction as the API built it and mines it; its receipt. */
async function send(tx: {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly gasPrice: string
  readonly gas?: string
}) {
  const hash = await devnet.client.request({
    method: 'eth_sendTransaction',
    params: [
      {
        from: tx.from as Address,
        to: tx.to as Address,
        data: tx.data as Hex,
        value: `0x${BigInt(tx.value).toString(16)}`,
        gasPrice: `0x${BigInt(tx.gasPrice).toString(16)}`,
        ...(tx.gas && { gas: `0x${BigInt(tx.gas).toString(16)}` as const }),
      },
    ],
  })
  await devnet.mine()
  return devnet.client.getTransactionReceipt({ hash })
}

describe('the flow of the interface on a real chain', () => {
  const cases = [
    ['HYPE', 'USDC', 10n ** 18n],
    ['HYPE', 'UBTC', 2_000n * 10n ** 18n],
    ['USDC', 'HYPE', 250_000n * 10n ** 6n],
    ['UETH', 'PURR', 10n ** 17n],
    ['HYPE', 'WHYPE', 5n * 10n ** 18n],
    ['WHYPE', 'HYPE', 4n * 10n ** 18n],
  ] as const

  it.each(cases)('%s to %s: what was quoted is what arrives', async (from, to, wei) => {
    const [src, dst] = [from, to].map((s) => (s === 'HYPE' ? NATIVE : addressOf(s))) as [Hex, Hex]
    const wallet = devnet.wallet.address
    const amount = `${wei}`
    await catchUp()

    if (src !== NATIVE) {
      const params = { tokenAddress: src, walletAddress: wallet }
      const before = await get<{ allowance: string }>('/swap/v1/999/approve/allowance', params)
      expect(before.body.allowance).toBe('0')
      const approval = await get<{ to: string; data: string; value: string; gasPrice: string }>(
        '/swap/v1/999/approve/transaction',
        { tokenAddress: src, amount },
      )
      expect((await send({ from: wallet, ...approval.body })).status).toBe('success')
      const after = await get<{ allowance: string }>('/swap/v1/999/approve/allowance', params)
      expect(after.body.allowance).toBe(amount)
      await catchUp()
    }

    const quoted = await get<QuoteBody>('/swap/v1/999/quote', {
      ...{ src, dst, amount, includeGraph: 'true', includeRoutes: 'true' },
    })
    expect(quoted.status).toBe(200)
    const { dstAmount, graph = [], routes = [] } = quoted.body
    expect(checkGraph({ src, dst, amount, dstAmount, graph })).toEqual([])
    expect(checkRoutes({ src, dst, amount, dstAmount, graph, routes })).toEqual([])

    const swap = await get<SwapBody>('/swap/v1/999/swap', {
      ...{ src, dst, amount, from: wallet, slippage: '0', includeGas: 'true', includeMeta: 'true' },
    })
    expect(swap.status).toBe(200)
    expect(swap.body.dstAmount).toBe(dstAmount)
    expect(swap.body.meta).toMatchObject({ simulated: true, warnings: [] })

    const held = await balanceOf(dst, wallet)
    const receipt = await send(swap.body.tx)
    expect(receipt.status).toBe('success')
    const fee = dst === NATIVE ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
    expect((await balanceOf(dst, wallet)) - held + fee).toBe(BigInt(dstAmount))
    expect(receipt.gasUsed).toBeLessThanOrEqual(BigInt(swap.body.gas ?? 0))
  })

  it('gas is at least what the node estimates', async () => {
    await catchUp()
    const params = { src: NATIVE, dst: addressOf('USDC'), amount: `${10n ** 18n}` }
    const { body } = await get<SwapBody>('/swap/v1/999/swap', {
      ...{ ...params, from: devnet.wallet.address, slippage: '1', includeGas: 'true' },
    })
    const { to, data, value } = body.tx
    const onNode = await devnet.client.estimateGas({
      ...{ account: devnet.wallet.address, to: to as Hex, data: data as Hex, value: BigInt(value) },
    })
    expect(BigInt(body.gas ?? 0)).toBeGreaterThanOrEqual(onNode)
  })

  it('a stale price is protected by the floor: the swap reverts instead of paying less', async () => {
    await catchUp()
    const order = { src: NATIVE, dst: addressOf('USDC'), amount: `${10n ** 21n}`, slippage: '0' }
    const [first, second] = [
      await get<SwapBody>('/swap/v1/999/swap', { ...order, from: devnet.wallet.address }),
      await get<SwapBody>('/swap/v1/999/swap', { ...order, from: devnet.wallet.address }),
    ]
    expect((await send(first.body.tx)).status).toBe('success')
    expect((await send(second.body.tx)).status).toBe('reverted')
  })
})

describe('the market of a real chain', () => {
  it('is followed: a trade changes the quote', async () => {
    const order = { src: NATIVE, dst: addressOf('USDC'), amount: `${10n ** 18n}` }
    await catchUp()
    const before = await get<QuoteBody>('/swap/v1/999/quote', order)
    await devnet.trade(30)
    await devnet.mine()
    await catchUp()
    const after = await get<QuoteBody>('/swap/v1/999/quote', order)
    expect(after.headers.get('x-block-number')).not.toBe(before.headers.get('x-block-number'))
    expect(after.headers.get('x-quote-id')).not.toBe(before.headers.get('x-quote-id'))
  })

  it('every token has prices near the ones the market was made with', async () => {
    let priced = 0
    for (const { address, usdPrice, symbol } of devnet.tokens) {
      const { body } = await get<TokenBody>(`/999/tokens/${address}`)
      expect(body.symbol).toBe(symbol)
      if (body.buyPriceUsd === null || body.sellPriceUsd === null) continue
      priced += 1
      const middle = (body.buyPriceUsd + body.sellPriceUsd) / 2
      expect(Math.abs(middle / usdPrice - 1)).toBeLessThan(0.1)
    }
    expect(priced).toBeGreaterThan(devnet.tokens.length / 2)
  })

  it('the service quote is never below a single pool', async () => {
    for (const { tokens } of devnet.pools) {
      const [src, dst] = tokens
      const { decimals, usdPrice } = devnet.tokens.find(({ address }) => address === src)!
      const amount = `${BigInt(Math.ceil((5_000 / usdPrice) * 10 ** decimals))}`
      const { body } = await get<DexCompareBody>('/swap/v1/999/dex-compare', { src, dst, amount })
      expect(BigInt(body.serviceQuote)).toBeGreaterThanOrEqual(
        BigInt(body.pools[0]?.amountOut ?? 0),
      )
    }
  })
})
