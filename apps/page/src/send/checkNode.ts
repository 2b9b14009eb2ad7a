/**
 * Checks, through the payer's own node, that the chain is the one of the quote. Several chains may use one
 * chain id, a devnet and the chain that it stands for among them.
 */
import { requireChain } from '@braid-swap/client'
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import { BlockNotFoundError, erc20Abi } from 'viem'
import { getBlock, readContract } from 'viem/actions'
import type { PageConfig } from '../pageConfig.js'
import type { Payer } from '../wallet/payer.js'
import { WalletError } from '../walletError.js'

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

/** A token as the visitor saw its amounts. */
type Shown = { readonly address: Address; readonly symbol: string; readonly decimals: number }

/** Throws DECIMALS_DIFFER unless amounts of the tokens were shown in the units of the chain. */
export async function requireDecimals({ client }: Payer, tokens: readonly Shown[]): Promise<void> {
  const read = ({ address }: Shown) =>
    address === NATIVE
      ? 18
      : readContract(client, { address, abi: erc20Abi, functionName: 'decimals' })
  for (const token of tokens) {
    const decimals = await read(token)
    if (decimals === token.decimals) continue
    const message = `${token.symbol} has ${decimals} decimals on your wallet’s network, and ${token.decimals} on this page.`
    throw new WalletError('DECIMALS_DIFFER', message)
  }
}
