import { type Braid, verifySwap } from '@braid-swap/client'
import { type Hex, NATIVE } from '@braid-swap/core'
import { readBalance, sendAndWait } from './demoNode.js'
import type { PageOrder } from './order.js'
import type { Demo, Setting } from './setting.js'

/** What sending a swap goes through. */
export type Step = 'allow' | 'build' | 'verify' | 'send'

/** A swap that was mined. */
export type Sent = {
  readonly order: PageOrder
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** By the balance of the account, before and after. */
  readonly received: bigint
  readonly quoted: bigint
  readonly before: bigint
  readonly after: bigint
}

/**
 * What any wallet does: let the router take exactly the amount, ask for the transaction, check on
 * this side that it is what was asked, send it, look what arrived. Throws the client's errors,
 * MISMATCH and DEMO_NODE.
 */
export async function sendSwap(
  { braid, setting, demo }: { braid: Braid; setting: Setting; demo: Demo },
  { order, slippage }: { readonly order: PageOrder; readonly slippage: string },
  onStep: (step: Step) => void,
): Promise<Sent> {
  const { account } = demo
  onStep('allow')
  if (order.src !== NATIVE) {
    const token = { tokenAddress: order.src }
    const { allowance } = await braid.allowance({ ...token, walletAddress: account })
    if (allowance < order.amount) {
      await sendAndWait(account, await braid.approval({ ...token, amount: order.amount }))
    }
  }
  onStep('build')
  const before = await readBalance(account, order.dst)
  const request = { ...order, slippage, from: account }
  const swap = await braid.swap(request)
  onStep('verify')
  verifySwap(swap, request, setting)
  onStep('send')
  const { hash, blockNumber, gasUsed, effectiveGasPrice } = await sendAndWait(account, swap.tx)
  const after = await readBalance(account, order.dst)
  const paidForGas = order.dst === NATIVE ? gasUsed * effectiveGasPrice : 0n
  return {
    ...{ order, hash, blockNumber, gasUsed, before, after, quoted: swap.dstAmount },
    received: after - before + paidForGas,
  }
}
