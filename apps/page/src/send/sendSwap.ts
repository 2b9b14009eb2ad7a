/**
 * Sends a swap on the terms that the visitor agreed to, by the client, and reads the receiver's balance
 * before and after.
 */
import {
  type Braid,
  type PayBy,
  readBalance,
  type SendOptions,
  type SwapProgress,
  sendSwap as sendByClient,
} from '@braid-swap/client'
import type { Address, Hex } from '@braid-swap/core'
import { settle } from '../memory/follow.js'
import type { KeptSwap, SwapMemory } from '../memory/swapMemory.js'
import type { Sale } from '../order/order.js'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { walletErrorOf } from '../walletError.js'
import type { Agreed } from './agreed.js'
import { type QuotedBlock, requireBlock, requireDecimals } from './checkNode.js'

export type Parties = {
  readonly braid: Braid
  readonly config: PageConfig
  readonly payer: Payer
  readonly memory: SwapMemory
  /** How long to wait for a block. */
  readonly patience?: Pick<SendOptions, 'pollMs' | 'unknownMs' | 'waitMs'>
}

/** The latest accepted deadline: 20 minutes after the quoted block, plus a margin for a fast clock. */
const LATEST_SECONDS = 1_800
/** The most that each transaction may cost in gas, in wei: many times what a swap costs in a quiet block. */
export const MAX_NETWORK_FEE = 10n ** 17n
const POLL_MS = 500

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
  /** What is remembered of the swap, but for what is sent. */
  readonly record: Omit<KeptSwap, 'sent' | 'quoted' | 'outcome'>
}

/** Throws what the client's `sendSwap` does, and WALLET_…. */
export async function sendSwap(
  { braid, config, payer, memory, patience = { pollMs: POLL_MS } }: Parties,
  agreed: AgreedSwap,
  onStep: (progress: SwapProgress) => void,
): Promise<Sent> {
  const { sale, floor, slippage, payBy, receiver = payer.address, block, record } = agreed
  const { client, address } = payer
  const { chainId, router, wrappedNative } = config
  const balance = () => readBalance(client, { token: sale.dst, owner: receiver })
  let kept: KeptSwap | undefined
  let last: SwapProgress | undefined
  const keepStep = (progress: SwapProgress) => {
    last = progress
    const { sent } = progress
    if (sent) {
      kept = { ...record, sent, quoted: progress.quoted ?? floor }
      memory.keep(kept)
    }
    onStep(progress)
  }
  try {
    await requireBlock(payer, config, block)
    await requireDecimals(payer, [record.src, record.dst])
    const before = await balance()
    const order = { ...sale, slippage, ...(receiver !== address && { receiver }) }
    const latestDeadline = BigInt(Math.floor(Date.now() / 1_000) + LATEST_SECONDS)
    const limits = { minAmountOut: floor, latestDeadline, maxNetworkFee: MAX_NETWORK_FEE }
    const wallet = { account: address, request: client.request }
    const terms = { ...limits, chainId, router, wrappedNative }
    const options = { braid, payBy, onStep: keepStep, ...patience }
    const done = await settle(memory, sendByClient(wallet, order, terms, options), () => kept)
    const { amountOut: received, ...mined } = done
    return { ...mined, sale, receiver, received, before, after: await balance() }
  } catch (error) {
    // An error before the wait is a refusal: nothing left.
    if (kept && last?.step === 'send') memory.forget(kept.id)
    throw walletErrorOf(error)
  }
}
