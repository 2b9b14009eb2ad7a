/**
 * A swap as the calls of a batch (EIP-5792): an approval of the exact amount if the allowance is short,
 * before it a revocation if the token refuses to change an allowance that is not zero, and the swap.
 */
import type { Client, Wallet } from '@braid-swap/chain'
import { type Address, type Hex, NATIVE, type Order, type Payment } from '@braid-swap/core'
import { PERMIT2 } from '@braid-swap/core/advanced'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, getAddress, numberToHex } from 'viem'
import { refusal } from '../errors.js'
import type { AskNode } from '../node/callNode.js'
import { isRevert } from '../node/revert.js'
import type { SwapBody } from '../wire/responses.js'

/** A call of a batch. */
export type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint }

/** An approval of a token, and the allowance that its owner has given before; in wei. */
export type Approval = {
  readonly owner: Address
  readonly token: Address
  readonly spender: Address
  readonly amount: bigint
  readonly allowance: bigint
}

/** What asks the node about approvals. */
type Asks = {
  readonly client: Client
  readonly askNode: AskNode
  readonly config: { readonly router: Address }
}

/** Throws MISSING_PARAMETER if a batch is wanted for nobody: its calls depend on an allowance. */
export function requireOwner(params: {
  readonly includeCalls?: boolean | undefined
  readonly from?: Address | undefined
}): void {
  if (!params.includeCalls || params.from !== undefined) return
  const message = 'is required with includeCalls: the calls depend on its allowance'
  throw refusal({ path: 'from', code: 'MISSING_PARAMETER', message, expected: 'a value' })
}

/**
 * The calls that give the payer of an order the allowance that it lacks; none if it lacks none. Throws
 * UPSTREAM_RPC if the node does not say whether the token accepts the approval.
 */
export async function approvalCalls(
  asks: Asks,
  of: {
    readonly owner: Address
    readonly order: Order
    readonly payment: Payment | undefined
    readonly wallet: Pick<Wallet, 'allowance'>
  },
): Promise<readonly Call[]> {
  const { owner, order, payment, wallet } = of
  const { tokenIn: token, amountIn: amount } = order
  const { allowance } = wallet
  if (token === NATIVE || payment?.by === 'permit' || allowance >= amount) return []
  const spender = payment?.by === 'permit2' ? PERMIT2 : asks.config.router
  const approve = approval(token, spender, amount)
  const isFirst = await mustRevokeFirst(asks, { owner, token, spender, amount, allowance })
  return isFirst ? [approval(token, spender, 0n), approve] : [approve]
}

/**
 * True if a token, such as USDT, refuses to change an allowance that is left over: the owner must
 * approve 0 first. Throws UPSTREAM_RPC if the node does not say.
 */
export async function mustRevokeFirst(
  { client, askNode }: Asks,
  { owner: account, token, spender, amount, allowance }: Approval,
): Promise<boolean> {
  if (allowance === 0n || amount === 0n) return false
  const { to, data } = approval(token, spender, amount)
  try {
    const answer = await askNode(() => client.call({ account, to, data }))
    // Some tokens return false, some nothing.
    if (answer.data === undefined) return false
    return !decodeFunctionResult({ abi: erc20Abi, functionName: 'approve', data: answer.data })
  } catch (error) {
    if (isRevert(error)) return true
    throw error
  }
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
