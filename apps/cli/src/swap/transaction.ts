import {
  type Address,
  type Hex,
  type Quote,
  routerCallOf,
  type Snapshot,
  swapCallOf,
  withGasMargin,
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
  /** In wei; by default the output less the slippage. */
  readonly minAmountOut?: bigint
  /** The sender if absent. */
  readonly receiver?: Address
  readonly from?: Address
  readonly router: Address
  readonly executor: Address
  /** Seconds from the quote's block to the deadline. */
  readonly deadlineSeconds: bigint
}

/** The transaction of a quote. */
export function buildTransaction(
  quote: Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'fee'>,
  snapshot: Snapshot,
  terms: SwapTerms,
): SwapTransaction {
  const { wrappedNative, block } = snapshot
  const { executor, slippagePpm, minAmountOut, receiver } = terms
  const deadline = block.timestamp + terms.deadlineSeconds
  const swap = { wrappedNative, executor, slippagePpm, minAmountOut, deadline, receiver }
  return {
    from: terms.from ?? ZERO_ADDRESS,
    ...swapCallOf(terms.router, routerCallOf(quote, swap)),
    gas: withGasMargin(BigInt(quote.gas)),
    gasPrice: block.gasPrice,
  }
}
