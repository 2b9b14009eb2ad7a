/**
 * Checks, through the payer's own node, that the chain is the one of the quote and that our router is
 * on it. Several chains may use one chain id, a devnet and HyperEVM among them.
 */
import { type VerifiedRouter, verifyRouter } from '@braid-swap/client'
import type { Hex } from '@braid-swap/core'
import { BlockNotFoundError, type Client } from 'viem'
import { getBlock } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import { requireChain } from '../wallet/chain.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError, walletErrorOf } from '../wallet/walletError.js'

/** The block of the quote that is sent. */
export type QuotedBlock = { readonly number: bigint; readonly hash: Hex }

/** Routers that were found good; their code cannot change. */
const verified = new WeakMap<Client, VerifiedRouter>()

/** Throws WALLET_WRONG_CHAIN, WALLET_OTHER_NETWORK, ROUTER_UNVERIFIED, WALLET_…. */
export async function checkNode(
  { client }: Payer,
  config: PageConfig,
  block: QuotedBlock,
): Promise<VerifiedRouter> {
  try {
    await requireChain(client, config)
    await requireBlock(client, block)
    const { router, wrappedNative } = config
    const known = verified.get(client) ?? (await verifyRouter(client, { router, wrappedNative }))
    verified.set(client, known)
    return known
  } catch (error) {
    throw walletErrorOf(error)
  }
}

async function requireBlock(client: Client, { number, hash }: QuotedBlock): Promise<void> {
  const own = await getBlock(client, { blockNumber: number }).catch((error: unknown) => {
    // The node may be a block behind.
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  })
  if (!own || own.hash === hash) return
  const message = `Block ${number} of the wallet's network is not the block of the quote.`
  throw new WalletError('WALLET_OTHER_NETWORK', message)
}
