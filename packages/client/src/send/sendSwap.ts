/**
 * The one way to send a swap: check, build, verify, allow, send, confirm. Nothing that a server or a node
 * says makes it send anything that the caller's own terms do not allow.
 */
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  NATIVE,
  withPayment,
} from '@braid-swap/core'
import { toHex } from 'viem'
import { getBlockNumber, getTransactionCount } from 'viem/actions'
import type { SwapRequest } from '../requests.js'
import { type VerifiedRouter, verifyRouter } from '../verifyRouter.js'
import { type BuiltSwap, type CheckedTransaction, verifySwap } from '../verifySwap.js'
import { handOverTogether, requireCalls } from './calls.js'
import { confirmSwap, type Patience } from './confirm.js'
import { OutcomeUnknownError, SendError } from './errors.js'
import { isDeclined } from './failures.js'
import type { DoneSwap, SentSwap, SwapMemory } from './memory.js'
import { orderKey, type SendTerms, type SwapOrder } from './order.js'
import { allow, approvalsFor, type PayBy, signPayment, spenderOf } from './payment.js'
import {
  type Call,
  type FeeTerms,
  feesWithin,
  handOver,
  makeReady,
  type Ready,
  trySwap,
} from './transaction.js'
import {
  addressOf,
  clientOf,
  readBalance,
  requireChain,
  type SwapWallet,
  type WalletClient,
} from './wallet.js'

/** The steps of a swap, in order; after an approval it is built and verified again. */
export type SwapStep = 'check' | 'build' | 'verify' | 'allow' | 'send' | 'confirm'

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
  /** Last in `send`, what leaves now, and in `confirm`: kept, it is enough for `confirmSwap`. */
  readonly sent?: SentSwap
}

/** Builds swaps: a client of the API, or a program's own market. Nothing of its answer is trusted. */
export type SwapBuilder = {
  readonly swap: (
    request: SwapRequest,
  ) => Promise<BuiltSwap & { readonly meta?: BuiltMeta | undefined }>
}
type BuiltMeta = BuiltSwap['meta'] & {
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly wallet?: { readonly usingBigBlocks: boolean | null } | undefined
}

/** How a swap is built, paid, followed and remembered. */
export type SendOptions = Patience & {
  readonly braid: SwapBuilder
  /** `approval` by default, of exactly the amount. */
  readonly payBy?: PayBy | undefined
  /** Without one, a second call may sell the same order again while the end of the first is unknown. */
  readonly memory?: SwapMemory | undefined
  readonly onStep?: ((progress: SwapProgress) => void) | undefined
}

type Job = {
  readonly client: WalletClient
  readonly known: VerifiedRouter
  readonly terms: SendTerms & FeeTerms
  readonly options: SendOptions
  readonly say: (progress: SwapProgress) => void
}
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
  const { onStep: say = () => {}, payBy = 'approval', memory } = options
  const { chainId = 999, router, wrappedNative } = terms
  const client = clientOf(wallet)
  const key = orderKey(order, { chainId, from: addressOf(client) })
  const earlier = await memory?.find(key)
  const performed = earlier && (await endOf(wallet, earlier, options))
  if (performed) return performed
  say({ step: 'check' })
  await requireChain(client, chainId)
  const known = await verifyRouter(client, { router, ...(wrappedNative && { wrappedNative }) })
  const exact = order.dstAmountExact ?? 0n
  const minAmountOut = exact > terms.minAmountOut ? exact : terms.minAmountOut
  const ownTip = order.maxPriorityFeePerGas
  const job: Job = {
    client,
    known,
    terms: { ...terms, chainId, minAmountOut, ownTip },
    options,
    say,
  }
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

/** The end of an earlier swap of the same order: undefined if it certainly was not performed. */
async function endOf(wallet: SwapWallet, earlier: SentSwap, options: SendOptions) {
  try {
    return await confirmSwap(wallet, earlier, options)
  } catch (error) {
    if (error instanceof SendError) return undefined
    throw error
  }
}

type Prepared = Omit<Awaited<ReturnType<typeof build>>, 'amountIn'> & {
  /** Of what is sold, before. */
  readonly balance: bigint
  /** Approvals that the wallet executes together with the swap. */
  readonly bundled?: readonly Call[]
}

