import { type Address, NATIVE, type Snapshot } from '@braid-swap/core'

const known = new WeakMap<Snapshot, ReadonlyMap<Address, number>>()

/** Decimals of a token of the market; `undefined` if no pool has the token. */
export function decimalsOf(snapshot: Snapshot, address: Address): number | undefined {
  const decimals =
    known.get(snapshot) ??
    new Map(snapshot.tokens.map((token) => [token.address, token.decimals] as const))
  known.set(snapshot, decimals)
  // Both have 18 decimals by definition, and exist in a market without pools too.
  if (address === NATIVE || address === snapshot.wrappedNative) return 18
  return decimals.get(address)
}
