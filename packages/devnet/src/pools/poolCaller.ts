import type { Venue } from '@braid-swap/chain'
import { poolCallerAbi } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData } from 'viem'
import { SWAP_GAS } from '../node/deploy.js'
import { approveCall, mintCalls } from '../node/erc20.js'
import type { Call } from '../node/transactions.js'
import type { PoolSwap } from './pool.js'
import { amountsOf } from './position.js'
import type { V3PoolSpec } from './uniswapV3.js'

/** The calls that give `from` the tokens of a pool's positions and mint them through the caller. */
export function callerMintCalls(
  from: Address,
  at: {
    readonly router: Address
    readonly pool: Address
    /** A description of the pool. */
    readonly named: string
    readonly mint: 'mint' | 'mintAlgebra'
  },
  { tokens, positions, sqrtPriceX96 }: Pick<V3PoolSpec, 'tokens' | 'positions' | 'sqrtPriceX96'>,
): readonly Call[] {
  const { router, pool, named, mint: functionName } = at
  const amounts = positions.map((position) => amountsOf(position, sqrtPriceX96))
  return [
    ...tokens.flatMap((token, i) => [
      ...mintCalls(from, {
        token,
        to: from,
        // One wei more per position, because the pool rounds up.
        amount: amounts.reduce((sum, pair) => sum + pair[i]! + 1n, 0n),
      }),
      approveCall(token, { owner: from, spender: router }),
    ]),
    ...positions.map(({ tickLower, tickUpper, liquidity }) => ({
      label: `mint a position in [${tickLower}, ${tickUpper}] of ${named}`,
      ...{ from, to: router, gas: 700_000n },
      data: encodeFunctionData({
        abi: poolCallerAbi,
        functionName,
        args: [pool, tickLower, tickUpper, liquidity],
      }),
    })),
  ]
}

/** A swap of `from`'s tokens through one pool; `from` must approve the caller contract. */
export function callerSwapCall(
  { router, venue }: { readonly router: Address; readonly venue: Venue },
  { pool, from, tokenIn, amountIn }: PoolSwap,
): Call {
  return {
    label: `swap ${amountIn} of ${tokenIn} on ${venue.id}`,
    from,
    to: router,
    data: encodeFunctionData({
      abi: poolCallerAbi,
      functionName: 'swap',
      args: [pool.address, tokenIn === pool.tokens[0], amountIn],
    }),
    gas: SWAP_GAS,
  }
}
