import type { Venue } from './venue.js'

/** Wrapped HYPE. */
export const WHYPE = '0x5555555555555555555555555555555555555555'

/**
 * Deployments on HyperEVM whose pools are an unmodified family's: plain-fee Uniswap V2 pairs and
 * Uniswap V3 pools that call `uniswapV3SwapCallback`. Addresses are from public registries, not read
 * on chain here; what is weaker than that says so.
 *
 * Not here: HyperSwap V2 (a pair of another family, two fees and a stable curve), HyperSwap V3
 * (calls `hyperswapV3SwapCallback`), and V2 factories whose fee nobody states (Laminar, Ultrasolid,
 * Hypertrade, ManaSwap).
 */
export const hyperEvmVenues: readonly Venue[] = [
  {
    ...v3('prjx', '0xff7b3e8c00e57ea31477c32a5b52a58eea47b072', 7876741n),
    feesPpm: [100, 500, 1000, 2000, 3000, 10000, 20000],
  },
  v3('hybra-v3', '0x2dc0ec0f0db8baf250ecccf268d7dfbf59346e5e', 6523521n),
  v3('laminar-v3', '0x40059a6f242c3de0e639693973004921b04d96ad', 592235n),
  // Unconfirmed on chain for the five below: that the callback is the family's own.
  v3('ultrasolid-v3', '0xd883a0b7889475d362cea8fdf588266a3da554a1', 10742640n),
  v3('hypertrade-v3', '0x1cd8363dfada19911f745ba984fce02b42c943bf', 20255136n),
  v3('turbo', '0xc72d2695a203696243aa3edd6cc98e43262e007e', 36463669n),
  v3('hyperlynx-v3', '0x418cb4e449869e97db45586ebd9350e1d0424f95', 38231735n),
  v3('noxa-v3', '0x0742d64925e4c78cb1baffce2fa1dceba8cf133c', 10002856n),
  // Unconfirmed on chain for the three below: the fee, stated by one registry each.
  v2('upheaval-v2', '0x98e19a533fadb2c9853983772e4e7aa09a1478e0', 3000),
  v2('hyperlynx-v2', '0x11cd396f814bd31eba7969c1b27a7c347785951f', 3000),
  v2('noxa-v2', '0xec4a56061d86955d0df883efb2e5791d99ea71f2', 3000),
]

function v3(id: string, factory: Venue['factory'], fromBlock: bigint): Venue {
  return { id, family: 'uniswapV3', factory, fromBlock }
}

function v2(id: string, factory: Venue['factory'], feePpm: number): Venue {
  return { id, family: 'uniswapV2', factory, feePpm }
}
