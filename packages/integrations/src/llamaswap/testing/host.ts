/**
 * LlamaSwap's interface as an adapter sees it at commit 227cba9: which members it reads, with which
 * types, and in which order. The wallet is an account of a test chain.
 */
import type { Address, Hex } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import type { createAdapter, HostCall } from '../adapter.js'

type Adapter = ReturnType<typeof createAdapter>

/** An order as its form gives it: the zero address is the native token. */
export type HostOrder = {
  readonly chain: string
  readonly from: Address
  readonly to: Address
  readonly amount: string
  readonly extra: {
    readonly userAddress: Address
    readonly slippage: string
    readonly amountOut: string
  }
}

/** `getTxs` of the host: the approvals that a wallet with batches lacks, then the swap. */
export function getTxs(order: {
  fromAddress: Hex
  routerAddress: Hex
  data: Hex
  value?: bigint
  fromTokenAddress?: Hex
  fromAmount?: bigint
  eip5792?: { isTokenApproved?: boolean; shouldRemoveApproval?: boolean }
  tokenApprovalAddress?: Hex
}): HostCall[] {
  const { fromAddress: from, fromTokenAddress: token, fromAmount, eip5792 } = order
  const approval = (amount: bigint): HostCall => {
    if (!token || !order.tokenApprovalAddress || !fromAmount) {
      throw new Error('an approval lacks its token, its spender or its amount')
    }
    const args = [order.tokenApprovalAddress, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    return { from, to: token, data }
  }
  const swap = { from, to: order.routerAddress, data: order.data }
  return [
    ...(eip5792?.shouldRemoveApproval ? [approval(0n)] : []),
    ...(eip5792 && !eip5792.isTokenApproved ? [approval(fromAmount!)] : []),
    order.value ? { ...swap, value: order.value } : swap,
  ]
}

/** What the list of routes shows of an adapter; a price of null is a source left out. */
export async function askRoute(adapter: Adapter, { chain, from, to, amount, extra }: HostOrder) {
  if (!Object.hasOwn(adapter.chainToId, chain)) return { price: null }
  if (extra.amountOut !== '0' && !adapter.isOutputAvailable) return { price: null }
  // Through JSON, as when the host's server asks in the place of the browser.
  const price: Awaited<ReturnType<Adapter['getQuote']>> = JSON.parse(
    JSON.stringify(await adapter.getQuote(chain, from, to, amount, extra)),
  )
  return { price, txData: adapter.getTxData(price) ?? '', tx: adapter.getTx(price), amount }
}
