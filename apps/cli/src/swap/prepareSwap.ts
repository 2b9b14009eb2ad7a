import { WHYPE } from '@braid-swap/chain'
import type { Braid, SwapRequest } from '@braid-swap/client'
import {
  type Address,
  BadCalldataError,
  BadProgramError,
  buildGraph,
  findMismatches,
  floorAt,
  isBurnAddress,
  type Order,
  quote,
  quoteDelivery,
  ReceiverRefusedError,
  raisedAt,
  receiverFault,
  ZERO_ADDRESS,
} from '@braid-swap/core'
import { exactAmountText } from '@braid-swap/draw'
import { MismatchError, OwnLimitError, UsageError } from '../errors.js'
import { apiOf, feeParameters } from '../sources/apiClient.js'
import { openClient, openMarket, type SourceOptions } from '../sources/marketSource.js'
import { srcAmountOf } from '../sources/quoteSource.js'
import { type RouteListOptions, readRouteLists, routeOptions } from '../sources/routeLists.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { type FeeOptions, readFee } from './fee.js'
import { raiseFloor } from './ownFloor.js'
import { type OwnTerms, readTerms, type TermOptions } from './ownTerms.js'
import { readOwnView } from './ownView.js'
import { executorOf, type KnownRouter, knownRouter, requireRouter } from './router.js'
import { readAddress, readSlippagePpm } from './slippage.js'
import { buildTransaction, type SwapTransaction } from './transaction.js'

/** The options of a swap. */
export type SwapOptions = SourceOptions &
  TermOptions &
  RouteListOptions &
  FeeOptions & {
    readonly slippage: string
    readonly from?: string
    readonly receiver?: string
    readonly router?: string
    /** Seconds. */
    readonly deadline: string
  }

/** A swap that is ready to sign, and was checked against the order. */
export type Prepared = {
  /** The order that the transaction fills. */
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  readonly tx: SwapTransaction
  /** The quoted output, in wei. */
  readonly amountOut: bigint
  readonly wrappedNative: Address
  /** Only for an amount to buy: the input in wei that is enough at this block. */
  readonly leastAmountIn?: bigint
}

/** A swap before its checks, and the values for the checks. */
type Unchecked = Prepared & {
  readonly known: KnownRouter
  /** Unix seconds. */
  readonly latestDeadline: bigint
  readonly terms: OwnTerms
}

const MAX_DEADLINE_SECONDS = 86_400n

/**
 * Prepares a swap from the newest state of its source: from the API if one is named, else computed
 * locally. The calldata is always decoded again and compared with the order. Its floor is never
 * below the caller's own, and what it sells never above the caller's maximum. If there is a node, the
 * router's code is checked on it. Throws MISMATCH, BELOW_OWN_FLOOR, ABOVE_OWN_MAXIMUM, NO_OWN_FLOOR,
 * NO_OWN_MAXIMUM, RECEIVER_REFUSED, ROUTER_UNVERIFIED.
 */
export async function prepareSwap(options: SwapOptions, terminal: Terminal): Promise<Prepared> {
  const isApi = options.api !== undefined
  const { known, latestDeadline, terms, ...prepared } = isApi
    ? await prepareByApi(options, terminal)
    : await prepareHere(options, terminal)
  checkTransaction({ ...prepared, known, latestDeadline, terms }, options)
  const ownFloor = 'order' in terms ? terms.ownFloor : terms.wanted.amountOut
  checkLimits(prepared, { ownFloor, ownMaximum: 'order' in terms ? undefined : terms.ownMaximum })
  return ownFloor === undefined ? prepared : { ...prepared, tx: raiseFloor(prepared.tx, ownFloor) }
}

