/**
 * A swap as the calls of a batch (EIP-5792): an approval of the exact amount if the allowance is short,
 * before it a revocation if the token refuses to change an allowance that is not zero, and the swap.
 */
import type { Wallet } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE, type Order, type Payment, PERMIT2 } from '@braid-swap/core'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, getAddress, numberToHex } from 'viem'
import { ApiError, messageOf } from '../errors.js'
import type { Need } from '../need.js'
import type { SwapBody } from '../wire/responses.js'
import { isRevert } from './estimate.js'

/** A call of a batch. */
export type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint }

/** An approval of a token, and the allowance that its owner has given before; in wei. */
type Wanted = {
  readonly owner: Address
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
  readonly allowance: bigint
}

/** Throws MISSING_PARAMETER if a batch is wanted for nobody: its calls depend on an allowance. */
export function requireOwner(params: {
  readonly includeCalls?: boolean | undefined
  readonly from?: Address | undefined
}): void {
  if (!params.includeCalls || params.from !== undefined) return
  const code = 'MISSING_PARAMETER'
  const message = 'is required with includeCalls: the calls depend on its allowance'
  const issue = { in: 'query', path: 'from', code, message, expected: 'a value' } as const
  throw new ApiError(code, messageOf([issue]), { issues: [issue] })
}

/**
 * The calls that give the payer of an order the allowance that it lacks; none if it lacks none. Throws
 * UPSTREAM_RPC if the node does not say whether the token accepts the approval.
 */
export async function approvalCalls(
  need: Need,
  of: {
    readonly owner: Address
    readonly order: Order
    readonly payment: Payment | undefined
    readonly wallet: Pick<Wallet, 'allowance'>
  },
): Promise<readonly Call[]> {
  const { owner, order, payment, wallet } = of
  const { tokenIn: token, amountIn } = order
  if (token === NATIVE || payment?.by === 'permit' || wallet.allowance >= amountIn) return []
  const spender = payment?.by === 'permit2' ? PERMIT2 : need.config.router
  const approve = approval(token, spender, amountIn)
  const wanted = { owner, token, spender, amount: amountIn, allowance: wallet.allowance }
  const isFirst = await mustRevokeFirst(need, wanted)
  return isFirst ? [approval(token, spender, 0n), approve] : [approve]
}

/**
 * True if a token, such as USDT, refuses to change an allowance that is left over: the owner must
 * approve 0 first. Throws UPSTREAM_RPC if the node does not say.
 */
export async function mustRevokeFirst(
  need: Need,
  { owner, token, spender, amount, allowance }: Wanted,
): Promise<boolean> {
  if (allowance === 0n || amount === 0n) return false
  return !(await isAccepted(need, owner, approval(token, spender, amount)))
}

/** Calls as a wallet takes them: the value is a hex quantity. */
export function showCalls(calls: readonly Call[]): NonNullable<SwapBody['calls']> {
  return calls.map(({ to, data, value }) => ({
    ...{ to: getAddress(to), data, value: numberToHex(value) },
  }))
}

/** The call that approves an amount in wei. */
export function approval(token: Address, spender: Address, amount: bigint): Call {
  const args = [spender, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  return { to: token, data, value: 0n }
}

/** True if a token accepts an approval on the node's newest state. Some return false, some nothing. */
async function isAccepted(
  { client, askNode }: Need,
  account: Address,
  { to, data }: Call,
): Promise<boolean> {
  try {
    const answer = await askNode(() => client.call({ account, to, data }))
    if (answer.data === undefined) return true
    return decodeFunctionResult({ abi: erc20Abi, functionName: 'approve', data: answer.data })
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}
