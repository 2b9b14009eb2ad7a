import type { Graph } from '@braid-swap/core'
import type { Found, Outcome, Search, SearchName } from './searches.js'

/** The terms on which a search runs. */
export type SearchTerms = {
  /** Time after which the search is refused, in milliseconds. */
  readonly limitMs: number
  /** Whose search it is: keys take turns. */
  readonly key: string
  /** True if its request has searched before: it goes before those of the key that have not begun. */
  readonly isContinued?: boolean
  /** False once nobody waits for the answer; asked before the search begins. */
  readonly isWanted: () => boolean
}

/** Runs searches. Rejects only if the answer is not wanted or the place of the search ended. */
export type Searcher = <N extends SearchName>(
  graph: Graph,
  search: Search<N>,
  terms: SearchTerms,
) => Promise<Outcome<Found<N>>>
