import type { Devnet } from '@braid-swap/devnet'
import { sendSigned } from '@braid-swap/devnet/testing'
import { privateKeyToAccount } from 'viem/accounts'
import type { SwapWallet } from '../send/wallet.js'

type Ask = (params: readonly unknown[]) => Promise<unknown>
/** What a layer answers to a method instead of the node, which it may still ask. */
export type Rules = Readonly<Record<string, (ask: Ask, params: readonly unknown[]) => unknown>>

/** A wallet of a devnet whose node answers by rules; `asked` counts its methods. */
export type LayeredWallet = SwapWallet & { readonly asked: readonly string[] }

/** An EIP-1193 provider over the real node, which signs with the key, or passes on what our key signed. */
export function layeredWallet(
  { client, wallet }: Devnet,
  kind: 'key' | 'provider',
  rules: Rules = {},
): LayeredWallet {
  const asked: string[] = []
  return {
    account: kind === 'key' ? privateKeyToAccount(wallet.privateKey) : wallet.address,
    asked,
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      asked.push(method)
      const ask: Ask = (now) =>
        method === 'eth_sendTransaction'
          ? sendSigned({ client, wallet }, now[0] as object)
          : client.request({ method, params: now } as never)
      const rule = rules[method]
      return rule ? rule(ask, params) : ask(params)
    },
  }
}

/** An error as wallets and nodes throw it. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
