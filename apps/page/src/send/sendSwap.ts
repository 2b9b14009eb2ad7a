import { type Braid, type SwapRequest, verifyApproval, verifySwap } from '@braid-swap/client'
import { BaseError, type Hex, NATIVE, PERMIT2, permit2Message } from '@braid-swap/core'
import type { Sale } from '../order/order.js'
import type { Demo, Setting } from '../pageConfig.js'
import type { Agreed } from './agreed.js'
import { readAllowance, readBalance, sendAndWait, signTyped } from './demoNode.js'
import { slippageFor } from './floor.js'

/** The steps of sending a swap. */
export type Step = 'allow' | 'build' | 'verify' | 'send'

/** How the router is authorized: by an approval, or by a signature for Permit2. */
export type PayBy = 'approval' | 'permit2'

/** The latest accepted deadline: 20 minutes after the quoted block, plus a margin for a fast clock. */
const LATEST_SECONDS = 1_800

/** The validity of a signature. */
const SIGNATURE_SECONDS = 900

/** A swap that was mined. */
export type Sent = {
  readonly sale: Sale
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** The difference of the account's balances before and after, in wei. */
  readonly received: bigint
  readonly quoted: bigint
  readonly before: bigint
  readonly after: bigint
}

/** The terms that the visitor saw and agreed to. */
export type Terms = Agreed & {
  /** In percent. */
  readonly slippage: string
  readonly payBy: PayBy
}

/**
 * Sends a swap as a wallet does: authorizes exactly the amount (`payBy`), requests the transaction,
 * checks locally that it matches the agreed terms, sends it and reads the amount received. Throws
 * the client's errors, MISMATCH, PRICE_MOVED and DEMO_NODE.
 */
export async function sendSwap(
  { braid, setting, demo }: { braid: Braid; setting: Setting; demo: Demo },
  what: Terms,
  onStep: (step: Step) => void,
): Promise<Sent> {
  const { account } = demo
  const { sale } = what
  onStep('allow')
  const pay = what.payBy === 'approval' ? approve : signForPermit2
  const signed = sale.src === NATIVE ? {} : await pay({ braid, setting, demo }, sale)
  onStep('build')
  const before = await readBalance(account, sale.dst)
  const asked = { ...sale, slippage: what.slippage, from: account, ...signed }
  const { swap, request } = await askSwap(braid, asked, what.floor)
  onStep('verify')
  const latestDeadline = BigInt(Math.floor(Date.now() / 1_000) + LATEST_SECONDS)
  verifySwap(swap, request, { ...setting, minAmountOut: what.floor, latestDeadline })
  onStep('send')
  const { hash, blockNumber, gasUsed, effectiveGasPrice } = await sendAndWait(account, swap.tx)
  const after = await readBalance(account, sale.dst)
  const paidForGas = sale.dst === NATIVE ? gasUsed * effectiveGasPrice : 0n
  return {
    ...{ sale, hash, blockNumber, gasUsed, before, after, quoted: swap.dstAmount },
    received: after - before + paidForGas,
  }
}

/** Requests for the transaction, because the market may move between two of them. */
const TRIES = 3

/**
 * Requests the swap at the current market with the agreed floor. If the output has fallen, a
 * smaller slippage keeps the floor. Throws PRICE_MOVED if no slippage can.
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

/** The market now pays less than the floor that the visitor agreed to. */
export class PriceMovedError extends BaseError {
  readonly code = 'PRICE_MOVED'

  constructor(dstAmount: bigint, floor: bigint) {
    super('The market now pays less than you agreed to. Look at the new quote and try again.', {
      ...{ dstAmount: `${dstAmount}`, floor: `${floor}` },
    })
  }
}

type Parties = { readonly braid: Braid; readonly setting: Setting; readonly demo: Demo }

/** Approves exactly the amount to the router if its allowance is lower. */
async function approve({ braid, setting, demo: { account } }: Parties, { src, amount }: Sale) {
  const token = { tokenAddress: src }
  const { allowance } = await braid.allowance({ ...token, walletAddress: account })
  if (allowance >= amount) return {}
  const asked = { ...token, amount }
  const approval = await braid.approval(asked)
  verifyApproval(approval, asked, setting)
  await sendAndWait(account, approval)
  return {}
}

/** Approves exactly the amount to Permit2 and signs a Permit2 transfer to the router. */
async function signForPermit2(
  { braid, setting, demo: { account } }: Parties,
  { src, amount }: Sale,
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

/** Replaces the spender in the calldata of `approve(address,uint256)`. */
function withSpender(data: Hex, spender: Hex): Hex {
  return `${data.slice(0, 10)}${spender.slice(2).padStart(64, '0')}${data.slice(74)}` as Hex
}
