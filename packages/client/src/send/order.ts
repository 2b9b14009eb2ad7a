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
  /** The router you know; the address it has by its deployment when absent. */
  readonly router?: Address | undefined
  /** 999 by default. */
  readonly chainId?: number
}

/**
 * What makes two orders the same: chain, payer, tokens, amount and receiver. Floor, slippage and deadline do
 * not: a second try has others.
 */
export function orderKey(
  { src, dst, amount, dstAmountExact, receiver = ZERO_ADDRESS }: SwapOrder,
  { chainId = 999, from }: { readonly chainId?: number | undefined; readonly from: Address },
): string {
  const amounts = amount === undefined ? `buy ${dstAmountExact}` : `sell ${amount}`
  const to = BigInt(receiver) === 0n ? from : receiver
  return [chainId, from, src, dst, amounts, to].join(' ').toLowerCase()
}
