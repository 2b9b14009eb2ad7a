import type { ChainRecord } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import type { TokenList } from './tokenList.js'

/**
 * The tokens whose code the operator trusts: those of the list, the wrapped native token and the hubs of the chain,
 * those that count as a dollar, and those of the setting. Unless the operator opens it to all, a route passes only
 * these between its ends: anybody can make a token, price a pool of it better than the market, and pause it; as an
 * end of an order it harms only who asked for it.
 */
export function trustedTokens({
  intermediates,
  tokenList,
  wrappedNative,
  usdTokens,
  chain,
}: {
  readonly intermediates: readonly Address[] | 'all'
  readonly tokenList: TokenList
  readonly wrappedNative: Address
  readonly usdTokens: readonly Address[]
  readonly chain: Pick<ChainRecord, 'hubs'>
}): ReadonlySet<Address> {
  const added = intermediates === 'all' ? [] : intermediates
  return new Set([wrappedNative, ...usdTokens, ...chain.hubs, ...tokenList.keys(), ...added])
}
