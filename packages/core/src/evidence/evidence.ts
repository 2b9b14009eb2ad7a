// The evidence of a swap: what was asked, promised, signed and paid, in one value that anybody can check without a
// node (docs/evidence.md). It has as much of the market as the route and the bound touch.

import type { Bound } from '../certificate/bound.js'
import { usableEdges } from '../certificate/usableEdges.js'
import { requireFields } from '../checkNames.js'
import type { SwapCall } from '../encoder/swapCall.js'
import type { Fee } from '../fee.js'
import { type Address, type Hex, NATIVE } from '../hex.js'
import { type Order, poolOrderOf } from '../order.js'
import type { Quote } from '../quote.js'
import type { Snapshot } from '../snapshot.js'

/** Changes whenever an older checker would misread a newer file, or the reverse. */
export const EVIDENCE_VERSION = 1

/** A hop as it was promised, amounts in wei. */
export type PromisedHop = {
  readonly pool: Hex
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly share: number
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** What Braid takes an edge to cost, in gas: at least, and for each further tick. The bound counts them. */
export type EdgeGas = {
  readonly pool: Hex
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly gas: number
  readonly stepGas: number
}

/** What else was offered for the order when it was quoted, in wei. */
export type Offer = { readonly by: string; readonly amountOut: bigint }

/** The transaction, its receipt, and what ties both to their block. */
export type Settled = {
  readonly transaction: {
    readonly hash: Hex
    readonly from: Address
    readonly to: Address
    readonly input: Hex
    readonly value: bigint
  }
  readonly block: {
    readonly number: bigint
    readonly hash: Hex
    /** The fields of the header that the hash covers, as RLP has them; absent if the node omits some. */
    readonly fields?: readonly Hex[]
  }
  readonly receipt: {
    /** Its place in the block. */
    readonly index: number
    readonly type: Hex
    readonly status: Hex
    readonly cumulativeGasUsed: Hex
    readonly logsBloom: Hex
    readonly logs: readonly {
      readonly address: Address
      readonly topics: readonly Hex[]
      readonly data: Hex
    }[]
  }
  /** The nodes of the trie of receipts from its root to this one; absent if the receipt is not proved. */
  readonly proof?: readonly Hex[]
  /** The same of the trie of transactions; absent if nothing ties the receipt to the transaction. */
  readonly transactionProof?: readonly Hex[]
}

/** All that is known of a swap. Absent: `call` of what was only quoted, `settled` of what was not sent. */
export type Evidence = {
  readonly version: typeof EVIDENCE_VERSION
  /** As the API names the quote, and the whole market that it was made from. */
  readonly quoteId?: string
  readonly snapshotId?: string
  readonly order: Order
  readonly fee?: Fee
  /** The pools that the route and the bound touch, in their states at the quote's block. */
  readonly snapshot: Snapshot
  readonly bound: Bound
  readonly edges: readonly EdgeGas[]
  readonly route: readonly PromisedHop[]
  /** What was quoted, in wei, after the fee. */
  readonly amountOut: bigint
  /** Gas of the transaction, as estimated. */
  readonly gas: number
  /** The least that the caller accepts, and who gets it; the zero address is the sender. */
  readonly minAmountOut?: bigint
  readonly receiver?: Address
  readonly call?: SwapCall
  readonly offers: readonly Offer[]
  readonly settled?: Settled
}

/** What evidence has besides the quote. */
export type EvidenceParts = Pick<
  Evidence,
  'quoteId' | 'snapshotId' | 'minAmountOut' | 'receiver' | 'call' | 'offers' | 'settled'
>

/**
 * The evidence of a quote that has a bound, with as little of its market as a check needs. Throws BAD_OPTIONS for one
 * without a bound: a wrap is 1:1 and needs none.
 */
export function evidenceOf(snapshot: Snapshot, quote: Quote, parts: EvidenceParts): Evidence {
  requireFields('quote', quote, ['order', 'route', 'bound'])
  const { order, bound, route, amountOut, gas, fee } = quote
  const inner = poolOrderOf(order, snapshot.wrappedNative)
  const edges = usableEdges(snapshot, inner, bound!)
  return {
    version: EVIDENCE_VERSION,
    ...{ ...parts, order, bound: bound!, amountOut, gas },
    ...(fee && { fee: { of: fee.of, ppm: fee.ppm, recipient: fee.recipient } }),
    snapshot: touchedBy(snapshot, new Set([...edges, ...route.map(hopOf)].map(({ pool }) => pool))),
    edges: edges.map(({ pool, tokenIn, tokenOut, gas: least, stepGas }) => ({
      ...{ pool, tokenIn, tokenOut, gas: least, stepGas },
    })),
    route: route.map(hopOf),
  }
}

/** A snapshot with these pools, what wraps the native token, and their tokens alone. */
function touchedBy(snapshot: Snapshot, touched: ReadonlySet<Hex>): Snapshot {
  const pools = snapshot.pools.filter(
    ({ id, tokens }) => touched.has(id) || tokens.includes(NATIVE),
  )
  const named = new Set(pools.flatMap(({ tokens }) => tokens))
  return { ...snapshot, pools, tokens: snapshot.tokens.filter(({ address }) => named.has(address)) }
}

function hopOf({ pool, direction, share, amountIn, amountOut }: Quote['route'][number]) {
  const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
  return { pool: pool.id, tokenIn, tokenOut, share, amountIn, amountOut }
}
