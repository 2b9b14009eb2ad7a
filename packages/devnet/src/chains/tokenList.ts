import { type ChainRecord, hyperEvm } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'

/** A token of the market with its initial price. */
export type PricedToken = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly address: Address
  /** US dollars for one whole token. */
  readonly usdPrice: number
}

/**
 * Tokens of HyperEVM with their real addresses, symbols and decimals. The prices are round figures
 * of the right magnitude, not quotes.
 */
export const marketTokens: readonly PricedToken[] = [
  token('WHYPE', 'Wrapped HYPE', 18, '0x5555555555555555555555555555555555555555', 40),
  token('USDC', 'USD Coin', 6, '0xb88339cb7199b77e23db6e890353e22632ba630f', 1),
  token('USD₮0', 'USDT0', 6, '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb', 1),
  token('USDe', 'Ethena USDe', 18, '0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34', 0.9993),
  token('sUSDe', 'Staked USDe', 18, '0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2', 1.19),
  token('USDH', 'USDH', 6, '0x111111a1a0667d36bd57c0a9f569b98057111111', 1.0004),
  token('feUSD', 'Felix feUSD', 18, '0x02c6a2fa58cc01a18b8d9e00ea48d65e4df26c70', 0.996),
  token('UBTC', 'Unit Bitcoin', 8, '0x9fdbda0a5e284c32744d2f17ee5c74b284993463', 98_500),
  token('UETH', 'Unit Ethereum', 18, '0xbe6727b535545c67d5caa73dea54865b92cf7907', 3_650),
  token('USOL', 'Unit Solana', 9, '0x068f321fa8fb9f0d135f290ef6a3e2813e1c8a29', 172),
  token('UPUMP', 'Unit PUMP', 6, '0x27ec642013bcb3d80ca3706599d3cda04f6f4452', 0.0046),
  token('UFART', 'Unit FARTCOIN', 6, '0x3b4575e689ded21caad31d64c4df1f10f3b2cedf', 0.62),
  token('XAUt0', 'XAUt0', 6, '0xf4d9235269a96aadafc9adae454a0618ebe37949', 4_050),
  token('kHYPE', 'Kinetiq Staked HYPE', 18, '0xfd739d4e423301ce9385c1fb8850539d657c296d', 40.66),
  token('wstHYPE', 'Wrapped stHYPE', 18, '0x94e8396e0869c9f2200760af0621afd240e1cf38', 40.3),
  token('LHYPE', 'Looped HYPE', 18, '0x5748ae796ae46a4f1348a1693de4b50560485562', 41.7),
  token('PURR', 'Purr', 18, '0x9b498c3c8a0b8cd8ba1d9851d40d186f1872b44e', 0.142),
  token('KNTQ', 'Kinetiq', 18, '0x000000000000780555bd0bca3791f89f9542c2d6', 0.118),
  token('JEFF', 'JEFF', 18, '0x52e444545fbe9e5972a7a371299522f7871aec1f', 0.0031),
  token('HPL', 'HyperLend', 18, '0xbd6dab50f03a305a80037294fa8d1a9dc0cac91b', 0.083),
]

/** The same market of another chain: its own wrapped token in the place of WHYPE. */
export function tokensOf({ wrapped }: ChainRecord): readonly PricedToken[] {
  return marketTokens.map((token) =>
    token.address === hyperEvm.wrapped.address ? { ...token, ...wrapped } : token,
  )
}

function token(
  symbol: string,
  name: string,
  decimals: number,
  address: Address,
  usdPrice: number,
): PricedToken {
  return { symbol, name, decimals, address, usdPrice }
}
