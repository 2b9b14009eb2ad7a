import {
  type Address,
  encodeProgram,
  encodeRouterCall,
  floorOf,
  type Hex,
  NATIVE,
  type Quote,
  type Snapshot,
  withGasMargin,
  wrappedOf,
  ZERO_ADDRESS,
} from '@braid-swap/core'

/** A transaction that performs a swap; amounts in wei. */
export type SwapTransaction = {
  /** The zero address if the sender is not known yet. */
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly gasPrice: bigint
}

/** The caller's terms that turn a quote into a swap. */
export type SwapTerms = {
  readonly slippagePpm: bigint
  /** The sender if absent. */
  readonly receiver?: Address
  readonly from?: Address
  readonly router: Address
  /** Seconds from the quote's block to the deadline. */
  readonly deadlineSeconds: bigint
}

/** The transaction of a quote. */
export function buildTransaction(
  quote: Quote,
  snapshot: Snapshot,
  terms: SwapTerms,
): SwapTransaction {
  const { tokenIn, tokenOut, amountIn } = quote.order
  const wrapped = (token: Address) => wrappedOf(token, snapshot.wrappedNative)
  const ends = { tokenIn: wrapped(tokenIn), tokenOut: wrapped(tokenOut) }
  return {
    from: terms.from ?? ZERO_ADDRESS,
    to: terms.router,
    data: encodeRouterCall({
      ...{ tokenIn, amountIn, tokenOut },
      minAmountOut: floorOf(quote, terms.slippagePpm),
      receiver: terms.receiver ?? ZERO_ADDRESS,
      deadline: snapshot.block.timestamp + terms.deadlineSeconds,
      program: encodeProgram(quote.route, ends),
    }),
    value: tokenIn === NATIVE ? amountIn : 0n,
    gas: withGasMargin(BigInt(quote.gas)),
    gasPrice: snapshot.block.gasPrice,
  }
}
