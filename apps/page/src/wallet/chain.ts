/** Describes the chain of the API and leads wallets to it (EIP-3326, EIP-3085). */
import type { Chain, Client } from 'viem'
import { addChain, getChainId, switchChain } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { walletErrorOf } from '../walletError.js'

type ChainConfig = Pick<PageConfig, 'chainId' | 'rpcUrl'>

/** HyperEVM's public node and explorer. viem's list of all chains is larger than the page. */
const PUBLIC_RPC = 'https://rpc.hyperliquid.xyz/evm'
const EXPLORER = { name: 'HyperEVMScan', url: 'https://hyperevmscan.io' }

/** The chain as a wallet is asked to add it; the operator may name a node for it. */
export function chainOf({ chainId, rpcUrl }: ChainConfig): Chain {
  return {
    ...{ id: chainId, name: 'HyperEVM' },
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl ?? PUBLIC_RPC] } },
    // A node of the operator's own may serve a private chain, which no public explorer shows.
    ...(rpcUrl === null && { blockExplorers: { default: EXPLORER } }),
  }
}

/** The page of a transaction; undefined if no public explorer shows it. */
export function explorerUrl(config: ChainConfig, hash: string): string | undefined {
  const explorer = chainOf(config).blockExplorers?.default
  return explorer && `${explorer.url}/tx/${hash}`
}

/** Asks the wallet to use the chain, and to add it if it is unknown. Throws WALLET_…. */
export async function switchWallet(client: Client, config: ChainConfig): Promise<void> {
  try {
    await switchChain(client, { id: config.chainId }).catch(async (error: unknown) => {
      if (walletErrorOf(error).code !== 'WALLET_CHAIN_UNKNOWN') throw error
      await addChain(client, { chain: chainOf(config) })
      // Some wallets switch when they add a chain, others ask again.
      if ((await getChainId(client)) === config.chainId) return
      await switchChain(client, { id: config.chainId })
    })
  } catch (error) {
    throw walletErrorOf(error)
  }
}

/** Asks the wallet to use the operator's node for the chain. Throws WALLET_…. */
export async function addNetwork(client: Client, config: ChainConfig): Promise<void> {
  await addChain(client, { chain: chainOf(config) }).catch((error: unknown) => {
    throw walletErrorOf(error)
  })
}
