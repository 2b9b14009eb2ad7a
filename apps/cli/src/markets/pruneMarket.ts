// A smaller market. Input: a snapshot and which pools to keep. Output: a snapshot with these pools and
// their tokens. The pool that wraps the native token always stays, because without it nothing is quoted.

import {
  type Address,
  buildGraph,
  depthsOfPools,
  type Pool,
  pricesOfTokens,
  type Snapshot,
} from '@braid-swap/core'
import { UsageError } from '../errors.js'
import { resolveVenues } from './venueLists.js'

/** Which pools to keep; a field that is absent keeps all. */
export type Keep = {
  /** Pools with two of these tokens at least. */
  readonly tokens?: ReadonlySet<Address>
  readonly includeProtocols?: readonly string[]
  readonly excludeProtocols?: readonly string[]
  /** Least depth: `amount` wei of `token` as the output of the trade that moves the pool by 2 %. */
  readonly depth?: { readonly token: Address; readonly amount: bigint }
}

/** Keeps some pools of a market. Throws USAGE for an unknown venue, or a token without a price. */
export function pruneMarket(snapshot: Snapshot, keep: Keep): Snapshot {
  const { wrappedNative } = snapshot
  const isOfVenue = resolveVenues(snapshot, keep)
  const isDeep = keep.depth ? depthTest(snapshot, keep.depth) : () => true
  const isTraded = ({ tokens }: Pool) =>
    !keep.tokens || tokens.filter((token) => keep.tokens!.has(token)).length >= 2
  const pools = snapshot.pools.filter(
    (pool) =>
      pool.id === wrappedNative || (isOfVenue(pool.venue) && isTraded(pool) && isDeep(pool)),
  )
  const used = new Set<Address>(pools.flatMap(({ tokens }) => tokens))
  return { ...snapshot, pools, tokens: snapshot.tokens.filter(({ address }) => used.has(address)) }
}

function depthTest(snapshot: Snapshot, { token, amount }: NonNullable<Keep['depth']>) {
  const graph = buildGraph(snapshot)
  const price = pricesOfTokens(graph).get(token)
  if (price === undefined) {
    throw new UsageError('no pool connects the token of the depth with the native token', {
      got: token,
    })
  }
  const depths = depthsOfPools(graph)
  const least = Number(amount) * price
  return ({ id }: Pool) => (depths.get(id) ?? 0) >= least
}
