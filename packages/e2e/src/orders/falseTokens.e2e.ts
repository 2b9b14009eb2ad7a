// Does sendSwap find out before it sends what a token does that sees whether gas costs something, or lies in its permit?

import { type PayBy, sendSwap } from '@braid-swap/client'
import {
  type Address,
  buildGraph,
  NATIVE,
  type Pool,
  quote,
  routerCallOf,
  swapCallOf,
} from '@braid-swap/core'
import { approveCall, type Chain, deployRouter, mintCalls, startChain } from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { createTokenPair } from './execution/tokenPair.js'

const E18 = 10n ** 18n
const GAS = 400_000n
/** Signs of WatchfulToken.sol that it takes for a reason to behave. */
const [FREE_GAS, PAID_GAS] = [0, 9]
const REFUSES = 1_000

let chain: Chain
let router: Address
let executor: Address
beforeAll(async () => {
  chain = await startChain()
  ;({ router, executor } = await deployRouter(chain))
})
afterAll(() => chain?.stop())

/** Sells a token that moves by such a sign alone, which the router may take. */
async function sellWatchful(sign: number) {
  const { deployer: to } = chain
  const { address: owner } = chain.accounts[2]!
  const { WatchfulToken } = compileDoubles(['WatchfulToken.sol'])
  const token = await deploy(chain, WatchfulToken!, [sign, owner, REFUSES])
  await chain.execute([
    ...mintCalls(to, { token, to, amount: 1_000n * E18 }),
    approveCall(token, { owner, spender: router }),
  ])
  return sell(token, 'approval')
}

/** Sells a token of the deployer to a pair by a server that says nothing of it; the nonces that it took. */
async function sell(token: Address, payBy: PayBy) {
  const { client, deployer, wrappedNative } = chain
  const { address, privateKey } = chain.accounts[2]!
  const { pool } = await createTokenPair(chain, { token, owner: deployer, reserve: 100n * E18 })
  const args = [address, E18] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.execute([{ label: 'give', from: deployer, to: token, data, gas: 200_000n }])
  const { number, hash, timestamp, gasLimit } = await client.getBlock()
  const gasPrice = await client.getGasPrice()
  const tokens = [NATIVE, wrappedNative, token].map((id) => ({ address: id, decimals: 18 }))
  const wrap: Pool = {
    family: 'wrap',
    id: wrappedNative,
    venue: 'whype',
    tokens: [NATIVE, wrappedNative],
  }
  const graph = buildGraph({
    ...{ chainId: chain.chainId, wrappedNative, tokens },
    pools: [pool, wrap],
    block: { number, hash, timestamp, gasLimit, gasPrice },
  })
  const answer = quote(graph, { tokenIn: token, tokenOut: NATIVE, amountIn: E18 })
  const terms = { wrappedNative, executor, slippagePpm: 0n, deadline: timestamp + 900n }
  const tx = { from: address, ...swapCallOf(router, routerCallOf(answer, terms)) }
  const braid = {
    swap: async () => ({ dstAmount: answer.amountOut, tx: { ...tx, gas: GAS, gasPrice } }),
  }
  const nonce = () => client.getTransactionCount({ address })
  const before = await nonce()
  const own = { router, maxNetworkFee: 10n ** 17n, minAmountOut: 1n }
  const onStep = ({ sent }: { readonly sent?: unknown }) => {
    if (sent) void client.request({ method: 'evm_mine' } as never)
  }
  const sent = sendSwap(
    { account: privateKeyToAccount(privateKey), request: client.request },
    { src: token, dst: NATIVE, amount: E18, slippage: 0 },
    { ...own, latestDeadline: timestamp + 900n },
    { braid, onStep, payBy, pollMs: 20 },
  )
  const outcome = await sent.then(
    ({ amountOut }) => amountOut,
    ({ code }) => code,
  )
  return { outcome, quoted: answer.amountOut, count: (await nonce()) - before }
}

it('sends nothing that only a free call performs', async () => {
  expect(await sellWatchful(FREE_GAS)).toMatchObject({ outcome: 'REVERTED', count: 0 })
})

it('sends what a free call refuses, and the chain performs', async () => {
  const { outcome, quoted, count } = await sellWatchful(PAID_GAS)
  expect([outcome, count]).toEqual([quoted, 1])
})

it.each([
  ['refuses', true],
  ['does nothing', false],
])('sends nothing where the permit of a token %s', async (_, refuses) => {
  const { FalsePermitToken } = compileDoubles(['PermitTokens.sol'])
  const token = await deploy(chain, FalsePermitToken!, [1_000n * E18, refuses])
  expect(await sell(token, 'permit')).toMatchObject({ outcome: 'REVERTED', count: 0 })
})
