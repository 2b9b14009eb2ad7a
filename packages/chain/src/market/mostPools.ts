// Forgets pools beyond a number: a pool of a shared manager costs its maker a fiftieth of a cent, and each that is known
// costs time in every round.

import { type Address, buildGraph, type Hex, type Pool } from '@braid-swap/core'
import { advance, depthsOfPools } from '@braid-swap/core/advanced'
import type { SetAside } from '../pools/setAside.js'
import type { MarketState } from './market.js'
import { dropUnusedTokens } from './tradablePools.js'

/** Pools that are followed at most; a tenth more may be there before some are forgotten. */
const MOST = 30_000
/** Pools that a token of many has, and how many pools between such tokens are followed at most: each may be in a route. */
const [MANY, MOST_BETWEEN] = [64, 1_000]
/** Reasons for which a pool has nothing to lose; one that is aside for any other may be as deep as it was. */
const IDLE: ReadonlySet<SetAside['code']> = new Set(['POOL_EMPTY', 'POOL_NOT_INITIALISED'])

/**
 * The state with no more pools than are followed at most: without the oldest of those that have no liquidity, and then
 * those with the least depth; and of pools between tokens of many, without those with the least depth. A pool that was
 * forgotten is found again when it trades, if it has an address, or by the search of the next start.
 */
export function withMostPools(state: MarketState): MarketState {
  const { snapshot } = state
  const between = betweenTokensOfMany(snapshot.pools)
  const excess = state.pools.length - MOST
  const excessBetween = between.length - MOST_BETWEEN
  if (excess <= MOST / 10 && excessBetween <= MOST_BETWEEN / 10) return state
  const depths = depthsOfPools(buildGraph(snapshot))
  const depthOf = (id: Hex) => depths.get(id) ?? 0
  const known = new Set<Hex>(state.pools.map(({ id }) => id))
  const idle = state.setAside.flatMap(({ id, code }) => (IDLE.has(code) ? [id as Hex] : []))
  const thinFirst = (pools: readonly Pool[]) =>
    pools.map(({ id }) => id as Hex).toSorted((a, b) => depthOf(a) - depthOf(b))
  const forgotten = new Set([
    ...[...idle, ...thinFirst(snapshot.pools)]
      .filter((id) => known.has(id))
      .slice(0, Math.max(0, excess)),
    ...thinFirst(between).slice(0, Math.max(0, excessBetween)),
  ])
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

/** The pools all of whose tokens are in many pools. */
function betweenTokensOfMany(pools: readonly Pool[]): readonly Pool[] {
  const counts = new Map<Address, number>()
  for (const { tokens } of pools) {
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const isOfMany = (token: Address) => counts.get(token)! > MANY
  return pools.filter(({ family, tokens }) => family !== 'wrap' && tokens.every(isOfMany))
}
