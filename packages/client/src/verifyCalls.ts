import { type Address, NATIVE } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import type { SwapRequest } from './requests.js'
import type { Swapped } from './responses.js'
import { readApprove } from './verifyApproval.js'
import { type CheckedTransaction, MismatchError } from './verifySwap.js'

/**
 * Checks the calls of a swap that `verifySwap` has checked: the last one is the transaction itself, and
 * before it are at most a revocation and an approval of `src`, for exactly the amount that the
 * transaction sells, to your router (with `permit2` to Permit2). Returns the calls to send. Throws
 * MISMATCH.
 *
 * @example
 * const { call } = verifySwap(swap, request, terms)
 * const calls = verifyCalls(swap, request, { router, amountIn: call.amountIn })
 */
export function verifyCalls(
  { tx, calls }: Pick<Swapped, 'tx' | 'calls'>,
  { src, permit2 }: Pick<SwapRequest, 'src' | 'permit2'>,
  { router, amountIn }: { readonly router: Address; readonly amountIn: bigint },
): readonly Pick<CheckedTransaction, 'to' | 'data' | 'value'>[] {
  const last = calls?.at(-1)
  const approvals = calls?.slice(0, -1) ?? []
  const spender = permit2 === undefined ? router : PERMIT2
  const isSwap = last && last.to === tx.to && last.data === tx.data && weiOf(last) === tx.value
  const amounts = approvals.map(({ to, data, value }) => {
    const isPlain = src !== NATIVE && to === src.toLowerCase() && weiOf({ value }) === 0n
    const approved = isPlain ? readApprove(data) : undefined
    return approved?.spender === spender.toLowerCase() ? approved.amount : undefined
  })
  // Only these two: a revocation alone would leave a swap that reverts.
  const isExact = amounts.length === 0 || amounts.at(-1) === amountIn
  const isRevoked = amounts.length < 2 || (amounts.length === 2 && amounts[0] === 0n)
  const wrong = [...(isSwap ? [] : ['calls']), ...(isExact && isRevoked ? [] : ['approval'])]
  if (wrong.length > 0) throw new MismatchError(wrong)
  const plain = approvals.map(({ to, data }) => ({ to, data, value: 0n }))
  return [...plain, { to: tx.to, data: tx.data, value: tx.value }]
}

function weiOf({ value }: { readonly value: string }): bigint | undefined {
  return /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : undefined
}
