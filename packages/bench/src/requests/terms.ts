import type { Market } from '../market.js'
import { loadRecorded } from '../markets/recorded.js'
import type { Terms } from './requests.js'

/** Gas of a small block of HyperEVM. */
export const SMALL_BLOCK_GAS = 3_000_000

// The defaults of a quote in core, stated here so that the evaluator applies them too.
const GAS_SHARE_OF_BLOCK = 0.8
const LEGS = 24
const WEI_PER_GWEI = 1e9

/** The recorded market of HyperEVM. Throws if it is not among the vectors. */
export function hyperEvmMarket(): Market {
  const market = loadRecorded().find(({ snapshot }) => snapshot.chainId === 999)
  if (!market) throw new Error('no recorded market of chain 999')
  return market
}

/** The terms that a quote has by default on a market, in a block of `blockGas`. */
export function defaultTerms(
  { snapshot: { block } }: Market,
  blockGas: number = SMALL_BLOCK_GAS,
): Required<Terms> {
  return {
    gwei: Number(block.gasPrice) / WEI_PER_GWEI,
    maxLegs: LEGS,
    maxGas: blockGas * GAS_SHARE_OF_BLOCK,
  }
}
