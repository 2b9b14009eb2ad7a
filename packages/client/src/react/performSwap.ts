/**
 * One swap from the order to the receipt: allowance, approval if it is short, transaction, signature.
 * Everything that a server built is held against the caller's own terms before the wallet sees it.
 */
import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Braid } from '../braid.js'
import type { SwapRequest } from '../requests.js'
import { verifyApproval } from '../verifyApproval.js'
import { type CheckedTransaction, type OwnTerms, verifySwap } from '../verifySwap.js'

/** Signs and sends for one address; viem's and wagmi's clients have both functions. */
export type Wallet = {
  readonly address: Address
  /** Signs and sends; returns the hash. */
  readonly send: (tx: CheckedTransaction & { readonly from: Address }) => Promise<Hex>
  /** Waits for the receipt; throws if the transaction was reverted. */
  readonly confirm: (hash: Hex) => Promise<unknown>
}

/** A swap, and the terms that it must keep. Neither may come from the server. */
export type SwapOrder = {
  readonly request: Omit<SwapRequest, 'from'>
  /** See `verifySwap`; `router` as `verifyRouter` gives it. */
  readonly terms: OwnTerms
}

/** The step that a swap is at. */
export type SwapStep = 'checking' | 'approving' | 'building' | 'swapping' | 'confirming'

/**
 * Approves exactly what is sold if the allowance is short, then builds, verifies, sends and confirms
 * the swap; returns its hash. Throws what the client, the checks and the wallet throw; nothing is sent
 * that failed a check.
 */
export async function performSwap(
  braid: Pick<Braid, 'allowance' | 'approval' | 'swap'>,
  wallet: Wallet,
  { request, terms }: SwapOrder,
  say: (step: SwapStep) => void = () => {},
): Promise<Hex> {
  const asked = { ...request, from: wallet.address } as SwapRequest
  say('checking')
  await approveIfShort(braid, wallet, { asked, terms, say })
  say('building')
  const swap = await braid.swap(asked)
  const { tx } = verifySwap(swap, asked, terms)
  say('swapping')
  const hash = await wallet.send({ from: wallet.address, ...tx })
  say('confirming')
  await wallet.confirm(hash)
  return hash
}

type ApprovalInput = {
  readonly asked: SwapRequest
  readonly terms: OwnTerms
  readonly say: (step: SwapStep) => void
}

async function approveIfShort(
  braid: Pick<Braid, 'allowance' | 'approval'>,
  wallet: Wallet,
  { asked, terms, say }: ApprovalInput,
): Promise<void> {
  const tokenAddress = asked.src
  const isSigned = asked.permit !== undefined || asked.permit2 !== undefined
  if (tokenAddress.toLowerCase() === NATIVE || isSigned) return
  const amount = asked.amount ?? terms.maxAmountIn
  if (amount === undefined) throw new TypeError('maxAmountIn must be given with dstAmountExact')
  const { allowance } = await braid.allowance({ tokenAddress, walletAddress: wallet.address })
  if (allowance >= amount) return
  say('approving')
  const wanted = { tokenAddress, amount }
  const { tx } = verifyApproval(await braid.approval(wanted), wanted, terms)
  await wallet.confirm(await wallet.send({ from: wallet.address, ...tx }))
}