/** Throws BELOW_OWN_FLOOR, ABOVE_OWN_MAXIMUM. */
function checkLimits(
  { order, amountOut, tokens }: Prepared,
  limits: { readonly ownFloor: bigint | undefined; readonly ownMaximum: bigint | undefined },
): void {
  const { ownFloor = 0n, ownMaximum = order.amountIn } = limits
  const labels = labelsOf(tokens)
  if (order.amountIn > ownMaximum) {
    const text = (wei: bigint) => exactAmountText(wei, order.tokenIn, labels)
    throw new OwnLimitError('maximum', text(order.amountIn), text(ownMaximum))
  }
  if (amountOut < ownFloor) {
    const text = (wei: bigint) => exactAmountText(wei, order.tokenOut, labels)
    throw new OwnLimitError('floor', text(amountOut), text(ownFloor))
  }
}

async function prepareHere(options: SwapOptions, terminal: Terminal): Promise<Unchecked> {
  const { rpc, router } = options
  const slippagePpm = readSlippagePpm(options.slippage)
  const deadlineSeconds = readDeadline(options.deadline)
  const verified =
    rpc && (await requireRouter(openClient(rpc, options), knownRouter(router, WHYPE), WHYPE))
  const { snapshot, tokens } = await openMarket(options, terminal)
  const { wrappedNative } = snapshot
  const known = verified || knownRouter(router, wrappedNative)
  if (options.rpc === undefined) reportUnverified(known, terminal)
  const terms = readTerms(options, tokens)
  checkReceiver({ options, order: endsOf(terms), known, wrappedNative }, terminal)
  const graph = buildGraph(snapshot)
  const lists = {
    ...routeOptions({ snapshot, tokens }, options),
    ...readFee(options),
  }
  const { least, sale } =
    'order' in terms
      ? { least: undefined, sale: quote(graph, terms.order, lists) }
      : quoteDelivery(graph, terms.wanted, { ...lists, slippagePpm })
  const tx = buildTransaction(sale, snapshot, {
    ...{ slippagePpm, deadlineSeconds, router: known.router, ...addressesOf(options) },
    executor: executorOf(known, sale.route, wrappedNative),
    ...('wanted' in terms && { minAmountOut: terms.wanted.amountOut }),
  })
  const { order, amountOut } = sale
  return {
    ...{ order, tokens, tx, amountOut, wrappedNative, known, terms },
    ...(least && { leastAmountIn: least.order.amountIn }),
    latestDeadline: snapshot.block.timestamp + deadlineSeconds,
  }
}

async function prepareByApi(options: SwapOptions, terminal: Terminal): Promise<Unchecked> {
  const api = apiOf(options, terminal)
  readSlippagePpm(options.slippage)
  const deadlineSeconds = readDeadline(options.deadline)
  const known = knownRouter(options.router, WHYPE)
  if (options.rpc === undefined) reportUnverified(known, terminal)
  const { terms, tokens, now } = await readOwnView({ options, api, known }, terminal)
  checkReceiver({ options, order: endsOf(terms), known, wrappedNative: WHYPE }, terminal)
  const latestDeadline = now + deadlineSeconds
  const settings = {
    ...{ slippage: options.slippage, deadline: Number(latestDeadline) },
    ...feeParameters(readFee(options)),
    ...addressesOf(options),
    ...readRouteLists(options, tokens),
  }
  const built = await askSwap(api, terms, settings)
  const wrappedNative: Address = WHYPE
  return { ...built, tokens, wrappedNative, known, latestDeadline, terms }
}

type SwapSettings = Omit<SwapRequest, 'src' | 'dst' | 'amount' | 'dstAmountExact'>

