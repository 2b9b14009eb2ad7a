import type { Hex, Hop, Order } from '@braid-swap/core'
import { keccak256 } from 'viem'
import type { MarketState } from '../market/liveMarket.js'
import type { Need } from '../need.js'
import { gapOf, type QuoteAnswer } from '../quoting/quoting.js'
import { tokenInOf, tokenOutOf } from '../wire/graph.js'
import { canonicalParams, snapshotIdOf } from '../wire/quoteId.js'

/** The parameters that decide an answer. The others name wallets, sign for them or only ask for fields. */
const TERMS = new Set([
  ...['dstAmountExact', 'slippage', 'feeBps', 'feeRecipient', 'objective', 'exactQuote'],
  ...['includeProtocols', 'excludeProtocols', 'excludePools', 'onlyIntermediates'],
  ...['maxHops', 'maxPriceImpact', 'gasPrice', 'deadline'],
])

/**
 * Logs an answered quote as one line of fixed fields: who asked what at which state, and what was promised. With the
 * snapshot, anybody can compute the answer again; with the hash of its calldata, a swap is found on the chain. Amounts
 * are decimal texts in wei; a field that an answer does not have is null. No wallet is in it.
 */
export function logQuote(
  { log }: Pick<Need, 'log'>,
  {
    state,
  }: {
    readonly state: {
      readonly requestId: string
      readonly quoteId?: string
      readonly key?: { readonly id: string }
    }
  },
  quoted: {
    readonly endpoint: 'quote' | 'swap'
    readonly market: MarketState
    readonly order: Order
    readonly params: Readonly<Record<string, unknown>>
    readonly answer: QuoteAnswer
    readonly solveMs: number
    /** Of a swap: the least amount that its transaction accepts, and its calldata. */
    readonly minAmountOut?: bigint
    readonly data?: Hex
  },
): void {
  if (!log.isLevelEnabled('info')) return
  const { endpoint, market, order, params, answer, solveMs, minAmountOut, data } = quoted
  const { snapshot } = market.graph
  const line = {
    ...{ requestId: state.requestId, quoteId: state.quoteId, keyId: state.key?.id, endpoint },
    ...{ blockNumber: `${snapshot.block.number}`, snapshotId: snapshotIdOf(snapshot) },
    ...{ src: order.tokenIn, dst: order.tokenOut, amountIn: `${order.amountIn}` },
    terms: termsOf(params),
    ...{ amountOut: `${answer.amountOut}`, fee: answer.fee ? `${answer.fee.amount}` : null },
    ...{ gas: `${answer.gas}`, gapBps: gapOf(answer)?.gapBps ?? null, solveMs },
    floor: minAmountOut === undefined ? null : `${minAmountOut}`,
    callHash: data === undefined ? null : keccak256(data),
    route: answer.route?.map(hopText) ?? null,
  }
  log.info(line, 'quote')
}

function termsOf(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = canonicalParams(params).filter(([name]) => TERMS.has(name))
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]),
  )
}

function hopText(hop: Hop) {
  return {
    ...{ pool: hop.pool.id, tokenIn: tokenInOf(hop), tokenOut: tokenOutOf(hop) },
    ...{ amountIn: `${hop.amountIn}`, amountOut: `${hop.amountOut}` },
  }
}
