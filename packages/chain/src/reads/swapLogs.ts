// Finds the logs of swaps from any contract: some name pools that no search has found.

import type { Hex } from '@braid-swap/core'
import { toEventSelector } from 'viem'
import type { Log } from './log.js'

/** The swaps of Uniswap V2 to V4 and of Solidly, PancakeSwap V3, Algebra, Liquidity Book, Curve and Balancer. */
const TOPICS: ReadonlySet<Hex> = new Set(
  [
    'Swap(address,uint256,uint256,uint256,uint256,address)',
    'Swap(address,address,uint256,uint256,uint256,uint256)',
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
    'Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)',
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
    'Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)',
    'TokenExchange(address,int128,uint256,int128,uint256)',
    'TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)',
    'Swap(bytes32,address,address,uint256,uint256)',
    'Swap(address,address,address,uint256,uint256,uint256,uint256)',
  ].map((signature) => toEventSelector(signature)),
)

/** The logs of swaps among these. */
export function swapsIn(logs: readonly Log[]): readonly Log[] {
  return logs.filter(({ topics }) => topics[0] !== undefined && TOPICS.has(topics[0]))
}
