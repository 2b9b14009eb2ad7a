import type { Hex, Hop, Order } from '@braid-swap/core'
import { keccak256 } from 'viem'
import type { Clock } from '../clock.js'
import type { MarketState } from '../market/liveMarket.js'
import { gapOf, type QuoteAnswer } from '../quoting/quoting.js'
import { tokenInOf, tokenOutOf } from '../wire/graph.js'
import type { Recorder } from './recorder.js'

/** One answered quote, as it is recorded. Amounts are decimal texts in wei. */
export type QuoteRecord = {
  readonly time: string
  readonly requestId: string
  /** As in `x-quote-id`: the same for the same request, market and version. */
  readonly quoteId: string
  readonly endpoint: 'quote' | 'swap'
  /** Id of the key, never the key. */
  readonly key: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly src: string
  readonly dst: string
  readonly amountIn: string
  readonly amountOut: string
  readonly gas: string
  /** Wei of the token out that an integrator gets, and who that is; absent without a fee. */
  readonly fee?: string
  readonly feeRecipient?: string
  /** Most that a better route could add, in basis points; null if unknown. */
  readonly gapBps: number | null
  readonly solveMs: number
  /** Of a swap: the least amount that its transaction accepts, and who gets it. */
  readonly minAmountOut?: string
  readonly receiver?: string
  /** Of a swap: keccak-256 of its calldata, by which its transaction can be found. */
  readonly callHash?: string
  /** The hops in order; absent for an estimate. */
  readonly route?: readonly RecordedHop[]
}

type RecordedHop = {
  readonly pool: string
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountIn: string
  readonly amountOut: string
}

/** Records an answer, if the operator wants records. */
export function recordQuote(
  { records, clock }: { readonly records?: Recorder | undefined; readonly clock: Clock },
  {
    state,
  }: {
    readonly state: {
      readonly requestId: string
      readonly quoteId?: string
      readonly key?: { readonly id?: string | undefined }
    }
  },
  quoted: {
    readonly endpoint: QuoteRecord['endpoint']
    readonly market: MarketState
    readonly order: Order
    readonly answer: QuoteAnswer
    readonly solveMs: number
    readonly minAmountOut?: bigint
    readonly receiver?: string | undefined
    /** Calldata of a swap. */
    readonly data?: Hex
  },
): void {
  if (!records) return
  const { endpoint, order, answer, solveMs, minAmountOut, receiver, data } = quoted
  const { block } = quoted.market.graph.snapshot
  const record: QuoteRecord = {
    time: new Date(clock.unixMs()).toISOString(),
    requestId: state.requestId,
    quoteId: state.quoteId ?? '',
    ...{ endpoint, key: state.key?.id ?? '' },
    ...{ blockNumber: `${block.number}`, blockHash: block.hash },
    ...{ src: order.tokenIn, dst: order.tokenOut },
    ...{ amountIn: `${order.amountIn}`, amountOut: `${answer.amountOut}`, gas: `${answer.gas}` },
    ...(answer.fee && { fee: `${answer.fee.amount}`, feeRecipient: answer.fee.recipient }),
    ...{ gapBps: gapOf(answer)?.gapBps ?? null, solveMs },
    ...(minAmountOut !== undefined && { minAmountOut: `${minAmountOut}` }),
    ...(receiver !== undefined && { receiver }),
    ...(data !== undefined && { callHash: keccak256(data) }),
    ...(answer.route && { route: answer.route.map(toRecordedHop) }),
  }
  records.add(record)
}

function toRecordedHop(hop: Hop): RecordedHop {
  return {
    ...{ pool: hop.pool.id, tokenIn: tokenInOf(hop), tokenOut: tokenOutOf(hop) },
    ...{ amountIn: `${hop.amountIn}`, amountOut: `${hop.amountOut}` },
  }
}
