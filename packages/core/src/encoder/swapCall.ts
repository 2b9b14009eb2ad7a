// From a quote to the call of the router that performs it: the arguments, then the calldata with the
// native token sent along. Everything that sends or offers a swap builds it here.

import { checkNames, requireFields } from '../checkNames.js'
import type { Fee } from '../fee.js'
import { type Address, type Hex, NATIVE, wrappedOf, ZERO_ADDRESS } from '../hex.js'
import type { Order } from '../order.js'
import { isMovable } from '../pools/index.js'
import type { Route } from '../replay.js'
import { floorOf } from '../slippage.js'
import { encodeRouterCall, type Payment, type RouterCall } from './calldata.js'
import { requireAddress } from './checkCall.js'
import { leastRateOf } from './leastRate.js'
import { encodeProgram } from './program.js'

/** An order with its exact route and output in wei, after the fee if there is one; a quote is one. */
export type QuotedRoute = {
  readonly order: Order
  readonly route: Route
  readonly amountOut: bigint
  readonly fee?: Fee
}

/** The terms that turn a quote into a swap. */
export type CallTerms = {
  readonly wrappedNative: Address
  /** The contract that performs the program; it knows all families of the route. */
  readonly executor: Address
  readonly slippagePpm: bigint
  /** The floor in wei; by default the output less the slippage. */
  readonly minAmountOut?: bigint | undefined
  /** Unix seconds; the router rejects a later block. */
  readonly deadline: bigint
  /** The sender of the transaction if absent. */
  readonly receiver?: Address | undefined
  /** An approval or the value sent if absent. */
  readonly payment?: Payment | undefined
}

/** The parts of a transaction that determine its effect; `value` in wei. */
export type SwapCall = { readonly to: Address; readonly data: Hex; readonly value: bigint }

const TERMS: Readonly<Record<keyof CallTerms, true>> = {
  ...{ wrappedNative: true, executor: true, slippagePpm: true, minAmountOut: true },
  ...{ deadline: true, receiver: true, payment: true },
}

/**
 * The arguments of the router's call that performs a quote. A hop through a pool whose rate or fee somebody may
 * move names a least rate: what was quoted, less the same part as the floor is below the output.
 * Throws BAD_OPTIONS, and BAD_CALL for what cannot be encoded.
 */
export function routerCallOf(quote: QuotedRoute, terms: CallTerms): RouterCall {
  requireFields('quote', quote, ['order', 'route', 'amountOut'])
  checkNames('terms', terms, TERMS)
  const { tokenIn, tokenOut, amountIn } = quote.order
  const { wrappedNative, executor, slippagePpm, deadline, receiver, payment } = terms
  const minAmountOut = terms.minAmountOut ?? floorOf(quote, slippagePpm)
  const ends = {
    tokenIn: wrappedOf(tokenIn, wrappedNative),
    tokenOut: wrappedOf(tokenOut, wrappedNative),
  }
  return {
    ...{ tokenIn, amountIn, tokenOut },
    minAmountOut,
    receiver: receiver ?? ZERO_ADDRESS,
    ...{ deadline, executor },
    program: encodeProgram(
      withLeastRates(quote, minAmountOut),
      ends,
      quote.fee && feeOf(quote.fee),
    ),
    ...(payment && { payment }),
  }
}

/** A sampled pool may pay a hop more than quoted, and more in has a lower rate: by less than this, in parts per million. */
const RATE_SLACK_PPM = 10n

function withLeastRates({ route, amountOut }: QuotedRoute, floor: bigint) {
  const most = amountOut - (amountOut * RATE_SLACK_PPM) / 1_000_000n
  const kept = floor < most ? floor : most
  return route.map((hop) => {
    if (!isMovable(hop.pool)) return hop
    const leastRate = leastRateOf(hop.amountOut * kept, hop.amountIn * amountOut)
    return leastRate ? { ...hop, leastRate } : hop
  })
}

/** A fee without its amount. */
function feeOf({ of, ppm, recipient }: Fee): Fee {
  return { of, ppm, recipient }
}

/** The call of `router` that a transaction makes. Throws BAD_CALL. */
export function swapCallOf(router: Address, call: RouterCall): SwapCall {
  requireAddress('router', router)
  return { to: router, data: encodeRouterCall(call), value: nativeValueOf(call) }
}

/** Wei of the native token that a call must send: the amount in if it is native, otherwise none. */
export function nativeValueOf({
  tokenIn,
  amountIn,
}: Pick<RouterCall, 'tokenIn' | 'amountIn'>): bigint {
  return tokenIn === NATIVE ? amountIn : 0n
}
