// What a swap pays for gas: the base fee of the next block, and a tip for a place in it.

import type { Block } from '@braid-swap/core'
import { type TxFees, txFeesOf } from '@braid-swap/core/advanced'
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'

/** What a caller wishes to pay, in wei per gas. */
export type GasWishes = {
  readonly gasPrice?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** The base fee of the next block, in wei per gas. */
export function baseFeeOf({ gasPrice, priorityFee = 0n }: Block): bigint {
  return gasPrice - priorityFee
}

/** The caller's tip, or what a place in the next block costs; in wei per gas. */
export function tipOf({ priorityFee = 0n }: Block, { maxPriorityFeePerGas }: GasWishes): bigint {
  return maxPriorityFeePerGas ?? priorityFee
}

/** The price that an order counts its gas with: the caller's, or base fee and tip; in wei per gas. */
export function gasPriceOf(block: Block, wishes: GasWishes): bigint {
  return wishes.gasPrice ?? baseFeeOf(block) + tipOf(block, wishes)
}

/**
 * The fees of a transaction: the caller's, or the next block's with room for one full block in `gasPrice` and
 * for six in `maxFeePerGas`. Throws GAS_PRICE_ABSURD if the node's base fee is a mistake.
 */
export function feesOfTx(
  { graph, gasPriceFault }: Pick<MarketState, 'graph' | 'gasPriceFault'>,
  wishes: GasWishes = {},
): TxFees {
  const { block } = graph.snapshot
  const [tip, { gasPrice }] = [tipOf(block, wishes), wishes]
  if (gasPrice !== undefined) {
    const maxPriorityFeePerGas = tip < gasPrice ? tip : gasPrice
    return { gasPrice, maxFeePerGas: gasPrice, maxPriorityFeePerGas }
  }
  if (gasPriceFault !== undefined) {
    throw new ApiError('GAS_PRICE_ABSURD', `${gasPriceFault}; name a gasPrice of your own`)
  }
  return txFeesOf(baseFeeOf(block), tip)
}
