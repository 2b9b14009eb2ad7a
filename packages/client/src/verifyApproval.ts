import type { Address, Hex } from '@braid-swap/core'
import type { ApprovalRequest } from './requests.js'
import type { Approval } from './responses.js'
import { MismatchError } from './verifySwap.js'

/** `approve(address,uint256)`. */
const APPROVE = '0x095ea7b3'
const UNLIMITED = (1n << 256n) - 1n

/**
 * Compares an approval with its request: it goes to the token, sends no native tokens, and lets the
 * router that you know take exactly the amount. Needs no network. Throws MISMATCH.
 *
 * @example verifyApproval(await braid.approval(request), request, known)
 */
export function verifyApproval(
  { to, data, value }: Pick<Approval, 'to' | 'data' | 'value'>,
  { tokenAddress, amount = UNLIMITED }: ApprovalRequest,
  { router }: { readonly router: Address },
): void {
  const words = /^0x[0-9a-f]{136}$/.test(data.toLowerCase()) ? data.toLowerCase() : undefined
  const wordAt = (index: number) =>
    words && BigInt(`0x${words.slice(10 + 64 * index, 74 + 64 * index)}`)
  const checks: readonly (readonly [string, boolean])[] = [
    ['to', to.toLowerCase() === tokenAddress.toLowerCase()],
    ['value', value === 0n],
    ['function', words?.startsWith(APPROVE) ?? false],
    ['spender', wordAt(0) === BigInt(router as Hex)],
    ['amount', wordAt(1) === amount],
  ]
  const wrong = checks.flatMap(([name, isOk]) => (isOk ? [] : [name]))
  if (wrong.length > 0) throw new MismatchError(wrong)
}
