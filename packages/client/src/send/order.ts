import { type KnownExecutor, shippedChainId } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'
import { ZERO_ADDRESS } from '@braid-swap/core/advanced'
import type { SwapRequest } from '../requests.js'
import type { OwnTerms } from '../verifySwap.js'

/** What is swapped; the payer is the wallet. */
export type SwapOrder = Omit<
  SwapRequest,
  | 'from'
  | 'permit'
  | 'permit2'
  | 'permit2Nonce'
  | 'skipChecks'
  | 'includeCalls'
  | 'gasPrice'
  | 'gasLimit'
>

/** The caller's own terms, as for `verifySwap`; the router is checked by `sendSwap`. */
export type SendTerms = Omit<OwnTerms, 'router' | 'executors'> & {
  /** The router and the executors that you know; absent, the shipped ones, as {@link verifyRouter} says. */
  readonly router?: Address | undefined
  readonly executors?: readonly KnownExecutor[] | undefined
  /** `shippedChainId` of contracts by default. */
  readonly chainId?: number
}

/**
 * What makes two orders the same: chain, payer, tokens, amount and receiver. Floor, slippage and deadline do
 * not: a second try has others. Throws a SyntaxError for a receiver that is no address.
 */
export function orderKey(
  { src, dst, amount, dstAmountExact, receiver = ZERO_ADDRESS }: SwapOrder,
  {
    chainId = shippedChainId,
    from,
  }: { readonly chainId?: number | undefined; readonly from: Address },
): string {
  const amounts = amount === undefined ? `buy ${dstAmountExact}` : `sell ${amount}`
  const to = BigInt(receiver) === 0n ? from : receiver
  return [chainId, from, src, dst, amounts, to].join(' ').toLowerCase()
}
