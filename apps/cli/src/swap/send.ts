import type { Client } from '@braid-swap/chain'
import { type DoneSwap, type SwapProgress, sendSwap } from '@braid-swap/client'
import { type Address, decodeRouterCall, type Hex, ownValue, ZERO_ADDRESS } from '@braid-swap/core'
import { parseAmount } from '@braid-swap/draw'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { UsageError } from '../errors.js'
import { feeParameters } from '../sources/apiClient.js'
import { callNode } from '../sources/node.js'
import { nativeToken } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { readFee } from './fee.js'
import { type Prepared, prepareSwap, type SwapOptions } from './prepareSwap.js'

// From a prepared swap to a mined one: the client sends it, and this program says what happens.

/** The ways to authorize the router to take the amount. */
export const PAYMENTS = ['approval', 'permit', 'permit2'] as const

/** The options of sending. */
export type SendOptions = {
  readonly pay: (typeof PAYMENTS)[number]
  /** In whole HYPE. */
  readonly maxNetworkFee: string
}

/** The account that signs, and the node that it sends through. */
export type Signer = { readonly account: PrivateKeyAccount; readonly client: Client }

/** A mined swap. */
export type Sent = {
  readonly hash: Hex
  readonly block: bigint
  readonly gasUsed: bigint
  /** The output that the router measured at the receiver, in wei. */
  readonly amountOut: bigint
}

/** The account of a private key in an environment variable; a command line never contains the key. */
export function readAccount(variable: string | undefined, terminal: Terminal): PrivateKeyAccount {
  const key = variable === undefined ? undefined : ownValue(terminal.env, variable)
  if (key === undefined || !/^0x[0-9a-fA-F]{64}$/.test(key)) {
    throw new UsageError('--send needs a private key', {
      got: variable === undefined ? 'nothing' : `${variable} without one`,
      wanted: '--private-key-env VARIABLE, with 0x and 64 hex digits as its value',
    })
  }
  return privateKeyToAccount(key as Hex)
}

/** A later deadline than the first one, of a swap that is prepared again after its approval. */
const LATER_SECONDS = 86_400n
/** The client's highest; `prepareSwap` compares each floor with the slippage of the options. */
const ANY_SLIPPAGE = '50'

/**
 * Sends what was shown: the same sale with the same floor, prepared again if an approval took some
 * blocks. `onSend` hears once what leaves now. Throws what `sendSwap` of the client does, RPC_FAILED.
 */
export async function sendPrepared(
  { account, client }: Signer,
  first: Prepared,
  {
    options,
    terminal,
  }: { readonly options: SwapOptions & SendOptions; readonly terminal: Terminal },
  onSend: (prepared: Prepared) => void,
): Promise<{ readonly prepared: Prepared; readonly sent: DoneSwap & { readonly quoted: bigint } }> {
  let prepared = first
  let isApproved = false
  const swap = async () => {
    if (isApproved) prepared = await prepareSwap(saleOf(options, first), terminal)
    const { amountOut: dstAmount, tx } = prepared
    return { dstAmount, tx: { ...tx, from: account.address.toLowerCase() as Address } }
  }
  const onStep = (progress: SwapProgress) => {
    report(progress, terminal)
    isApproved ||= progress.approval !== undefined
    if (progress.sending) {
      onSend({ ...prepared, tx: { ...prepared.tx, data: progress.sending.data } })
    }
  }
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = first.order
  const { minAmountOut, deadline, receiver } = decodeRouterCall(first.tx.data)
  const order = {
    ...{ src, dst, amount, slippage: ANY_SLIPPAGE, ...feeParameters(readFee(options)) },
    ...(receiver !== ZERO_ADDRESS && { receiver }),
  }
  const terms = {
    ...{ router: first.tx.to, wrappedNative: first.wrappedNative, minAmountOut },
    latestDeadline: deadline + LATER_SECONDS,
    maxNetworkFee: parseAmount(options.maxNetworkFee, nativeToken.decimals),
  }
  const wallet = { account, request: client.request }
  const sent = await callNode(() =>
    sendSwap(wallet, order, terms, { braid: { swap }, payBy: options.pay, onStep }),
  )
  return { prepared, sent }
}

function report({ step, approval, sent }: SwapProgress, terminal: Terminal): void {
  if (step === 'confirm') terminal.err(`sent ${sent?.hash}; waiting for its block`)
  if (!approval) return
  const { amount, token, spender } = approval
  const what = amount === 0n ? 'revoking the allowance' : `approving exactly ${amount} wei`
  terminal.err(`${what} of ${token} for ${spender}`)
}

/** The options that sell what was shown and approved, also for an amount to buy. */
function saleOf(options: SwapOptions, first: Prepared): SwapOptions {
  if (options.amountOut === undefined) return options
  const { amountOut: min, maxAmountIn: _, minRate: __, ...others } = options
  return { ...others, min, amountWei: `${first.order.amountIn}` }
}