/** The swap that an API builds. Throws MISMATCH if it does not say what it sells, or adds too much. */
async function askSwap(api: Braid, terms: OwnTerms, settings: SwapSettings) {
  const { tokenIn, tokenOut } = endsOf(terms)
  const ends = { src: tokenIn, dst: tokenOut }
  if ('order' in terms) {
    const { order } = terms
    const { tx, dstAmount } = await api.swap({ ...settings, ...ends, amount: order.amountIn })
    return { order, tx, amountOut: dstAmount }
  }
  const dstAmountExact = terms.wanted.amountOut
  const answer = await api.swap({ ...settings, ...ends, dstAmountExact })
  const leastAmountIn = srcAmountOf(answer)
  const { maxSrcAmount: amountIn = leastAmountIn, tx, dstAmount } = answer
  const most = raisedAt(leastAmountIn, readSlippagePpm(`${settings.slippage}`))
  if (amountIn > most) {
    throw new MismatchError('the API raised the input by more than the slippage', {
      ...{ got: `${amountIn} wei`, wanted: `at most ${most} wei` },
    })
  }
  return { order: { tokenIn, tokenOut, amountIn }, tx, amountOut: dstAmount, leastAmountIn }
}

/** The tokens of an order. */
function endsOf(terms: OwnTerms): Pick<Order, 'tokenIn' | 'tokenOut'> {
  return 'order' in terms ? terms.order : terms.wanted
}

function reportUnverified({ router, source }: KnownRouter, terminal: Terminal): void {
  terminal.err(`the router is ${router} (${source}); without --rpc its code is not checked`)
}

function checkTransaction(unchecked: Unchecked, options: SwapOptions): void {
  const { order, tx, amountOut, wrappedNative, known, latestDeadline, terms } = unchecked
  const { from = ZERO_ADDRESS, receiver = ZERO_ADDRESS } = addressesOf(options)
  const minAmountOut =
    'order' in terms
      ? floorAt(amountOut, readSlippagePpm(options.slippage))
      : terms.wanted.amountOut
  const wrong = [
    ...namesOfMismatches(tx, {
      ...{ router: known.router, executors: known.executors, wrappedNative },
      wanted: {
        ...{ ...order, receiver, sender: from, minAmountOut, deadline: latestDeadline },
        ...readFee(options),
      },
    }),
    ...(tx.from === from ? [] : ['from']),
  ]
  if (wrong.length > 0) {
    throw new MismatchError('the transaction does not match the order', {
      ...(wrong.includes('to') && { got: tx.to, wanted: `${known.router}, or --router` }),
      wrong: wrong.join(', '),
    })
  }
}

/** Malformed calldata from an API is a mismatch, because it is not a wrong input of the caller. */
function namesOfMismatches(...[tx, expected]: Parameters<typeof findMismatches>) {
  try {
    return findMismatches(tx, expected)
  } catch (error) {
    if (error instanceof BadCalldataError || error instanceof BadProgramError) {
      return [`data: ${error.message}`]
    }
    throw error
  }
}

function checkReceiver(
  about: {
    readonly options: SwapOptions
    readonly order: Pick<Order, 'tokenIn' | 'tokenOut'>
    readonly known: KnownRouter
    readonly wrappedNative: Address
  },
  terminal: Terminal,
): void {
  const { options, order, known, wrappedNative } = about
  const { receiver } = addressesOf(options)
  if (receiver === undefined) return
  const fault = receiverFault(receiver, { ...order, ...known, wrappedNative })
  if (fault !== undefined) throw new ReceiverRefusedError(receiver, fault)
  if (isBurnAddress(receiver)) terminal.err(burnWarning(receiver))
}

/** The warning for a receiver that is a burn address. */
export function burnWarning(receiver: Address): string {
  return `warning: ${receiver} is a burn address: the output will be lost for ever`
}

/** The addresses in the options. Throws USAGE. */
function addressesOf(options: SwapOptions) {
  const { from, receiver } = options
  return {
    ...(from === undefined ? {} : { from: readAddress('--from', from) }),
    ...(receiver === undefined ? {} : { receiver: readAddress('--receiver', receiver) }),
  }
}

function readDeadline(text: string): bigint {
  const seconds = /^\d{1,6}$/.test(text) ? BigInt(text) : 0n
  if (seconds === 0n || seconds > MAX_DEADLINE_SECONDS) {
    throw new UsageError('--deadline is out of range', {
      got: text,
      wanted: `1 to ${MAX_DEADLINE_SECONDS} seconds`,
    })
  }
  return seconds
}
