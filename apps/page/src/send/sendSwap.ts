/**
 * Sends a swap on the terms that the visitor agreed to, by the client, and reads the receiver's balance
 * before and after.
 */
import {
  type Braid,
  OutcomeUnknownError,
  type PayBy,
  readBalance,
  type SendOptions,
  type SentSwap,
  type SwapProgress,
  type SwapRequest,
  sendSwap as sendByClient,
} from '@braid-swap/client'
import { shippedRouter } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import type { Ends, PageMemory } from '../memory/swapMemory.js'
import type { Agreed } from '../order/agreed.js'
import type { PageOrder, Sale } from '../order/order.js'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError, walletErrorOf } from '../walletError.js'
import { type QuotedBlock, requireBlock, requireDecimals } from './checkNode.js'

export type Parties = {
  readonly braid: Braid
  readonly config: PageConfig
  readonly payer: Payer
  readonly memory: PageMemory
  /** How long to wait for a block. */
  readonly patience?: Pick<SendOptions, 'pollMs' | 'unknownMs' | 'waitMs'>
}

/** The latest accepted deadline: 20 minutes after the quoted block, plus a margin for a fast clock. */
const LATEST_SECONDS = 1_800
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
  /** The receiver's balances, in wei; the later one is absent if the node did not say it any more. */
  readonly before: bigint
  readonly after: bigint | undefined
  /** It was sent before, and found now: nothing more was sent. */
  readonly isEarlier: boolean
}

/** The terms that the visitor saw and agreed to. */
export type AgreedSwap = Agreed & {
  readonly order: PageOrder
  readonly payBy: PayBy
  /** The payer if absent. */
  readonly receiver?: Address
  /** The block of the quote. */
  readonly block: QuotedBlock
  readonly ends: Ends
}

/** Throws what the client's `sendSwap` does, SWAP_UNDER_WAY, and WALLET_…. */
export async function sendSwap(
  { braid, config, payer, memory, patience = { pollMs: POLL_MS } }: Parties,
  agreed: AgreedSwap,
  onStep: (progress: SwapProgress) => void,
): Promise<Sent> {
  const { sale, floor, slippage, fee, payBy, receiver = payer.address, block, ends } = agreed
  const { client, address } = payer
  const { chainId, router, wrappedNative, executors, chain } = config
  const { systemAddresses } = chain
  const balance = () => readBalance(client, { token: sale.dst, owner: receiver })
  let left: SentSwap | undefined
  const options = {
    braid: { swap: (request: SwapRequest) => braid.swap(saleOf(request, sale)) },
    ...{ payBy, memory: memory.of(ends), ...patience },
    onStep: (progress: SwapProgress) => {
      left = progress.sent ?? left
      onStep(progress)
    },
  }
  try {
    await requireBlock(payer, config, block)
    await requireDecimals(payer, [ends.src, ends.dst])
    const before = await balance()
    const order = { ...agreed.order, slippage, ...(receiver !== address && { receiver }) }
    const latestDeadline = BigInt(Math.floor(Date.now() / 1_000) + LATEST_SECONDS)
    const limits = { minAmountOut: floor, maxAmountIn: sale.amount, maxNetworkFee: fee.most }
    const wallet = { account: address, request: client.request }
    const of = { chainId, router, wrappedNative, systemAddresses }
    // The API names those of a router of its own; those of the shipped router come with the page.
    const own = router !== shippedRouter.router && { executors }
    const terms = { ...limits, latestDeadline, ...of, ...own }
    const {
      amountIn: amount,
      amountOut: received,
      ...mined
    } = await sendByClient(...([wallet, order, terms, options] as const))
    const after = await balance().catch(() => undefined)
    const isEarlier = left === undefined
    return { ...mined, sale: { ...sale, amount }, receiver, received, before, after, isEarlier }
  } catch (error) {
    if (error instanceof OutcomeUnknownError && error.sent.id !== left?.id) {
      throw new WalletError('SWAP_UNDER_WAY', 'The same order was sent and has not ended.')
    }
    throw walletErrorOf(error)
  }
}

/** An amount to receive as the sale that the visitor agreed to; the client sees to it that it is received. */
function saleOf({ dstAmountExact: _, ...request }: SwapRequest, { amount }: Sale): SwapRequest {
  return { ...request, amount: request.amount ?? amount }
}
