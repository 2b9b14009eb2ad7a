/**
 * The one way to send a swap: check, allow, build, verify, send, confirm. Nothing that a server or a node
 * says makes it send anything that the caller's own terms do not allow.
 */
import { routerAbi } from '@braid-swap/contracts'
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  NATIVE,
  withPayment,
} from '@braid-swap/core'
import { type Log, parseEventLogs, type TransactionReceipt, toHex } from 'viem'
import type { SwapRequest } from '../requests.js'
import type { Swapped } from '../responses.js'
import { type VerifiedRouter, verifyRouter } from '../verifyRouter.js'
import { type CheckedTransaction, type OwnTerms, verifySwap } from '../verifySwap.js'
import { confirmCalls, sendTogether } from './calls.js'
import { confirmTransaction, type Patience } from './confirm.js'
import { SendError } from './errors.js'
import { approvalsFor, type PayBy, signPayment, spenderOf } from './payment.js'
import { type SentTransaction, sendCall, trySwap } from './transaction.js'
import {
  addressOf,
  clientOf,
  readBalance,
  requireChain,
  type SwapWallet,
  type WalletClient,
} from './wallet.js'

/** What is swapped; the payer is the wallet. */
export type SwapOrder = Omit<
  SwapRequest,
  | 'from'
  | 'permit'
  | 'permit2'
  | 'permit2Nonce'
  | 'skipChecks'
  | 'includeCalls'
  | 'gasPrice'
  | 'gasLimit'
>

/** The caller's own terms, as for `verifySwap`; the router is checked here. */
export type SendTerms = Omit<OwnTerms, 'router' | 'executors'> & {
  /** The router you know; the address it has by its deployment when absent. */
  readonly router?: Address | undefined
  /** 999 by default. */
  readonly chainId?: number
}

/** The steps of a swap, in order. */
export type SwapStep = 'check' | 'allow' | 'build' | 'verify' | 'send' | 'confirm'

/** How far a swap is. */
export type SwapProgress = {
  readonly step: SwapStep
  /** An approval that is sent in the step `allow`; an amount of 0 revokes an earlier one. */
  readonly approval?: {
    readonly token: Address
    readonly amount: bigint
    readonly spender: Address
  }
  /** From the step `send` on: what is sent, and the output that was quoted, in wei. */
  readonly tx?: CheckedTransaction
  readonly quoted?: bigint
  /** The wallet sends into big blocks, which come once a minute. */
  readonly usesBigBlocks?: boolean
  /** Last in `send`: what leaves now. Kept, it is enough for `confirmSwap`. A wallet's has no hash. */
  readonly sending?: SentSwap
  /** In the step `confirm`: what `confirmSwap` needs, also after a restart of the program. */
  readonly sent?: SentSwap
}

/** A swap that was sent, as data: `JSON.stringify` keeps it. */
export type SentSwap = SentTransaction & {
  readonly router: Address
  /** The wallet's name of the bundle, of a swap paid by `calls`. */
  readonly bundle?: string
}

