// What a route would have paid a moment ago: replays in the retained states of the last minute.

import type { Graph, Hop, Order, Snapshot } from '@braid-swap/core'
import { type PlannedHop, poolById, replay } from '@braid-swap/core/advanced'
import type { RecentStates } from '../market/recentStates.js'

const WATCHED_SECONDS = 60n

/** The quoted state and the retained ones of earlier blocks within a minute of it, the newest first. */
export function statesOfMinute(
  recentStates: Pick<RecentStates, 'states'>,
  quoted: Snapshot,
): readonly Graph[] {
  const { number, timestamp } = quoted.block
  return recentStates
    .states()
    .map(({ graph }) => graph)
    .filter(({ snapshot }) => {
      const { block } = snapshot
      if (block.number >= number) return snapshot === quoted
      return block.timestamp >= timestamp - WATCHED_SECONDS
    })
    .sort((a, b) => Number(b.snapshot.block.number - a.snapshot.block.number))
}

/** Replays the hops of a route at a state, in wei; `undefined` where a pool is gone or cannot take its part. */
export function outputAt(graph: Graph, route: readonly Hop[], order: Order): bigint | undefined {
  const hops: PlannedHop[] = []
  for (const { pool, direction, share } of route) {
    const own = poolById(graph, pool.id)
    if (!own) return undefined
    hops.push({ pool: own, direction, share })
  }
  return replay(hops, order)?.amountOut
}
