import { wire } from '@braid-swap/api'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Account } from '@braid-swap/devnet'
import { decodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from './execution/ask.js'
import { allowanceOf, balanceOf } from './execution/balances.js'
import { mineUntil, type PlainTx, signAndSend } from './execution/plainWallet.js'
import { startWorld, type World } from './execution/world.js'

let world: World
let poor: Account
let token: Address
let other: Address

beforeAll(async () => {
  world = await startWorld(3, { hasDoubles: false })
  const addressOf = (symbol: string) =>
    world.devnet.tokens.find((one) => one.symbol === symbol)!.address
  token = addressOf('USDC')
  other = addressOf('UETH')
  // An account of the devnet with only the native tokens for gas.
  poor = world.devnet.accounts[5]!
})

afterAll(() => world?.stop())

async function swap(params: { src: Address; amount: bigint; from?: Address }) {
  await world.catchUp()
  return world.ask(paths.swap, { dst: other, slippage: '1', ...params })
}

async function allowance(account: Account): Promise<bigint> {
  await world.catchUp()
  const { body } = await world.ask(paths.allowance, {
    tokenAddress: token,
    walletAddress: account.address,
  })
  return BigInt(wire.allowanceSchema.parse(body).allowance)
}

async function approve(account: Account, amount?: bigint): Promise<PlainTx> {
  await world.catchUp()
  const { body } = await world.ask(paths.approve, { tokenAddress: token, amount })
  const approval = wire.approveTransactionSchema.parse(body)
  const receipt = await mineUntil(world.devnet, await signAndSend(world.devnet, account, approval))
  expect(receipt.status).toBe('success')
  return approval
}

describe('interface 4.2, rule 1: the balance must cover the amount', () => {
  it('refuses a token order above the balance and reports the balance', async () => {
    await world.devnet.fund(poor.address, token, 999_999n)
    const { status, body } = await swap({ src: token, amount: 1_000_000n, from: poor.address })
    const error = wire.errorSchema.parse(body)
    expect([status, error.code]).toEqual([400, 'BALANCE_INSUFFICIENT'])
    expect(error.details).toMatchObject({ required: '1000000', available: '999999' })
    expect(error.message).toContain('999999')
    expect(error.issues.map(({ code }) => code)).toEqual([
      'BALANCE_INSUFFICIENT',
      'ALLOWANCE_INSUFFICIENT',
    ])
  })

  it('refuses a native order above the balance, and one that leaves nothing for gas', async () => {
    const balance = 100n * 10n ** 18n
    await world.devnet.client.setBalance({ address: poor.address, value: balance })
    const refused = await swap({ src: NATIVE, amount: balance + 1n, from: poor.address })
    const error = wire.errorSchema.parse(refused.body)
    expect([refused.status, error.code]).toEqual([400, 'BALANCE_INSUFFICIENT'])
    const all = await swap({ src: NATIVE, amount: balance, from: poor.address })
    const short = wire.errorSchema.parse(all.body)
    expect([all.status, short.code]).toEqual([400, 'GAS_NOT_COVERED'])
    const most = BigInt(String(short.details!['most']))
    const served = await swap({ src: NATIVE, amount: most, from: poor.address })
    const { tx } = wire.swapSchema.parse(served.body)
    const receipt = await mineUntil(world.devnet, await signAndSend(world.devnet, poor, tx))
    expect(receipt.status).toBe('success')
  })

  it('reads no balance if no wallet is given', async () => {
    const { status, body } = await swap({ src: token, amount: 10n ** 12n })
    expect(status).toBe(200)
    expect(BigInt(wire.swapSchema.parse(body).tx.from)).toBe(0n)
  })
})

describe('interface 4.2, rule 2: the allowance must cover the amount', () => {
  it('refuses until approved, serves once approved, and refuses again when spent', async () => {
    const amount = 5_000_000n
    await world.devnet.fund(poor.address, token, 2n * amount)
    const first = await swap({ src: token, amount, from: poor.address })
    const error = wire.errorSchema.parse(first.body)
    expect([first.status, error.code]).toEqual([400, 'ALLOWANCE_INSUFFICIENT'])
    expect(error.details).toMatchObject({
      required: `${amount}`,
      available: '0',
      spender: getAddress(world.devnet.router),
    })
    await approve(poor, amount)
    const served = await swap({ src: token, amount, from: poor.address })
    expect(served.status).toBe(200)
    const { tx, dstAmount } = wire.swapSchema.parse(served.body)
    const before = await balanceOf(world.devnet.client, { token: other, account: poor.address })
    const receipt = await mineUntil(world.devnet, await signAndSend(world.devnet, poor, tx))
    expect(receipt.status).toBe('success')
    const after = await balanceOf(world.devnet.client, { token: other, account: poor.address })
    expect(after - before).toBe(BigInt(dstAmount))
    expect(await allowance(poor)).toBe(0n)
    const again = await swap({ src: token, amount, from: poor.address })
    expect(wire.errorSchema.parse(again.body).code).toBe('ALLOWANCE_INSUFFICIENT')
  })

  it('refuses an allowance one wei short', async () => {
    await world.devnet.fund(poor.address, token, 1_000_001n)
    await approve(poor, 1_000_000n)
    const short = await swap({ src: token, amount: 1_000_001n, from: poor.address })
    expect(wire.errorSchema.parse(short.body).code).toBe('ALLOWANCE_INSUFFICIENT')
    const enough = await swap({ src: token, amount: 1_000_000n, from: poor.address })
    expect(enough.status).toBe(200)
  })
})

describe('interface 4.3 and 4.4: approvals over the chain', () => {
  it.each([
    ['exactly an amount', 123_456n, 123_456n],
    ['without limit when no amount is given', undefined, maxUint256],
    ['nothing, which revokes', 0n, 0n],
  ])('approves %s, and reads it back', async (_, amount, wanted) => {
    const { devnet } = world
    const approval = await approve(poor, amount)
    expect(approval.value).toBe('0')
    expect(approval.to).toBe(getAddress(token))
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.data as Hex })
    expect([functionName, args]).toEqual(['approve', [getAddress(devnet.router), wanted]])
    const onChain = await allowanceOf(devnet.client, {
      token,
      owner: poor.address,
      spender: devnet.router,
    })
    expect([onChain, await allowance(poor)]).toEqual([wanted, wanted])
  })

  it('returns the target of the swap as spender', async () => {
    const { body } = await world.ask(`${paths.approve.replace('transaction', 'spender')}`)
    const { tx } = wire.swapSchema.parse((await swap({ src: token, amount: 1_000n })).body)
    expect(body).toEqual({ address: tx.to })
  })
})

