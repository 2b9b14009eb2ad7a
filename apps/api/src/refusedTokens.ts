import type { Address, Snapshot } from '@braid-swap/core'
import type { TokenList } from './tokenList.js'

/** The tokens that the operator's list says not to trade. */
export function refusedTokens(list: TokenList): ReadonlySet<Address> {
  const refused = [...list].filter(([, { unsupported }]) => unsupported !== undefined)
  return new Set(refused.map(([address]) => address))
}

/** A market without the pools of refused tokens: nobody's route passes through them either. */
export function withoutTokens(snapshot: Snapshot, refused: ReadonlySet<Address>): Snapshot {
  if (refused.size === 0) return snapshot
  const pools = snapshot.pools.filter(({ tokens }) => !tokens.some((token) => refused.has(token)))
  return { ...snapshot, pools }
}
