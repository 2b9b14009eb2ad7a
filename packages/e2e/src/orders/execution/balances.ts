import { type Address, NATIVE } from '@braid-swap/core'
import type { ChainClient } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'

/** An account's balance of a token or of NATIVE at the latest block, in wei. */
export function balanceOf(
  client: ChainClient,
  { token, account }: { readonly token: Address; readonly account: Address },
): Promise<bigint> {
  if (token === NATIVE) return client.getBalance({ address: account })
  return client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}

/** The allowance of `spender` on the owner's token, in wei. */
export function allowanceOf(
  client: ChainClient,
  of: { readonly token: Address; readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  return client.readContract({
    address: of.token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [of.owner, of.spender],
  })
}
