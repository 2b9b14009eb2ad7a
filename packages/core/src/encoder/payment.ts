import type { Address, Hex } from '../hex.js'
import { decodeRouterCall, encodeRouterCall, type Payment, type RouterCall } from './calldata.js'

/** Permit2, at the same address on every chain that has it. */
export const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** The part of a call that the caller signs; a signature may exist before the route. */
export type Paid = Pick<RouterCall, 'tokenIn' | 'amountIn' | 'deadline'>

/** The router that a signature allows to take the tokens, and on which chain. */
export type Spending = {
  readonly chainId: number
  readonly router: Address
  readonly nonce: bigint
}

/** The EIP-712 domain of an EIP-2612 token, and the owner who signs. */
export type PermitToken = {
  readonly owner: Address
  /** The token's EIP-712 domain; the nonce is the token's `nonces(owner)`. */
  readonly name: string
  readonly version: string
}

/**
 * The same swap, paid by a signature instead of an approval. Throws BAD_CALLDATA.
 *
 * @example tx.data = withPayment(tx.data, { by: 'permit2', nonce, signature })
 */
export function withPayment(calldata: Hex, payment: Payment): Hex {
  return encodeRouterCall({ ...decodeRouterCall(calldata), payment })
}

/**
 * EIP-712 typed data for the caller to sign: the token then lets the router take exactly the call's
 * amount until the call's deadline.
 */
export function permitMessage(call: Paid, of: Spending & PermitToken) {
  const { tokenIn, amountIn, deadline } = call
  const { chainId, name, version, owner, nonce } = of
  return {
    domain: { name, version, chainId, verifyingContract: tokenIn },
    types: { Permit: fields('address owner, address spender, uint256 value', REST) },
    primaryType: 'Permit',
    message: { owner, spender: of.router, value: amountIn, nonce, deadline },
  } as const
}

/**
 * EIP-712 typed data for the caller to sign: Permit2 then lets the router take exactly the call's
 * amount until the call's deadline. Any nonce is valid that the caller has not used before.
 */
export function permit2Message(call: Paid, { chainId, router, nonce }: Spending) {
  const { tokenIn, amountIn, deadline } = call
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
    types: {
      PermitTransferFrom: fields('TokenPermissions permitted, address spender', REST),
      TokenPermissions: fields('address token, uint256 amount'),
    },
    primaryType: 'PermitTransferFrom',
    message: {
      permitted: { token: tokenIn, amount: amountIn },
      ...{ spender: router, nonce, deadline },
    },
  } as const
}

const REST = 'uint256 nonce, uint256 deadline'

/** EIP-712 fields, from text in the syntax of Solidity arguments. */
function fields(...lists: readonly string[]): { readonly name: string; readonly type: string }[] {
  return lists
    .join(', ')
    .split(', ')
    .map((field) => {
      const [type, name] = field.split(' ')
      return { name: name!, type: type! }
    })
}
