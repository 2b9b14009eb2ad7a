import { WHYPE } from '@braid-swap/chain'
import {
  type Address,
  buildGraph,
  findMismatches,
  floorAt,
  type Order,
  quote,
} from '@braid-swap/core'
import { readApiOrder } from './answer.js'
import { apiOf } from './apiClient.js'
import { MismatchError, UsageError } from './errors.js'
import { type OrderOptions, readOrder } from './order.js'
import { openMarket, type SourceOptions } from './sources.js'
import type { Terminal } from './terminal.js'
import { readAddress, readSlippagePpm } from './terms.js'
import type { ListedToken } from './tokens.js'
import { buildTransaction, routerOf, type SwapTransaction, ZERO_ADDRESS } from './transaction.js'

/** The options that make a quote a swap. */
export type SwapOptions = SourceOptions &
  OrderOptions & {
    readonly slippage: string
    readonly from?: string
    readonly receiver?: string
    readonly router?: string
    /** Seconds. */
    readonly deadline: string
  }

/** A swap that is ready to sign and was checked to do what was asked. */
export type Prepared = {
  readonly order: Order
  readonly tokens: readonly ListedToken[]
  readonly tx: SwapTransaction
  /** What the quote promises, in wei. */
  readonly amountOut: bigint
  readonly wrappedNative: Address
}

const MAX_DEADLINE_SECONDS = 86_400n

/**
 * A swap from the newest state of its source: of the API if one is named, else computed here.
 * Throws MISMATCH if the transaction is not what was asked, whoever built it.
 */
export async function prepareSwap(options: SwapOptions, terminal: Terminal): Promise<Prepared> {
  const isApi = options.api !== undefined
  const prepared = isApi
    ? await prepareByApi(options, terminal)
    : await prepareHere(options, terminal)
  checkPrepared(prepared, options)
  return prepared
}

async function prepareHere(options: SwapOptions, terminal: Terminal): Promise<Prepared> {
  const { snapshot, tokens } = await openMarket(options, terminal)
  const { chainId, wrappedNative } = snapshot
  const order = readOrder(options, tokens)
  const answer = quote(buildGraph(snapshot), order)
  const known = routerOf(chainId, wrappedNative)
  if (options.router === undefined && !known.isPublished) {
    terminal.err(`no router is published for chain ${chainId}: assuming ${known.router}`)
  }
  const tx = buildTransaction(answer, snapshot, {
    slippagePpm: readSlippagePpm(options.slippage),
    deadlineSeconds: readDeadline(options.deadline),
    ...{ router: known.router, ...addressesOf(options) },
  })
  return { order, tokens, tx, amountOut: answer.amountOut, wrappedNative }
}

async function prepareByApi(options: SwapOptions, terminal: Terminal): Promise<Prepared> {
  const api = apiOf(options, terminal)
  readSlippagePpm(options.slippage)
  const { order, tokens } = await readApiOrder(api, options)
  const { tokenIn: src, tokenOut: dst, amountIn: amount } = order
  const { from, receiver } = addressesOf(options)
  const addresses = { ...(from && { from }), ...(receiver && { receiver }) }
  const asked = { src, dst, amount, slippage: options.slippage, ...addresses }
  const { tx, dstAmount } = await api.swap(asked)
  return { order, tokens, tx, amountOut: dstAmount, wrappedNative: WHYPE }
}

function checkPrepared(
  { order, tx, amountOut, wrappedNative }: Prepared,
  options: SwapOptions,
): void {
  const { receiver, router } = addressesOf(options)
  const minAmountOut = floorAt(amountOut, readSlippagePpm(options.slippage))
  const wrong = findMismatches(tx, {
    // Which router is known is the sender's question, asked before anything is sent.
    router: router ?? tx.to,
    wrappedNative,
    wanted: { ...order, receiver: receiver ?? ZERO_ADDRESS, minAmountOut },
  })
  if (wrong.length > 0) {
    throw new MismatchError('the transaction is not what was asked', { wrong: wrong.join(', ') })
  }
}

function addressesOf(options: SwapOptions) {
  const { from, receiver, router } = options
  return {
    ...(from === undefined ? {} : { from: readAddress('--from', from) }),
    ...(receiver === undefined ? {} : { receiver: readAddress('--receiver', receiver) }),
    ...(router === undefined ? {} : { router: readAddress('--router', router) }),
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