/** A swap that was mined. */
export type DoneSwap = {
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly gasUsed: bigint
  /** Of the router's event, in wei: what was paid, and what arrived at the receiver. */
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** Builds swaps: a client of the API, or a program's own market. Nothing of its answer is trusted. */
export type SwapBuilder = {
  readonly swap: (
    request: SwapRequest,
  ) => Promise<Pick<Swapped, 'dstAmount' | 'tx'> & { readonly meta?: BuiltMeta | undefined }>
}
type BuiltMeta = {
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly wallet?: { readonly usingBigBlocks: boolean | null } | undefined
}

/** How a swap is built, paid and followed. */
export type SendOptions = Patience & {
  readonly braid: SwapBuilder
  /** `approval` by default, of exactly the amount. */
  readonly payBy?: PayBy | undefined
  readonly onStep?: ((progress: SwapProgress) => void) | undefined
}

type Job = {
  readonly client: WalletClient
  readonly known: VerifiedRouter
  readonly terms: SendTerms & { readonly chainId: number }
  readonly options: SendOptions
  readonly say: (progress: SwapProgress) => void
}
type Sale = SwapOrder & { readonly amount: bigint; readonly dstAmountExact?: undefined }

/**
 * Swaps an order from a wallet, and returns what was paid and received. The chain is compared before
 * every signature, approvals are exact, the floor is the higher of the server's and yours, and the swap
 * is called on the wallet's own node before it is sent. Throws what the client, the checks and the wallet
 * throw, {@link SendError}, and {@link OutcomeUnknownError}: only then may a swap be under way.
 *
 * @example
 * const done = await sendSwap(walletClient, { src, dst, amount, slippage: 0.5 }, terms, { braid })
 */
export async function sendSwap(
  wallet: SwapWallet,
  order: SwapOrder,
  terms: SendTerms,
  options: SendOptions,
): Promise<DoneSwap & { readonly quoted: bigint }> {
  const { onStep: say = () => {}, payBy = 'approval' } = options
  const { chainId = 999, router, wrappedNative } = terms
  const client = clientOf(wallet)
  say({ step: 'check' })
  await requireChain(client, chainId)
  const known = await verifyRouter(client, { router, ...(wrappedNative && { wrappedNative }) })
  const job: Job = { client, known, terms: { ...terms, chainId }, options, say }
  const sale = await saleOf(job, order)
  await requireBalance(client, sale)
  const isNative = sale.src.toLowerCase() === NATIVE
  if (payBy === 'calls' && !isNative) return swapTogether(job, sale)
  if (!isNative) await allow(job, sale, payBy)
  const isSigned = !isNative && payBy !== 'approval'
  const { tx, quoted, usesBigBlocks } = await build(job, sale, isSigned)
  const data = isSigned ? await sign(job, tx.data, payBy) : tx.data
  await trySwap(client, { ...tx, data }, known.router)
  const shown = { tx, quoted, usesBigBlocks }
  say({ step: 'send', ...shown })
  const limits = { chainId, maxNetworkFee: terms.maxNetworkFee }
  const sent = await sendCall(client, { ...tx, data, leastGas: tx.gas }, limits, (sending) =>
    say({ step: 'send', ...shown, sending: { ...sending, router: known.router } }),
  )
  const record = { ...sent, router: known.router }
  say({ step: 'confirm', ...shown, sent: record })
  return { ...(await confirmSwap(wallet, record, options)), quoted }
}

/**
 * Waits for a swap that was sent, also by an earlier run of the program. Throws REVERTED, REPLACED or
 * OUTCOME_UNKNOWN.
 */
export async function confirmSwap(
  wallet: SwapWallet,
  sent: SentSwap,
  patience: Patience = {},
): Promise<DoneSwap> {
  const client = clientOf(wallet)
  const receipt =
    sent.bundle === undefined
      ? await confirmTransaction(client, sent, patience)
      : await confirmCalls(client, sent.bundle, patience)
  return readSwap(receipt, sent)
}

/** The amounts of the router's event. A receipt without one is no swap. */
function readSwap(
  { logs, transactionHash: hash, blockNumber, gasUsed }: Mined,
  { router, from }: Pick<SentSwap, 'router' | 'from'>,
): DoneSwap {
  const own = logs.filter(({ address }) => address.toLowerCase() === router) as readonly Log[]
  const events = parseEventLogs({ abi: routerAbi, eventName: 'Swap', logs: [...own] })
  const event = events.find(({ args }) => args.payer.toLowerCase() === from)
  if (!event) throw new SendError('REVERTED', 'the router reported no swap', { hash })
  const { amountIn, amountOut } = event.args
  return { hash, blockNumber, gasUsed, amountIn, amountOut }
}
type Mined = Pick<TransactionReceipt, 'logs' | 'transactionHash' | 'blockNumber' | 'gasUsed'>

/** An amount to buy as the sale of what the builder needs for it now, at most the caller's maximum. */
async function saleOf({ client, known, terms, options }: Job, order: SwapOrder): Promise<Sale> {
  if (order.dstAmountExact === undefined) return order as Sale
  const request = { ...order, from: addressOf(client), skipChecks: true } as SwapRequest
  const { call } = verifySwap(await options.braid.swap(request), request, { ...terms, ...known })
  const { dstAmountExact: _, ...rest } = order
  return { ...rest, amount: call.amountIn } as Sale
}

async function requireBalance(client: WalletClient, { src, amount }: Sale): Promise<void> {
  const owner = addressOf(client)
  const balance = await readBalance(client, { token: src, owner })
  if (balance >= amount) return
  throw new SendError('BALANCE_INSUFFICIENT', `the balance of ${owner} is below the amount`, {
    ...{ got: `${balance} wei`, wanted: `${amount} wei` },
  })
}

/** Gives the router, or Permit2, exactly the allowance that is missing. */
async function allow(job: Job, { src: token, amount }: Sale, payBy: PayBy): Promise<void> {
  const { client, known, terms, options, say } = job
  const spender = spenderOf(payBy, known.router)
  if (spender === undefined) return
  const missing = () => approvalsFor(client, { token, amount, spender })
  const calls = await missing()
  for (const call of calls) {
    say({ step: 'allow', approval: { token, amount: call.amount, spender } })
    const sent = await sendCall(client, call, terms)
    await confirmTransaction(client, sent, options)
  }
  // A wallet lets its owner lower the amount.
  if (calls.length > 0 && (await missing()).length > 0) {
    const message = 'the approved amount is lower than the swap needs'
    throw new SendError('ALLOWANCE_INSUFFICIENT', message, { wanted: `${amount} wei` })
  }
}

/** Warnings of a builder that forbid to send. Without a short allowance, none of them is expected. */
const FORBIDDING = new Map([
  ['BIG_BLOCK_REQUIRED', 'BIG_BLOCK_REQUIRED'],
  ['SWAP_WOULD_REVERT', 'REVERTED'],
] as const)

/** The transaction of a sale, with a floor of at least the caller's, checked. */
async function build({ client, known, terms, options, say }: Job, sale: Sale, skipChecks: boolean) {
  say({ step: 'build' })
  const request: SwapRequest & { readonly amount: bigint } = {
    ...{ ...sale, from: addressOf(client), includeMeta: true },
    ...(skipChecks && { skipChecks }),
  }
  const { tx, dstAmount: quoted, meta } = await options.braid.swap(request)
  say({ step: 'verify' })
  for (const { code, message } of meta?.warnings ?? []) {
    const forbids = FORBIDDING.get(code as 'BIG_BLOCK_REQUIRED')
    if (forbids) throw new SendError(forbids, message, { warning: code, gas: `${tx.gas}` })
  }
  if (quoted < terms.minAmountOut) {
    throw new SendError('PRICE_MOVED', 'the market now pays less than your floor', {
      ...{ got: `${quoted} wei`, wanted: `at least ${terms.minAmountOut} wei` },
    })
  }
  const raised = { ...tx, data: withFloor(tx.data, terms.minAmountOut) }
  const checked = verifySwap({ tx: raised, dstAmount: quoted }, request, { ...terms, ...known })
  return { tx: checked.tx, quoted, usesBigBlocks: meta?.wallet?.usingBigBlocks === true }
}

/** The calldata with a floor of at least `minAmountOut` wei. Throws BAD_CALLDATA. */
function withFloor(data: Hex, minAmountOut: bigint): Hex {
  const call = decodeRouterCall(data)
  return call.minAmountOut >= minAmountOut ? data : encodeRouterCall({ ...call, minAmountOut })
}

async function sign(
  { client, known, terms: { chainId } }: Job,
  data: Hex,
  by: PayBy,
): Promise<Hex> {
  if (by !== 'permit' && by !== 'permit2') return data
  await requireChain(client, chainId)
  const payment = await signPayment(client, decodeRouterCall(data), {
    ...{ by, router: known.router, chainId },
  })
  return withPayment(data, payment)
}

/** Approves and swaps in one confirmation, all or nothing, in wallets that can (EIP-5792). */
async function swapTogether(job: Job, sale: Sale) {
  const { client, known, terms, options, say } = job
  const { router } = known
  const { tx, quoted, usesBigBlocks } = await build(job, sale, true)
  const { src: token, amount } = sale
  const approvals = await approvalsFor(client, { token, amount, spender: router })
  const shown = { tx, quoted, usesBigBlocks }
  const { chainId } = terms
  await requireChain(client, chainId)
  const id = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const { to, data } = tx
  const own = { chainId, from: addressOf(client), to, data, nonce: 0, block: '0', router }
  say({ step: 'send', ...shown, sending: { ...own, bundle: id } })
  const bundle = await sendTogether(client, [...approvals, tx], { chainId, id })
  const sent = { ...own, bundle }
  say({ step: 'confirm', ...shown, sent })
  return { ...readSwap(await confirmCalls(client, bundle, options), sent), quoted }
}
