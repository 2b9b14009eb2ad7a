import { withGasPriceMargin } from '@braid-swap/core'
import { ApiError } from '../errors.js'
import type { MarketState } from '../market/liveMarket.js'

/**
 * The gas price of a transaction, in wei: the caller's own, or the market's with room for six full
 * blocks. Throws GAS_PRICE_ABSURD if the market's is a fault of the node.
 */
export function gasPriceOfTx(
  { graph, gasPriceFault }: Pick<MarketState, 'graph' | 'gasPriceFault'>,
  wanted?: bigint,
): bigint {
  if (wanted !== undefined) return wanted
  if (gasPriceFault !== undefined) {
    throw new ApiError('GAS_PRICE_ABSURD', `${gasPriceFault}; name a gasPrice of your own`)
  }
  return withGasPriceMargin(graph.snapshot.block.gasPrice)
}
