/**
 * What a service's calldata really pays at one block, without sending anything. In one `eth_call`, state
 * overrides give an unused account the amount to sell and the code of Multicall3, so that the account
 * itself approves, swaps and counts its balance before and after. The result is what arrived; what the
 * calldata returns does not count.
 */
import { type Client, overrideHolding } from '@braid-swap/chain'
import type { Address, Hex } from '@braid-swap/core'
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  multicall3Abi,
} from 'viem'
import type { Offer } from './services.js'

/** What arrived, in wei, or why the calldata could not be run or failed. */
export type Outcome =
  | { readonly is: 'paid'; readonly received: bigint }
  | { readonly is: 'reverted' | 'not simulated'; readonly reason: string }

type Run = {
  readonly offer: Offer
  readonly src: Address
  readonly dst: Address
  readonly amount: bigint
  readonly from: Address
  readonly block: bigint
}

/** Throws as the node does. */
export async function simulateOffer(client: Client, run: Run): Promise<Outcome> {
  const { offer, src, dst, amount, from, block: blockNumber } = run
  const held = await overrideHolding(client, { token: src, owner: from, amount })
  if (!held)
    return { is: 'not simulated', reason: 'the token keeps its balances in an unknown way' }
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from] })
  const approval = encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'approve', args: [offer.spender, amount] },
  })
  const calls = [
    { target: dst, callData: balance },
    { target: src, callData: approval },
    { target: offer.call.to, callData: offer.call.data },
    { target: dst, callData: balance },
  ]
  const args = [calls.map((call) => ({ ...call, allowFailure: true }))] as const
  const { data = '0x' } = await client.call({
    ...{ account: from, to: from, blockNumber },
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args }),
    stateOverride: [...held, { address: from, code: multicallCode(client) }],
  })
  if (data === '0x') return { is: 'not simulated', reason: 'the node overrides no code' }
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
  const [before, , swap, after] = results
  if (!swap?.success) return { is: 'reverted', reason: reasonOf(swap?.returnData ?? '0x') }
  const count = (result: typeof before) => BigInt(result?.returnData || '0x0')
  return { is: 'paid', received: count(after) - count(before) }
}

/** A proxy to Multicall3 (EIP-1167). */
function multicallCode(client: Client): Hex {
  const target = client.chain.contracts?.multicall3?.address ?? ''
  return `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`
}

/** The message of a revert, else the selector of its error. */
function reasonOf(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ data, abi: [] })
    return `${errorName}(${(args as readonly unknown[]).join(', ')})`
  } catch {
    return data === '0x' ? 'without a reason' : `error ${data.slice(0, 10)}`
  }
}