describe('interface 4.5: tokens as on the chain', () => {
  it('serves symbol, name and decimals of every token of the market', async () => {
    for (const { address, symbol, name, decimals } of world.devnet.tokens) {
      const { status, body } = await world.ask(paths.token(getAddress(address)))
      expect(status).toBe(200)
      expect(wire.tokenSchema.parse(body)).toMatchObject({
        ...{ symbol, name, decimals, address: getAddress(address) },
      })
    }
  })

  it('prices tokens near the market’s initial prices, and the stable token at one', async () => {
    const priceOf = async (address: string) => {
      const { body } = await world.ask(paths.token(address))
      const { buyPriceUsd, sellPriceUsd } = wire.tokenSchema.parse(body)
      return { buy: buyPriceUsd!, sell: sellPriceUsd! }
    }
    const { usdPrice } = world.devnet.tokens.find(({ address }) => address === other)!
    const { buy, sell } = await priceOf(other)
    expect(sell).toBeLessThan(buy)
    expect(Math.abs(buy / usdPrice - 1)).toBeLessThan(0.02)
    expect(Math.abs(sell / usdPrice - 1)).toBeLessThan(0.02)
    const native = await priceOf(NATIVE)
    expect(native).toEqual(await priceOf(world.devnet.wrappedNative))
  })

  it('finds no token at an address without a contract', async () => {
    const { status, body } = await world.ask(paths.token(`0x${'12'.repeat(20)}`))
    expect([status, wire.errorSchema.parse(body).code]).toEqual([404, 'TOKEN_NOT_FOUND'])
  })
})
