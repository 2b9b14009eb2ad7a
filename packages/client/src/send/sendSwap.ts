/**
 * The one way to send a swap: check, build, verify, allow, send, confirm. Nothing that a server or a node
 * says makes it send anything that the caller's own terms do not allow.
 */

import { shippedChainId } from '@braid-swap/contracts'
import type { Hex } from '@braid-swap/core'
import { requireFields } from '@braid-swap/core/advanced'
import { toHex } from 'viem'
import { getBlockNumber, getTransactionCount } from 'viem/actions'
import { verifyRouter } from '../verifyRouter.js'
import { handOverTogether } from './calls.js'
import { confirmSwap } from './confirm.js'
import { OutcomeUnknownError, SendError } from './errors.js'
import { isDeclined } from './failures.js'
import type { DoneSwap, SentSwap } from './memory.js'
import { orderKey, type SendTerms, type SwapOrder } from './order.js'
import { type Job, prepare, type SendOptions, type SwapProgress } from './prepare.js'
import { handOver, makeReady, type Ready } from './transaction.js'
import { addressOf, clientOf, requireChain, type SwapWallet } from './wallet.js'

/** What the steps `send` and `confirm` say. */
type Shown = Job & { readonly shown: Omit<SwapProgress, 'step' | 'sent' | 'approval'> }
type Leaving = {
  readonly sent: SentSwap
  readonly raw: Hex | undefined
  readonly leave: () => Promise<Hex | undefined>
}

/**
 * Swaps an order from a wallet, and returns what was paid and received. What can be refused is refused
 * before an approval is sent, approvals are exact, the chain is compared before every signature and named in every
 * request, the floor is the higher of the server's and yours, and the swap is called on the wallet's own node
 * before it is sent. With a `memory`, an order whose earlier swap is not known to have ended is not sold again:
 * if that one was performed, it is returned. Throws what the client, the checks and the wallet throw,
 * {@link SendError}, and {@link OutcomeUnknownError}: only then may a swap be under way.
 *
 * @example
 * const done = await sendSwap(walletClient, { src, dst, amount, slippage: 0.5 }, terms, { braid })
 */
export async function sendSwap(
  wallet: SwapWallet,
  order: SwapOrder,
  terms: SendTerms,
  options: SendOptions,
): Promise<DoneSwap> {
  requireFields('wallet', wallet, ['request'])
  requireFields('order', order, ['src', 'dst'])
  requireFields('terms', terms, [])
  requireFields('options', options, ['braid'])
  const { onStep: say = () => {}, payBy = 'approval', memory } = options
  const { chainId = shippedChainId, router, executors, wrappedNative } = terms
  const client = clientOf(wallet)
  const key = orderKey(order, { chainId, from: addressOf(client) })
  const earlier = await memory?.find(key)
  const performed = earlier && (await confirmSwap(wallet, earlier, options).catch(orNotPerformed))
  if (performed) return performed
  say({ step: 'check' })
  await requireChain(client, chainId)
  const wrapped = wrappedNative && { wrappedNative }
  const known = await verifyRouter(client, { router, executors, ...wrapped })
  const exact = order.dstAmountExact ?? 0n
  const minAmountOut = exact > terms.minAmountOut ? exact : terms.minAmountOut
  const ownTip = order.maxPriorityFeePerGas
  const limits = { ...terms, chainId, minAmountOut, ownTip }
  const job: Job = { client, known, terms: limits, options, say }
  const { balance, bundled, ...shown } = await prepare(job, order, payBy)
  const { tx, quoted } = shown
  say({ step: 'send', ...shown })
  const block = await getBlockNumber(client, { cacheTime: 0 })
  const ready = bundled
    ? undefined
    : await makeReady(client, { ...tx, leastGas: tx.gas }, job.terms)
  if (bundled) await requireChain(client, chainId)
  const from = addressOf(client)
  const { raw, ...own }: Partial<NonNullable<Ready['own']>> = ready?.own ?? {}
  const sent: SentSwap = {
    ...{ id: toHex(crypto.getRandomValues(new Uint8Array(32))), terms: key, chainId },
    ...{ from, router: known.router, data: tx.data, ...own },
    ...{ quoted: `${quoted}`, balance: `${balance}`, block: `${block}` },
    count: own.nonce ?? (await getTransactionCount(client, { address: from })),
  }
  const leave = () =>
    ready ? handOver(client, ready) : handOverTogether(client, sent, [...(bundled ?? []), tx])
  return send(wallet, { ...job, shown }, { sent, raw, leave })
}

/**
 * Hands a swap over once it is remembered, and follows it. From here on, only the owner's refusal and what
 * was seen on the chain may say that nothing is under way.
 */
async function send(
  wallet: SwapWallet,
  { options, say, shown }: Shown,
  { sent, raw, leave }: Leaving,
) {
  const { memory } = options
  say({ step: 'send', ...shown, sent })
  if (memory && !(await memory.keep(sent))) {
    throw new OutcomeUnknownError((await memory.find(sent.terms)) ?? sent, UNDER_WAY)
  }
  const { hash, cause } = await leave().then(
    (answer) => ({ hash: readHash(answer), cause: undefined }),
    (cause: unknown) => ({ hash: undefined, cause }),
  )
  if (raw === undefined && isDeclined(cause)) {
    await memory?.forget(sent)
    throw cause
  }
  const record = { ...(hash && { hash }), ...sent }
  try {
    await memory?.keep(record)
    say({ step: 'confirm', ...shown, sent: record })
    return await confirmSwap(wallet, record, options, { cause, raw })
  } catch (error) {
    if (error instanceof SendError || error instanceof OutcomeUnknownError) throw error
    throw new OutcomeUnknownError(record, `${error}`, error)
  }
}

const UNDER_WAY = 'the same order is under way'

/** The hash in a wallet's answer, which may be anything. */
function readHash(answer: unknown): Hex | undefined {
  return /^0x[0-9a-f]{64}$/i.test(`${answer}`) ? (`${answer}`.toLowerCase() as Hex) : undefined
}

/** An earlier swap of the same order that certainly was not performed is none. */
function orNotPerformed(error: unknown): undefined {
  if (!(error instanceof SendError)) throw error
}
