import type { Address, Snapshot } from '@braid-swap/core'
import type { TokenList } from '../tokens/tokenList.js'

/** The tokens that the operator's list marks as unsupported. */
export function refusedTokens(list: TokenList): ReadonlySet<Address> {
  const refused = [...list].filter(([, { unsupported }]) => unsupported !== undefined)
  return new Set(refused.map(([address]) => address))
}

/** A market without the pools of refused tokens, so that no route passes through them. */
export function withoutTokens(snapshot: Snapshot, refused: ReadonlySet<Address>): Snapshot {
  if (refused.size === 0) return snapshot
  const pools = snapshot.pools.filter(({ tokens }) => !tokens.some((token) => refused.has(token)))
  return { ...snapshot, pools }
}
