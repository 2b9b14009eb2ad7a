/** From an order to a checked transaction that the router may be paid for. */
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  NATIVE,
} from '@braid-swap/core'
import { withPayment } from '@braid-swap/core/advanced'
import type { SwapRequest } from '../requests.js'
import type { VerifiedRouter } from '../verifyRouter.js'
import { type BuiltSwap, type CheckedTransaction, verifySwap } from '../verifySwap.js'
import type { Warning } from '../words.js'
import { requireCalls } from './calls.js'
import type { Patience } from './confirm.js'
import { SendError } from './errors.js'
import type { SentSwap, SwapMemory } from './memory.js'
import type { SendTerms, SwapOrder } from './order.js'
import { allow, approvalsFor, type PayBy, signPayment, spenderOf } from './payment.js'
import { type Call, type FeeTerms, feesWithin, trySwap } from './transaction.js'
import { addressOf, readBalance, requireChain, type WalletClient } from './wallet.js'

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
  /** What its builder found in it; an `ask` is for the owner to accept. */
  readonly warnings?: readonly Warning[] | undefined
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
export type BuiltMeta = BuiltSwap['meta'] & {
  readonly warnings: readonly Warning[]
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

/** What the steps of a swap share. */
export type Job = {
  readonly client: WalletClient
  readonly known: VerifiedRouter
  readonly terms: SendTerms & FeeTerms
  readonly options: SendOptions
  readonly say: (progress: SwapProgress) => void
}
type Prepared = Omit<Awaited<ReturnType<typeof build>>, 'amountIn'> & {
  /** Of what is sold, before. */
  readonly balance: bigint
  /** Approvals that the wallet executes together with the swap. */
  readonly bundled?: readonly Call[]
}

/** Builds and checks the transaction of an order, and sees to it that the router may take the amount. */
export async function prepare(job: Job, order: SwapOrder, payBy: PayBy): Promise<Prepared> {
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
  const fees = await feesWithin(client, first.tx, terms)
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
  await trySwap(client, { ...tx, data }, fees)
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
  const { warnings } = meta ?? {}
  return { tx: checked.tx, amountIn: checked.call.amountIn, quoted, usesBigBlocks, warnings }
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
