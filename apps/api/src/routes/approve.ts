import { NATIVE } from '@braid-swap/core'
import { getAddress, maxUint256 } from 'viem'
import { type Asker, askerOf } from '../admission/asker.js'
import { freshState, requireRouter } from '../answers/freshState.js'
import { requireTokens } from '../answers/tradable.js'
import { refusal } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { feesOfTx } from '../quoting/gasPrice.js'
import { type Approval, approval } from '../wallets/calls.js'
import type { Wallets } from '../wallets/wallet.js'
import { showAddress } from '../wire/addresses.js'
import type { Values } from '../wire/requests.js'

/** `GET /swap/v1/{chainId}/approve/transaction`: the transaction that lets the router spend a token. */
export function approveTransactionRoute(need: Need) {
  return async (ctx: ApiContext, query: Values<'approveTransaction'>): Promise<void> => {
    ctx.set('cache-control', 'no-store')
    const { tokenAddress, amount, walletAddress } = query
    if (tokenAddress === NATIVE) {
      const message = 'the native token needs no approval: send it as the value of the swap'
      const fault = { path: 'tokenAddress', code: 'NATIVE_NOT_APPROVABLE' } as const
      const rule = { message: 'must be an ERC-20 token', received: NATIVE }
      throw refusal({ ...fault, ...rule, expected: 'an ERC-20 token' }, { message })
    }
    requireRouter(need)
    const state = freshState(ctx, need)
    const asker = askerOf(ctx, need)
    await requireTokens({ tokenAddress }, state.graph.snapshot, { asker, ...need })
    const { router: spender } = need.config
    const asked = { token: tokenAddress, spender, amount: amount ?? maxUint256 }
    const revokeFirst =
      walletAddress && (await isLeftOver(need.wallets, asker, { ...asked, owner: walletAddress }))
    ctx.body = {
      data: approval(asked.token, asked.spender, asked.amount).data,
      gasPrice: `${feesOfTx(state).gasPrice}`,
      to: showAddress(tokenAddress),
      value: '0',
      ...(revokeFirst !== undefined && { revokeFirst }),
    }
  }
}

/** A read of the allowance, and a call that tries the approval. */
const CALLS_OF_APPROVAL = 2

/** True if an allowance is left over that the token refuses to change. */
async function isLeftOver(
  wallets: Wallets,
  asker: Asker,
  asked: Omit<Approval, 'allowance'>,
): Promise<boolean> {
  await asker.charge('calls', CALLS_OF_APPROVAL)
  const { allowance } = await wallets.read({ ...asked, parameter: 'tokenAddress' })
  return wallets.mustRevokeFirst({ ...asked, allowance })
}

/** `GET /swap/v1/{chainId}/approve/allowance`: how much of a token the router may spend. */
export function approveAllowanceRoute(need: Need) {
  return async (ctx: ApiContext, params: Values<'approveAllowance'>): Promise<void> => {
    ctx.set('cache-control', 'no-store')
    requireRouter(need)
    await askerOf(ctx, need).charge('calls', 1)
    const { allowance, blockNumber } = await need.wallets.read({
      owner: params.walletAddress,
      token: params.tokenAddress,
      parameter: 'tokenAddress',
    })
    ctx.body = {
      allowance: `${allowance}`,
      ...(params.includeMeta && {
        meta: { spender: getAddress(need.config.router), blockNumber: `${blockNumber}` },
      }),
    }
  }
}

/** `GET /swap/v1/{chainId}/approve/spender`: the contract to approve. */
export function approveSpenderRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    requireRouter(need)
    ctx.set('cache-control', 'no-store')
    ctx.body = { address: getAddress(need.config.router) }
  }
}
