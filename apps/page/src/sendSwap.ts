import { type Braid, type SwapRequest, verifyApproval, verifySwap } from '@braid-swap/client'
import { BaseError, type Hex, NATIVE, PERMIT2, permit2Message } from '@braid-swap/core'
import { readAllowance, readBalance, sendAndWait, signTyped } from './demoNode.js'
import { slippageFor } from './floor.js'
import type { PageOrder } from './order.js'
import type { Demo, Setting } from './setting.js'

/** What sending a swap goes through. */
export type Step = 'allow' | 'build' | 'verify' | 'send'

/** What lets the router take the amount: an approval of it, or a signature that Permit2 checks. */
export type PayBy = 'approval' | 'permit2'

/** How long a swap may wait: 20 minutes after the quoted block, and some for a clock that goes ahead. */
const LATEST_SECONDS = 1_800

/** How long a signature is good for. */
const SIGNATURE_SECONDS = 900

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

/** What the visitor saw and agreed to. */
export type Agreed = {
  readonly order: PageOrder
  /** In percent. */
  readonly slippage: string
  /** The least that may arrive, in wei, as it stood beside the button. */
  readonly floor: bigint
  readonly payBy: PayBy
}

/**
 * What any wallet does: let the router take exactly the amount (`payBy`), ask for the transaction,
 * check on this side that it is what was agreed, send it, look what arrived. Throws the client's
 * errors, MISMATCH, PRICE_MOVED and DEMO_NODE.
 */
export async function sendSwap(
  { braid, setting, demo }: { braid: Braid; setting: Setting; demo: Demo },
  what: Agreed,
  onStep: (step: Step) => void,
): Promise<Sent> {
  const { account } = demo
  const { order } = what
  onStep('allow')
  const pay = what.payBy === 'approval' ? approve : signForPermit2
  const signed = order.src === NATIVE ? {} : await pay({ braid, setting, demo }, order)
  onStep('build')
  const before = await readBalance(account, order.dst)
  const asked = { ...order, slippage: what.slippage, from: account, ...signed }
  const { swap, request } = await askSwap(braid, asked, what.floor)
  onStep('verify')
  const latestDeadline = BigInt(Math.floor(Date.now() / 1_000) + LATEST_SECONDS)
  verifySwap(swap, request, { ...setting, minAmountOut: what.floor, latestDeadline })
  onStep('send')
  const { hash, blockNumber, gasUsed, effectiveGasPrice } = await sendAndWait(account, swap.tx)
  const after = await readBalance(account, order.dst)
  const paidForGas = order.dst === NATIVE ? gasUsed * effectiveGasPrice : 0n
  return {
    ...{ order, hash, blockNumber, gasUsed, before, after, quoted: swap.dstAmount },
    received: after - before + paidForGas,
  }
}

/** Blocks may come between two requests, so the market may move again in between. */
const TRIES = 3

/**
 * The swap as the market is now, with the floor that was agreed: where the output has fallen since,
 * a narrower slippage keeps the floor where it was. Throws PRICE_MOVED where nothing can.
 */
async function askSwap(braid: Braid, asked: SwapRequest, floor: bigint) {
  let request = asked
  for (let tries = TRIES; ; tries--) {
    const swap = await braid.swap({ ...request, includeMeta: true })
    if (swap.meta.minDstAmount >= floor) return { swap, request }
    const slippage = slippageFor(swap.dstAmount, floor)
    if (slippage === undefined || tries === 1) throw new PriceMovedError(swap.dstAmount, floor)
    request = { ...asked, slippage }
  }
}

/** The market pays less by now than the floor that the visitor agreed to. */
export class PriceMovedError extends BaseError {
  readonly code = 'PRICE_MOVED'

  constructor(dstAmount: bigint, floor: bigint) {
    super('The market now pays less than you agreed to. Look at the new quote and try again.', {
      ...{ dstAmount: `${dstAmount}`, floor: `${floor}` },
    })
  }
}

type Parties = { readonly braid: Braid; readonly setting: Setting; readonly demo: Demo }

/** Approves exactly the amount to the router, if it may take less. */
async function approve({ braid, setting, demo: { account } }: Parties, { src, amount }: PageOrder) {
  const token = { tokenAddress: src }
  const { allowance } = await braid.allowance({ ...token, walletAddress: account })
  if (allowance >= amount) return {}
  const asked = { ...token, amount }
  const approval = await braid.approval(asked)
  verifyApproval(approval, asked, setting)
  await sendAndWait(account, approval)
  return {}
}

/** Approves exactly the amount to Permit2, and signs that the router may have it through that. */
async function signForPermit2(
  { braid, setting, demo: { account } }: Parties,
  { src, amount }: PageOrder,
) {
  const { chainId, router } = setting
  if ((await readAllowance({ token: src, owner: account, spender: PERMIT2 })) < amount) {
    const { data, ...approval } = await braid.approval({ tokenAddress: src, amount })
    await sendAndWait(account, { ...approval, data: withSpender(data, PERMIT2) })
  }
  const deadline = Math.floor(Date.now() / 1_000) + SIGNATURE_SECONDS
  const permit2Nonce = crypto.getRandomValues(new BigUint64Array(1))[0]!
  const paid = { tokenIn: src, amountIn: amount, deadline: BigInt(deadline) }
  const message = permit2Message(paid, { chainId, router, nonce: permit2Nonce })
  return { permit2: await signTyped(account, message), permit2Nonce, deadline }
}

/** The same `approve(address,uint256)` for somebody else. */
function withSpender(data: Hex, spender: Hex): Hex {
  return `${data.slice(0, 10)}${spender.slice(2).padStart(64, '0')}${data.slice(74)}` as Hex
}
