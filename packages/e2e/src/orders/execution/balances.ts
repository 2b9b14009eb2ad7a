import { type Address, NATIVE } from '@braid-swap/core'
import type { ChainClient } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'

/** Wei that an account holds of a token or of NATIVE, at the latest block. */
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

/** Wei that `spender` may take of the owner's token. */
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
