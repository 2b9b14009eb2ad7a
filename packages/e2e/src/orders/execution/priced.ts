import { hyperEvm } from '@braid-swap/chain'
import type { Devnet, PricedToken } from '@braid-swap/devnet'

/** The tokens of symbols with slashes between them, in this order; WHYPE is the wrapped token of any chain. */
export function tokensOf({ tokens, record }: Pick<Devnet, 'tokens' | 'record'>, symbols: string) {
  const known = symbols.split('/').map((symbol) => {
    const own = symbol === hyperEvm.wrapped.symbol ? record.wrapped.symbol : symbol
    return tokens.find((one) => one.symbol === own)!
  })
  return known as [PricedToken, PricedToken, ...PricedToken[]]
}

/** Wei worth thousands of US dollars at the market's initial price. */
export function weiOf(
  { decimals, usdPrice }: Pick<PricedToken, 'decimals' | 'usdPrice'>,
  kUsd: number,
): bigint {
  return (BigInt(Math.round((kUsd * 1e9) / usdPrice)) * 10n ** BigInt(decimals)) / 1_000_000n
}
