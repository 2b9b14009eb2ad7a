/**
 * Checks, through the payer's own node, that the chain is the one of the quote. Several chains may use one
 * chain id, a devnet and HyperEVM among them.
 */
import { requireChain } from '@braid-swap/client'
import type { Hex } from '@braid-swap/core'
import { BlockNotFoundError } from 'viem'
import { getBlock } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError } from '../wallet/walletError.js'

/** The block of the quote that is sent. */
export type QuotedBlock = { readonly number: bigint; readonly hash: Hex }

/** Throws WRONG_CHAIN, WALLET_OTHER_NETWORK, or what the node throws. */
export async function requireBlock(
  { client }: Payer,
  { chainId }: PageConfig,
  { number, hash }: QuotedBlock,
): Promise<void> {
  await requireChain(client, chainId)
  const own = await getBlock(client, { blockNumber: number }).catch((error: unknown) => {
    // The node may be a block behind.
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  })
  if (!own || own.hash === hash) return
  const message = `Block ${number} of the wallet's network is not the block of the quote.`
  throw new WalletError('WALLET_OTHER_NETWORK', message)
}
