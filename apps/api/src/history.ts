import type { MarketState } from './market.js'
import { snapshotIdOf } from './quoteId.js'

/** States of the market that quotes were made of lately. */
export type History = {
  readonly remember: (state: MarketState) => void
  /** The newest state at that block, or the one of that id; `undefined` if it is not kept. */
  readonly find: (wanted: Wanted) => MarketState | undefined
  /** Numbers of the blocks that are kept, oldest first. */
  readonly blocks: () => readonly bigint[]
}

/** What names a state: both must fit where both are given. */
export type Wanted = {
  readonly block?: bigint | undefined
  readonly snapshotId?: string | undefined
}

/** About a minute of blocks; states share what did not move, so the older ones cost little. */
const KEPT = 64

/** Keeps the last 64 states that it is told. */
export function createHistory(): History {
  const states: MarketState[] = []
  return {
    remember: (state) => {
      const isKnown = states.some(({ graph }) => graph === state.graph)
      if (!isKnown) states.push(state)
      if (states.length > KEPT) states.shift()
    },
    find: ({ block, snapshotId }) =>
      states.findLast(({ graph: { snapshot } }) => {
        if (block !== undefined && snapshot.block.number !== block) return false
        return snapshotId === undefined || snapshotIdOf(snapshot) === snapshotId
      }),
    blocks: () => states.map(({ graph }) => graph.snapshot.block.number),
  }
}
