import type { Address } from '@braid-swap/core'
import type { AppConfig } from '../context.js'

/**
 * The tokens that a route may pass between its ends: those of the operator's list, the wrapped native
 * token, those that count as a dollar, and those of the setting. `undefined` if the setting opens it to
 * all. Anybody can make a token, price a pool of it better than the market, and pause it; as an end of an
 * order it harms only who asked for it.
 */
export function intermediatesOf({
  intermediates,
  tokenList,
  wrappedNative,
  usdTokens,
}: Pick<AppConfig, 'intermediates' | 'tokenList' | 'wrappedNative' | 'usdTokens'>):
  | ReadonlySet<Address>
  | undefined {
  if (intermediates === 'all') return undefined
  return new Set([wrappedNative, ...usdTokens, ...tokenList.keys(), ...intermediates])
}
