/**
 * Sends a swap as a wallet does: checks the network, authorizes exactly the amount, requests the
 * transaction, checks locally that it matches the agreed terms, sends it, and reads what arrived.
 */
import { type Swapped, type SwapRequest, verifyApproval, verifySwap } from '@braid-swap/client'
import { routerAbi } from '@braid-swap/contracts'
import { type Address, BaseError, type Hex, NATIVE } from '@braid-swap/core'
import { type Log, parseEventLogs } from 'viem'
import type { Sale } from '../order/order.js'
import { readBalance } from '../wallet/payer.js'
import { WalletError } from '../wallet/walletError.js'
import type { Agreed } from './agreed.js'
import { authorize, type Parties, type PayBy, type Signed } from './authorize.js'
import { checkNode, type QuotedBlock } from './checkNode.js'
import { slippageFor } from './floor.js'
import { sendTogether, waitForCalls } from './sendCalls.js'
import { type Mined, sendFrom, waitUntilMined } from './transactions.js'

/** The steps of sending a swap. */
export type Step = 'check' | 'allow' | 'build' | 'verify' | 'send' | 'mine'

/** The progress of a swap. */
export type Progress = {
  readonly step: Step
  /** Of the swap, once it is sent. */
  readonly hash?: Hex
  /** The wallet sends into big blocks, which come once a minute. */
  readonly isBigBlock?: boolean
}

/** The latest accepted deadline: 20 minutes after the quoted block, plus a margin for a fast clock. */
const LATEST_SECONDS = 1_800

/** The most that a transaction may cost in gas, in wei: many times what a swap costs in a quiet block. */
const maxNetworkFee = 10n ** 17n

/** A swap that was mined. */
export type Sent = {
  readonly sale: Sale
  readonly receiver: Address
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** The amount that the router measured at the receiver, in wei. */
  readonly received: bigint
  readonly quoted: bigint
  /** The receiver's balances, in wei. */
  readonly before: bigint
  readonly after: bigint
}

/** The terms that the visitor saw and agreed to. */
export type AgreedSwap = Agreed & {
  readonly payBy: PayBy
  /** The payer if absent. */
  readonly receiver?: Address
  /** The block of the quote. */
  readonly block: QuotedBlock
}

type Swap = Swapped & { readonly meta: NonNullable<Swapped['meta']> }

/** Throws the client's errors, MISMATCH, PRICE_MOVED, ROUTER_UNVERIFIED, WALLET_…, TX_…. */
export async function sendSwap(
  parties: Parties,
  agreed: AgreedSwap,
  onProgress: (progress: Progress) => void,
): Promise<Sent> {
  const { config, payer } = parties
  const { sale, payBy } = agreed
  onProgress({ step: 'check' })
  const known = await checkNode(payer, config, agreed.block)
  const isTogether = payBy === 'calls' && sale.src !== NATIVE
  let signed: Signed | undefined
  if (sale.src !== NATIVE && payBy !== 'calls') {
    onProgress({ step: 'allow' })
    signed = await authorize(parties, sale, payBy)
  }
  onProgress({ step: 'build' })
  const receiver = agreed.receiver ?? payer.address
  const before = await readBalance(payer.client, receiver, sale.dst)
  const { swap, request } = await askSwap(parties, agreed, {
    ...{ ...sale, slippage: agreed.slippage, from: payer.address, ...signed },
    ...(agreed.receiver && { receiver: agreed.receiver }),
    ...(isTogether && { skipChecks: true }),
  })
  onProgress({ step: 'verify' })
  const latestDeadline = BigInt(Math.floor(Date.now() / 1_000) + LATEST_SECONDS)
  const { wrappedNative } = config
  const terms = { wrappedNative, minAmountOut: agreed.floor, latestDeadline, maxNetworkFee }
  verifySwap(swap, request, { ...known, ...terms })
  const isBigBlock = refuseTooLarge(swap)
  const send = isTogether ? sendWithApproval : sendAlone
  const mined = await send(parties, agreed, { swap, isBigBlock, onProgress })
  const after = await readBalance(payer.client, receiver, sale.dst)
  const { hash, blockNumber, gasUsed } = mined
  return {
    ...{ sale, receiver, hash, blockNumber, gasUsed, before, after, quoted: swap.dstAmount },
    received: receivedIn(mined, known.router),
  }
}

type Ready = {
  readonly swap: Swap
  readonly isBigBlock: boolean
  readonly onProgress: (progress: Progress) => void
}

async function sendAlone(
  { config, payer }: Parties,
  _: AgreedSwap,
  { swap, isBigBlock, onProgress }: Ready,
): Promise<Mined> {
  onProgress({ step: 'send', isBigBlock })
  const hash = await sendFrom(payer, config, swap.tx)
  onProgress({ step: 'mine', hash, isBigBlock })
  return waitUntilMined(payer, hash)
}

async function sendWithApproval(
  { braid, config, payer }: Parties,
  { sale: { src, amount } }: AgreedSwap,
  { swap, isBigBlock, onProgress }: Ready,
): Promise<Mined> {
  const asked = { tokenAddress: src, amount }
  const approval = await braid.approval(asked)
  verifyApproval(approval, asked, { ...config, maxNetworkFee })
  onProgress({ step: 'send', isBigBlock })
  const id = await sendTogether(payer, config, [approval, swap.tx])
  onProgress({ step: 'mine', isBigBlock })
  return waitForCalls(payer, id)
}

/** Returns true if the wallet sends into big blocks. Throws BIG_BLOCK_REQUIRED if it does not and must. */
function refuseTooLarge({ meta, tx }: Swap): boolean {
  if (meta.warnings.some(({ code }) => code === 'BIG_BLOCK_REQUIRED')) {
    const message = `The swap needs ${tx.gas.toLocaleString('en-US')} gas, more than a small block holds.`
    throw new WalletError('BIG_BLOCK_REQUIRED', message)
  }
  return meta.wallet?.usingBigBlocks === true
}

/** Reads the output, in wei, from the router's event. */
function receivedIn({ logs }: Mined, router: Address): bigint {
  const own = logs.filter(({ address }) => address.toLowerCase() === router)
  const [swap] = parseEventLogs({
    abi: routerAbi,
    eventName: 'Swap',
    logs: own as unknown as Log[],
  })
  return swap?.args.amountOut ?? 0n
}

/** Requests for the transaction, because the market may move between two of them. */
const TRIES = 3

/**
 * Requests the swap at the current market with the agreed floor. If the output has fallen, a
 * smaller slippage keeps the floor. Throws PRICE_MOVED if no slippage can.
 */
async function askSwap({ braid }: Parties, { floor }: AgreedSwap, asked: SwapRequest) {
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
