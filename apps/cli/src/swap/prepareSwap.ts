import { WHYPE } from '@braid-swap/chain'
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
  ReceiverRefusedError,
  receiverFault,
  ZERO_ADDRESS,
} from '@braid-swap/core'
import { exactAmountText } from '@braid-swap/draw'
import { FloorError, MismatchError, UsageError } from '../errors.js'
import { type OrderOptions, readOrder } from '../order.js'
import { apiOf } from '../sources/apiClient.js'
import { openClient, openMarket, type SourceOptions } from '../sources/marketSource.js'
import { type ListedToken, labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { type FloorOptions, raiseFloor, readFloor } from './ownFloor.js'
import { readOwnView } from './ownView.js'
import { type KnownRouter, knownRouter, requireRouter } from './router.js'
import { readAddress, readSlippagePpm } from './slippage.js'
import { buildTransaction, type SwapTransaction } from './transaction.js'

/** The options of a swap. */
export type SwapOptions = SourceOptions &
  OrderOptions &
  FloorOptions & {
    readonly slippage: string
    readonly from?: string
    readonly receiver?: string
    readonly router?: string
    /** Seconds. */
    readonly deadline: string
  }

/** A swap that is ready to sign, and was checked against the order. */
export type Prepared = {
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  readonly tx: SwapTransaction
  /** The quoted output, in wei. */
  readonly amountOut: bigint
  readonly wrappedNative: Address
}

/** A swap before its checks, and the values for the checks. */
type Unchecked = Prepared & {
  readonly known: KnownRouter
  /** Unix seconds. */
  readonly latestDeadline: bigint
  /** The caller's own floor in wei, if there is one. */
  readonly ownFloor: bigint | undefined
}

const MAX_DEADLINE_SECONDS = 86_400n

/**
 * Prepares a swap from the newest state of its source: from the API if one is named, else computed
 * locally. The calldata is always decoded again and compared with the order, and its floor is never
 * below the caller's own. If there is a node, the router's code is checked on it. Throws MISMATCH,
 * BELOW_OWN_FLOOR, NO_OWN_FLOOR, RECEIVER_REFUSED, ROUTER_UNVERIFIED.
 */
export async function prepareSwap(options: SwapOptions, terminal: Terminal): Promise<Prepared> {
  const isApi = options.api !== undefined
  const { known, latestDeadline, ownFloor, ...prepared } = isApi
    ? await prepareByApi(options, terminal)
    : await prepareHere(options, terminal)
  checkTransaction({ ...prepared, known, latestDeadline, ownFloor }, options)
  if (ownFloor === undefined) return prepared
  if (prepared.amountOut < ownFloor) {
    const { tokenOut } = prepared.order
    const text = (wei: bigint) => exactAmountText(wei, tokenOut, labelsOf(prepared.tokens))
    throw new FloorError(text(prepared.amountOut), text(ownFloor))
  }
  return { ...prepared, tx: raiseFloor(prepared.tx, ownFloor) }
}

async function prepareHere(options: SwapOptions, terminal: Terminal): Promise<Unchecked> {
  if (options.rpc !== undefined) {
    await requireRouter(openClient(options.rpc), knownRouter(options.router, WHYPE), WHYPE)
  }
  const { snapshot, tokens } = await openMarket(options, terminal)
  const { wrappedNative } = snapshot
  const known = knownRouter(options.router, wrappedNative)
  if (options.rpc === undefined) reportUnverified(known, terminal)
  const order = readOrder(options, tokens)
  checkReceiver({ options, order, known, wrappedNative }, terminal)
  const answer = quote(buildGraph(snapshot), order)
  const deadlineSeconds = readDeadline(options.deadline)
  const tx = buildTransaction(answer, snapshot, {
    slippagePpm: readSlippagePpm(options.slippage),
    ...{ deadlineSeconds, router: known.router, ...addressesOf(options) },
  })
  return {
    ...{ order, tokens, tx, amountOut: answer.amountOut, wrappedNative, known },
    latestDeadline: snapshot.block.timestamp + deadlineSeconds,
    ownFloor: readFloor(options, order, tokens),
  }
}

async function prepareByApi(options: SwapOptions, terminal: Terminal): Promise<Unchecked> {
  const api = apiOf(options, terminal)
  readSlippagePpm(options.slippage)
  const deadlineSeconds = readDeadline(options.deadline)
  const known = knownRouter(options.router, WHYPE)
  if (options.rpc === undefined) reportUnverified(known, terminal)
  const { order, tokens, ownFloor, now } = await readOwnView({ options, api, known }, terminal)
  checkReceiver({ options, order, known, wrappedNative: WHYPE }, terminal)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const latestDeadline = now + deadlineSeconds
  const { tx, dstAmount } = await api.swap({
    ...{ src, dst, amount, slippage: options.slippage, deadline: Number(latestDeadline) },
    ...addressesOf(options),
  })
  return {
    ...{ order, tokens, tx, amountOut: dstAmount, wrappedNative: WHYPE as Address },
    ...{ known, latestDeadline, ownFloor },
  }
}

function reportUnverified({ router, source }: KnownRouter, terminal: Terminal): void {
  terminal.err(`the router is ${router} (${source}); without --rpc its code is not checked`)
}

function checkTransaction(unchecked: Unchecked, options: SwapOptions): void {
  const { order, tx, amountOut, wrappedNative, known, latestDeadline } = unchecked
  const { from = ZERO_ADDRESS, receiver = ZERO_ADDRESS } = addressesOf(options)
  const minAmountOut = floorAt(amountOut, readSlippagePpm(options.slippage))
  const wrong = [
    ...namesOfMismatches(tx, {
      ...{ router: known.router, executor: known.executor, wrappedNative },
      wanted: { ...order, receiver, sender: from, minAmountOut, deadline: latestDeadline },
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
    readonly order: Order
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
