/**
 * Lets the router take exactly the amount that a swap sells: by an approval, by a permit of the token,
 * or by a signature for Permit2.
 */
import { type Braid, verifyApproval } from '@braid-swap/client'
import { type Hex, PERMIT2, permit2Message, permitMessage } from '@braid-swap/core'
import { signTypedData } from 'viem/actions'
import type { Sale } from '../order/order.js'
import type { PageConfig } from '../pageConfig.js'
import { type Payer, readAllowance } from '../wallet/payer.js'
import { WalletError, walletErrorOf } from '../wallet/walletError.js'
import { readPermit } from './permit.js'
import { pause, sendFrom, waitUntilMined } from './transactions.js'

/** The ways to authorize the router; `calls` approves and swaps in one confirmation (EIP-5792). */
export type PayBy = 'approval' | 'permit' | 'permit2' | 'calls'

export type Parties = {
  readonly braid: Braid
  readonly config: PageConfig
  readonly payer: Payer
}

/** The parameters that a signature adds to the request for the swap. */
export type Signed =
  | { readonly permit: Hex; readonly deadline: number }
  | { readonly permit2: Hex; readonly permit2Nonce: bigint; readonly deadline: number }

/** The most that an approval may cost in gas, in wei. */
const maxNetworkFee = 10n ** 17n
/** The validity of a signature. */
const SIGNATURE_SECONDS = 900
/** The API asks a node of its own, which may see an approval a little later. */
const SEEN_TRIES = 20
const SEEN_MS = 500

/** Authorizes the sale. Throws MISMATCH, WALLET_…, TX_…. */
export async function authorize(
  parties: Parties,
  sale: Sale,
  payBy: Exclude<PayBy, 'calls'>,
): Promise<Signed | undefined> {
  if (payBy === 'approval') return approve(parties, sale)
  const deadline = Math.floor(Date.now() / 1_000) + SIGNATURE_SECONDS
  try {
    const sign = payBy === 'permit' ? signPermit : signPermit2
    return { ...(await sign(parties, sale, BigInt(deadline))), deadline }
  } catch (error) {
    throw walletErrorOf(error)
  }
}

/** Approves exactly the amount to the router if its allowance is lower. */
async function approve({ braid, config, payer }: Parties, { src, amount }: Sale) {
  const { address: owner, client } = payer
  const isEnough = async () =>
    (await readAllowance(client, { token: src, owner, spender: config.router })) >= amount
  if (!(await isEnough())) {
    const asked = { tokenAddress: src, amount }
    const approval = await braid.approval(asked)
    verifyApproval(approval, asked, { ...config, maxNetworkFee })
    await waitUntilMined(payer, await sendFrom(payer, config, approval))
    // A wallet lets its user lower the amount.
    if (!(await isEnough())) throw tooLow()
  }
  for (let tries = SEEN_TRIES; tries > 0; tries--) {
    const { allowance } = await braid.allowance({ tokenAddress: src, walletAddress: owner })
    if (allowance >= amount) break
    await pause(SEEN_MS)
  }
  return undefined
}

/** Signs a permit of the token for the router. */
async function signPermit({ config, payer }: Parties, { src, amount }: Sale, deadline: bigint) {
  const { chainId, router } = config
  const { client, address: owner } = payer
  const domain = await readPermit(client, { token: src, owner, chainId })
  if (!domain) throw new WalletError('WALLET_UNSUPPORTED', 'The token takes no permit.')
  const paid = { tokenIn: src, amountIn: amount, deadline }
  const message = permitMessage(paid, { ...domain, chainId, router, owner })
  return { permit: await signTypedData(client, { ...message, account: owner }) }
}

/** Approves exactly the amount to Permit2 and signs a Permit2 transfer to the router. */
async function signPermit2(parties: Parties, { src, amount }: Sale, deadline: bigint) {
  const { braid, config, payer } = parties
  const { chainId, router } = config
  const { client, address: owner } = payer
  const isEnough = async () =>
    (await readAllowance(client, { token: src, owner, spender: PERMIT2 })) >= amount
  if (!(await isEnough())) {
    const { data, ...approval } = await braid.approval({ tokenAddress: src, amount })
    const toPermit2 = { ...approval, data: withSpender(data, PERMIT2) }
    verifyApproval(toPermit2, { tokenAddress: src, amount }, { router: PERMIT2, maxNetworkFee })
    await waitUntilMined(payer, await sendFrom(payer, config, toPermit2))
    if (!(await isEnough())) throw tooLow()
  }
  const permit2Nonce = crypto.getRandomValues(new BigUint64Array(1))[0]!
  const paid = { tokenIn: src, amountIn: amount, deadline }
  const message = permit2Message(paid, { chainId, router, nonce: permit2Nonce })
  return { permit2: await signTypedData(client, { ...message, account: owner }), permit2Nonce }
}

function tooLow(): WalletError {
  return new WalletError('WALLET_REJECTED', 'The approved amount is lower than the swap needs.')
}

/** Replaces the spender in the calldata of `approve(address,uint256)`. */
function withSpender(data: Hex, spender: Hex): Hex {
  return `${data.slice(0, 10)}${spender.slice(2).padStart(64, '0')}${data.slice(74)}` as Hex
}
