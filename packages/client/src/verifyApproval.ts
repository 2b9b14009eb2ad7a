import type { Address, Hex } from '@braid-swap/core'
import { requireFields, withGasPriceMargin } from '@braid-swap/core/advanced'
import type { ApprovalRequest } from './requests.js'
import type { Approval } from './responses.js'
import {
  type CheckedTransaction,
  faultsOfFee,
  feesOf,
  MismatchError,
  type OwnTerms,
} from './verifySwap.js'

/** `approve(address,uint256)`, exactly. */
const APPROVE = /^0x095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/

/** The spender and the amount in wei of a call that approves, and does nothing else. */
export function readApprove(
  data: Hex,
): { readonly spender: Address; readonly amount: bigint } | undefined {
  const [, spender, amount] = APPROVE.exec(data.toLowerCase()) ?? []
  return spender === undefined
    ? undefined
    : { spender: `0x${spender}`, amount: BigInt(`0x${amount}`) }
}

const UNLIMITED = (1n << 256n) - 1n

/** The amount of an approval is its last word. */
const WORD_DIGITS = 64

/** The gas limit of an approval: one behind a proxy uses about a third of it, and the rest is not paid. */
export const APPROVAL_GAS = 200_000n

/**
 * Compares an approval with its request: it goes to the token, sends no native tokens, lets the router
 * that you know take exactly the amount, and costs at most your `maxNetworkFee`. Returns what to send:
 * nothing else of the answer may reach a wallet. If the answer says that the token refuses to change an
 * allowance that is left over, as USDT does, `revoke` is what to send and wait for first. As a swap does, it pays
 * your `tip` for each gas and has room for six full blocks within the limit. Needs no network. Throws MISMATCH, BAD_TERMS or BAD_OPTIONS.
 *
 * @example
 * const { tx } = verifyApproval(await braid.approval(request), request, { router, maxNetworkFee })
 */
export function verifyApproval(
  approval: Approval,
  request: ApprovalRequest,
  terms: Pick<OwnTerms, 'router' | 'maxNetworkFee'> & { readonly tip?: bigint },
): { readonly tx: CheckedTransaction; readonly revoke?: CheckedTransaction } {
  requireFields('approval', approval, ['to', 'data', 'value', 'gasPrice'])
  requireFields('request', request, ['tokenAddress'])
  requireFields('terms', terms, ['router'])
  const { to, data, value, gasPrice, revokeFirst } = approval
  const { tokenAddress, amount = UNLIMITED } = request
  const { router, maxNetworkFee, tip = 0n } = terms
  const approved = readApprove(data)
  const checks: readonly (readonly [string, boolean])[] = [
    ['to', to.toLowerCase() === tokenAddress.toLowerCase()],
    ['value', value === 0n],
    ['function', approved !== undefined],
    ['spender', approved?.spender === router.toLowerCase()],
    ['amount', approved?.amount === amount],
  ]
  const wrong = [
    ...checks.flatMap(([name, isOk]) => (isOk ? [] : [name])),
    ...faultsOfFee({ gas: APPROVAL_GAS, gasPrice }, { maxNetworkFee }),
  ]
  if (wrong.length > 0) throw new MismatchError(wrong)
  const token = tokenAddress.toLowerCase() as Address
  const maxFeePerGas = withGasPriceMargin(gasPrice) + tip
  const priced = { gas: APPROVAL_GAS, gasPrice, maxFeePerGas, maxPriorityFeePerGas: tip }
  const fees = feesOf(priced, { maxNetworkFee })
  const tx = { to: token, data, value: 0n, gas: APPROVAL_GAS, ...fees }
  if (!revokeFirst) return { tx }
  return {
    tx,
    revoke: { ...tx, data: `${data.slice(0, -WORD_DIGITS)}${'0'.repeat(WORD_DIGITS)}` as Hex },
  }
}