/** Builds and checks the transaction of an order, and sees to it that the router may take the amount. */
async function prepare(job: Job, order: SwapOrder, payBy: PayBy): Promise<Prepared> {
  const { client, known, terms } = job
  const { src: token } = order
  const isNative = token.toLowerCase() === NATIVE
  const isSigned = !isNative && (payBy === 'permit' || payBy === 'permit2')
  const spender = isNative ? undefined : spenderOf(payBy, known.router)
  const missing = async (amount: bigint) =>
    spender ? approvalsFor(client, { token, amount, spender }) : []
  const early = order.amount === undefined ? undefined : await missing(order.amount)
  // A server's own checks refuse what is not approved yet.
  const skipChecks = isSigned || early?.length !== 0
  const first = await build(job, order, skipChecks)
  const balance = await requireBalance(client, token, first.amountIn)
  await feesWithin(client, first.tx, terms)
  const approvals = early ?? (await missing(first.amountIn))
  const { amountIn, ...built } = first
  if (payBy === 'calls' && approvals.length > 0) {
    await requireCalls(client, terms.chainId)
    return { ...built, balance, bundled: approvals }
  }
  const { maxPriorityFeePerGas } = first.tx
  await allow(
    job,
    approvals.map((call) => ({ ...call, maxPriorityFeePerGas })),
  )
  const { dstAmountExact: _, ...ends } = order
  const sale = { ...ends, amount: amountIn } as SwapOrder
  const isOld = approvals.length > 0 || (skipChecks && !isSigned)
  const { tx, amountIn: __, ...rest } = isOld ? await build(job, sale, isSigned) : first
  const data = isSigned ? await sign(job, tx.data, payBy) : tx.data
  await trySwap(client, { ...tx, data })
  return { ...rest, tx: { ...tx, data }, balance }
}

async function requireBalance(client: WalletClient, token: Address, amount: bigint) {
  const owner = addressOf(client)
  const balance = await readBalance(client, { token, owner })
  if (balance >= amount) return balance
  throw new SendError('BALANCE_INSUFFICIENT', `the balance of ${owner} is below the amount`, {
    ...{ got: `${balance} wei`, wanted: `${amount} wei` },
  })
}

/** Warnings of a builder that forbid to send. Without a short allowance, none of them is expected. */
const FORBIDDING = new Map([
  ['BIG_BLOCK_REQUIRED', 'BIG_BLOCK_REQUIRED'],
  ['SWAP_WOULD_REVERT', 'REVERTED'],
] as const)

/** The transaction of an order, with a floor of at least the caller's, checked. */
async function build(
  { client, known, terms, options, say }: Job,
  order: SwapOrder,
  skipChecks: boolean,
) {
  say({ step: 'build' })
  const request = {
    ...{ ...order, from: addressOf(client), includeMeta: true },
    ...(skipChecks && { skipChecks }),
  } as SwapRequest
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
  // The wallet's node says what gas costs.
  const raised = { ...tx, data: withFloor(tx.data, terms.minAmountOut), gasPrice: 0n }
  const checked = verifySwap({ tx: raised, dstAmount: quoted, meta }, request, {
    ...terms,
    ...known,
  })
  const usesBigBlocks = meta?.wallet?.usingBigBlocks === true
  return { tx: checked.tx, amountIn: checked.call.amountIn, quoted, usesBigBlocks }
}

/** The calldata with a floor of at least `minAmountOut` wei. Throws BAD_CALLDATA. */
function withFloor(data: Hex, minAmountOut: bigint): Hex {
  const call = decodeRouterCall(data)
  return call.minAmountOut >= minAmountOut ? data : encodeRouterCall({ ...call, minAmountOut })
}

async function sign({ client, known, terms }: Job, data: Hex, by: PayBy): Promise<Hex> {
  const { chainId } = terms
  if (by !== 'permit' && by !== 'permit2') return data
  await requireChain(client, chainId)
  const payment = await signPayment(client, decodeRouterCall(data), {
    ...{ by, router: known.router, chainId },
  })
  return withPayment(data, payment)
}
