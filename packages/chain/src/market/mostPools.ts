// Forgets pools beyond a number: a pool of a shared manager costs its maker a fiftieth of a cent, and each that is known
// costs time in every round.

import { buildGraph, type Hex } from '@braid-swap/core'
import { advance, depthsOfPools } from '@braid-swap/core/advanced'
import type { SetAside } from '../pools/setAside.js'
import type { MarketState } from './market.js'
import { dropUnusedTokens } from './tradablePools.js'

/** Pools that are followed at most, and how many more there may be before some are forgotten. */
const [MOST, SPARE] = [30_000, 3_000]
/** Reasons for which a pool has nothing to lose; one that is aside for any other may be as deep as it was. */
const IDLE: ReadonlySet<SetAside['code']> = new Set(['POOL_EMPTY', 'POOL_NOT_INITIALISED'])

/**
 * The state with no more pools than are followed at most: without the oldest of those that have no liquidity, and then
 * those with the least depth. A pool that was forgotten is found again when it trades, if it has an address, or by
 * the search of the next start.
 */
export function withMostPools(state: MarketState): MarketState {
  const excess = state.pools.length - MOST
  if (excess <= SPARE) return state
  const { snapshot } = state
  const depths = depthsOfPools(buildGraph(snapshot))
  const depthOf = (id: Hex) => depths.get(id) ?? 0
  const known = new Set<Hex>(state.pools.map(({ id }) => id))
  const idle = state.setAside.flatMap(({ id, code }) => (IDLE.has(code) ? [id as Hex] : []))
  const live = snapshot.pools.map(({ id }) => id as Hex).toSorted((a, b) => depthOf(a) - depthOf(b))
  const forgotten = new Set([...idle, ...live].filter((id) => known.has(id)).slice(0, excess))
  const isKept = ({ id }: { readonly id: Hex }) => !forgotten.has(id)
  const removed = snapshot.pools.filter((pool) => !isKept(pool)).map(({ id }) => id)
  const change = { block: snapshot.block, pools: [], removed, tokens: [] }
  return {
    ...state,
    pools: state.pools.filter(isKept),
    setAside: state.setAside.filter(isKept),
    snapshot: removed.length > 0 ? dropUnusedTokens(advance(snapshot, change)) : snapshot,
  }
}
