/** Describes the chain of the API and leads wallets to it (EIP-3326, EIP-3085). */
import type { Chain, Client } from 'viem'
import { addChain, getChainId, switchChain } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { walletErrorOf } from '../walletError.js'

type ChainConfig = Pick<PageConfig, 'chainId' | 'chain'>

/** The chain as a wallet is asked to add it. */
export function walletChain({ chainId, chain }: ChainConfig): Chain {
  const { name, native, rpcUrl, explorer } = chain
  return {
    ...{ id: chainId, name, nativeCurrency: native },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(explorer && { blockExplorers: { default: explorer } }),
  }
}

/** The page of a transaction; undefined if no public explorer shows it. */
export function explorerUrl(config: ChainConfig, hash: string): string | undefined {
  const explorer = walletChain(config).blockExplorers?.default
  return explorer && `${explorer.url}/tx/${hash}`
}

/** Asks the wallet to use the chain, and to add it if it is unknown. Throws WALLET_…. */
export async function switchWallet(client: Client, config: ChainConfig): Promise<void> {
  try {
    await switchChain(client, { id: config.chainId }).catch(async (error: unknown) => {
      if (walletErrorOf(error).code !== 'WALLET_CHAIN_UNKNOWN') throw error
      await addChain(client, { chain: walletChain(config) })
      // Some wallets switch when they add a chain, others ask again.
      if ((await getChainId(client)) === config.chainId) return
      await switchChain(client, { id: config.chainId })
    })
  } catch (error) {
    throw walletErrorOf(error)
  }
}

/** Asks the wallet to use the API's node for the chain. Throws WALLET_…. */
export async function addNetwork(client: Client, config: ChainConfig): Promise<void> {
  await addChain(client, { chain: walletChain(config) }).catch((error: unknown) => {
    throw walletErrorOf(error)
  })
}
