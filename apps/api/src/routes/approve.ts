import { NATIVE } from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem'
import type { Services } from '../context.js'
import { ApiError } from '../errors.js'
import { readWalletOf } from '../execution/wallet.js'
import { chargeNode } from '../middleware/limit.js'
import type { ApiContext } from '../middleware/state.js'
import { showAddress } from '../wire/addresses.js'
import { gasPriceOfTx } from './gasPrice.js'
import { freshState, readQuery, requireChain, requireRouter, requireTokens } from './request.js'

/** `GET /swap/v1/{chainId}/approve/transaction`: the transaction that lets the router spend a token. */
export function approveTransactionRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    ctx.set('cache-control', 'no-store')
    const { tokenAddress, amount } = readQuery(ctx, services.schemas.approveTransaction)
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
    requireRouter(services)
    const state = freshState(ctx, services)
    await requireTokens(services, state.graph.snapshot, { tokenAddress }, ctx)
    ctx.body = {
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [services.config.router, amount ?? maxUint256],
      }),
      gasPrice: `${gasPriceOfTx(state)}`,
      to: showAddress(tokenAddress),
      value: '0',
    }
  }
}

/** `GET /swap/v1/{chainId}/approve/allowance`: how much of a token the router may spend. */
export function approveAllowanceRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    ctx.set('cache-control', 'no-store')
    const params = readQuery(ctx, services.schemas.approveAllowance)
    requireRouter(services)
    await chargeNode(ctx, services, 1)
    const { allowance, blockNumber } = await readWalletOf(services, {
      owner: params.walletAddress,
      token: params.tokenAddress,
      parameter: 'tokenAddress',
    })
    ctx.body = {
      allowance: `${allowance}`,
      ...(params.includeMeta && {
        meta: { spender: getAddress(services.config.router), blockNumber: `${blockNumber}` },
      }),
    }
  }
}

/** `GET /swap/v1/{chainId}/approve/spender`: the contract to approve. */
export function approveSpenderRoute(services: Services) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, services)
    readQuery(ctx, services.schemas.none)
    requireRouter(services)
    ctx.set('cache-control', 'no-store')
    ctx.body = { address: getAddress(services.config.router) }
  }
}
