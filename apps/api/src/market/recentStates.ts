import { snapshotIdOf } from '../wire/quoteId.js'
import type { MarketState } from './liveMarket.js'

/** Market states of recent blocks, and others that recent quotes were computed from. */
export type RecentStates = {
  readonly remember: (state: MarketState) => void
  /** The newest state at that block, or the state with that id; `undefined` if not retained. */
  readonly find: (wanted: StateRef) => MarketState | undefined
  /** The retained states, oldest first. */
  readonly states: () => readonly MarketState[]
  /** Block numbers of the retained states, oldest first. */
  readonly blocks: () => readonly bigint[]
}

/** Identifies a state. If both fields are given, both must match. */
export type StateRef = {
  readonly block?: bigint | undefined
  readonly snapshotId?: string | undefined
}

/** About a minute of blocks. States share unchanged pools, so old ones need little memory. */
const KEPT = 64

/** Retains the last 64 remembered states. */
export function createRecentStates(): RecentStates {
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
    states: () => states,
    blocks: () => states.map(({ graph }) => graph.snapshot.block.number),
  }
}
