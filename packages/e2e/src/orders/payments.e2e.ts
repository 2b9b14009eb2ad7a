import { createRequire } from 'node:module'
import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  findMismatches,
  type Hex,
  NATIVE,
  type Payment,
  type RouterCall,
} from '@braid-swap/core'
import { PERMIT2, permit2Message, permitMessage, withPayment } from '@braid-swap/core/advanced'
import { getAmountOut, type UniswapV2Pool } from '@braid-swap/core/families'
import { type Chain, deployRouter, startChain } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from './execution/balances.js'
import { createTokenPair } from './execution/tokenPair.js'

const require = createRequire(import.meta.url)
const SUPPLY = 10n ** 24n
const RESERVE = 10n ** 21n
const AMOUNT = 10n ** 18n

let chain: Chain
let account: PrivateKeyAccount
let router: Address
let executor: Address
/** The token with EIP-2612 permits of Uniswap V2's own tests. */
let token: Address
let pool: UniswapV2Pool

function send(label: string, to: Address | undefined, data: Hex, value = 0n) {
  const from = account.address
  return chain.execute([{ label, from, data, value, gas: 5_000_000n, ...(to && { to }) }])
}

/** A token and a pair that sells the wrapped native token for it. */
async function createMarket(): Promise<void> {
  const erc20 = require('@uniswap/v2-core/build/ERC20.json')
  const code: Hex = `0x${erc20.evm.bytecode.object}`
  const [created] = await send(
    'create the token',
    undefined,
    `${code}${numberToHex(SUPPLY, { size: 32 }).slice(2)}`,
  )
  token = created!.contractAddress!.toLowerCase() as Address
  const owner = account.address
  ;({ pool } = await createTokenPair(chain, { token, owner, reserve: RESERVE }))
}

async function callOf(tokenIn: Address): Promise<RouterCall> {
  const { wrappedNative, client } = chain
  const { timestamp } = await client.getBlock()
  const direction = { in: pool.tokens.indexOf(token), out: pool.tokens.indexOf(wrappedNative) }
  const hops = tokenIn === token ? [{ pool, direction, share: 0 }] : []
  const amountOut = hops.length === 0 ? AMOUNT : getAmountOut(pool, direction, AMOUNT)
  return {
    ...{ tokenIn, amountIn: AMOUNT, tokenOut: NATIVE, minAmountOut: amountOut },
    receiver: '0x00000000000000000000000000000000000000bb',
    deadline: timestamp + 1000n,
    executor,
    program: encodeProgram(hops, { tokenIn, tokenOut: wrappedNative }),
  }
}

/** Inserts a signature into the API's swap and sends it; returns the amount that the receiver got. */
async function pay(call: RouterCall, payment: Payment): Promise<bigint> {
  const { client, wrappedNative } = chain
  const data = withPayment(encodeRouterCall(call), payment)
  const expected = { router, executors: [executor], wrappedNative, wanted: call }
  expect(findMismatches({ to: router, data, value: 0n }, expected)).toEqual([])
  const received = { token: NATIVE, account: call.receiver }
  const before = await balanceOf(client, received)
  await send('swap', router, data)
  return (await balanceOf(client, received)) - before
}

beforeAll(async () => {
  chain = await startChain()
  account = privateKeyToAccount(chain.accounts[2]!.privateKey)
  await chain.fund(account.address, NATIVE, 10n ** 22n)
  ;({ router, executor } = await deployRouter(chain))
  await createMarket()
})

afterAll(() => chain?.stop())

describe('a signature of a message from core', () => {
  it('pays by the token’s own permit', async () => {
    const call = await callOf(token)
    const of = { chainId: 999, router, owner: account.address, name: 'Uniswap V2', version: '1' }
    const signature = await account.signTypedData(permitMessage(call, { ...of, nonce: 0n }))
    expect(await pay(call, { by: 'permit', signature })).toBe(call.minAmountOut)
  })

  it('pays by Permit2, once', async () => {
    const { wrappedNative } = chain
    const approval = [PERMIT2, AMOUNT * 2n] as const
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: approval })
    await send('approve Permit2', wrappedNative, approve)
    const call = await callOf(wrappedNative)
    const nonce = 2n ** 200n
    const message = permit2Message(call, { chainId: 999, router, nonce })
    const signature = await account.signTypedData(message)
    expect(await pay(call, { by: 'permit2', nonce, signature })).toBe(AMOUNT)
    await expect(pay(call, { by: 'permit2', nonce, signature })).rejects.toThrow('reverted')
  })

  it('leaves nothing behind, and no allowance', async () => {
    const { client, wrappedNative } = chain
    for (const account of [router, executor]) {
      for (const each of [NATIVE, wrappedNative, token]) {
        expect(await balanceOf(client, { token: each, account })).toBe(0n)
      }
    }
    const args = [account.address, router] as const
    const allowance = { address: token, abi: erc20Abi, functionName: 'allowance', args } as const
    expect(await client.readContract(allowance)).toBe(0n)
  })
})
