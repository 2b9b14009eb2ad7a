import type { NodeRequests } from '@braid-swap/contracts'
import { type Address, NATIVE } from '@braid-swap/core'
import { type Account, type Client, createClient, custom, erc20Abi } from 'viem'
import { getBalance, getChainId, readContract } from 'viem/actions'
import { SendError } from './errors.js'

// The wallet that pays, as its owners have it: a viem client with an account (also the one that wagmi
// returns), or any EIP-1193 provider and an address. Its node answers the questions.

/**
 * An account and what answers for it. An account with a private key signs here, and its node only
 * passes the transaction on; an address is signed for by the provider.
 */
export type SwapWallet = NodeRequests & { readonly account: Account | Address }

/** A viem client over a wallet. It never repeats a request, because each may open the wallet. */
export type WalletClient = Client & { readonly account: Account }

export function clientOf(wallet: SwapWallet): WalletClient {
  const request = (asked: { readonly method: string }) =>
    OPENS_WALLET.test(asked.method) ? wallet.request(asked, ONCE) : wallet.request(asked)
  const transport = custom({ request }, { retryCount: 0 })
  return createClient({ account: wallet.account, ccipRead: false, transport }) as WalletClient
}

/** What a wallet asks its owner about, or sends: asked twice, it may do it twice. */
const OPENS_WALLET = /^(eth_send|eth_sign|wallet_send)/
/** Viem's clients repeat a request whose answer was lost, unless they are told not to. */
const ONCE = { retryCount: 0 } as const

/** The address of a client's account, in lower case. */
export function addressOf({ account }: WalletClient): Address {
  return account.address.toLowerCase() as Address
}

/** Throws WRONG_CHAIN unless the wallet is on the chain right now. */
export async function requireChain(client: Client, chainId: number): Promise<void> {
  const got = await getChainId(client)
  if (got === chainId) return
  throw new SendError('WRONG_CHAIN', `the wallet uses chain ${got} instead of ${chainId}`, {
    ...{ got, wanted: chainId },
  })
}

/** Reads the allowance of a spender, in wei. Throws what the node throws. */
export function readAllowance(
  client: Client,
  of: { readonly token: Address; readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const read = { address: of.token, abi: erc20Abi, functionName: 'allowance' } as const
  return readContract(client, { ...read, args: [of.owner, of.spender] })
}

/** Reads the balance of an account, in wei of a token or of the native token. Throws what the node throws. */
export function readBalance(
  client: Client,
  { token, owner }: { readonly token: Address; readonly owner: Address },
): Promise<bigint> {
  if (token.toLowerCase() === NATIVE) return getBalance(client, { address: owner })
  const read = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  return readContract(client, { ...read, args: [owner] })
}
