import { type Address, NATIVE } from '@braid-swap/core'
import { getAddress, maxUint256 } from 'viem'
import { requireTokens } from '../answers/tradable.js'
import { ApiError } from '../errors.js'
import { approval, mustRevokeFirst } from '../execution/calls.js'
import { readWalletOf } from '../execution/wallet.js'
import { askerOf } from '../middleware/asker.js'
import { charge } from '../middleware/limit.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { feesOfTx } from '../quoting/gasPrice.js'
import { showAddress } from '../wire/addresses.js'
import { freshState, readQuery, requireChain, requireRouter } from './request.js'

/** `GET /swap/v1/{chainId}/approve/transaction`: the transaction that lets the router spend a token. */
export function approveTransactionRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx['params'].chainId, need)
    ctx.set('cache-control', 'no-store')
    const { tokenAddress, amount, walletAddress } = readQuery(ctx, need.schemas.approveTransaction)
    if (tokenAddress === NATIVE) {
      const code = 'NATIVE_NOT_APPROVABLE'
      const message = 'the native token needs no approval: send it as the value of the swap'
      const expected = 'an ERC-20 token'
      const rule = 'must be an ERC-20 token'
      throw new ApiError(code, message, {
        issues: [
          { in: 'query', path: 'tokenAddress', code, message: rule, received: NATIVE, expected },
        ],
      })
    }
    requireRouter(need)
    const state = freshState(ctx, need)
    await requireTokens({ tokenAddress }, state.graph.snapshot, {
      asker: askerOf(ctx, need),
      ...need,
    })
    const { router: spender } = need.config
    const asked = { token: tokenAddress, spender, amount: amount ?? maxUint256 }
    const revokeFirst = walletAddress && (await isLeftOver(ctx, need, walletAddress, asked))
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
  ctx: ApiContext,
  need: Need,
  owner: Address,
  asked: { readonly token: Address; readonly spender: Address; readonly amount: bigint },
): Promise<boolean> {
  await charge(ctx, need, { what: 'calls', count: CALLS_OF_APPROVAL })
  const of = { owner, token: asked.token, parameter: 'tokenAddress' }
  const { allowance } = await readWalletOf(need, of)
  return mustRevokeFirst(need, { ...asked, owner, allowance })
}

/** `GET /swap/v1/{chainId}/approve/allowance`: how much of a token the router may spend. */
export function approveAllowanceRoute(need: Need) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx['params'].chainId, need)
    ctx.set('cache-control', 'no-store')
    const params = readQuery(ctx, need.schemas.approveAllowance)
    requireRouter(need)
    await charge(ctx, need, { what: 'calls', count: 1 })
    const { allowance, blockNumber } = await readWalletOf(need, {
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
    requireChain(ctx['params'].chainId, need)
    readQuery(ctx, need.schemas.none)
    requireRouter(need)
    ctx.set('cache-control', 'no-store')
    ctx.body = { address: getAddress(need.config.router) }
  }
}
