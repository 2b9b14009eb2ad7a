import type { Graph } from '@braid-swap/core'
import type { Need } from '../need.js'
import type { Found, Search, SearchName } from '../search/searches.js'

/** Who asks: in whose turn and on whose account an answer is found, and who is told of it. */
export type Asker = {
  /** Whose part of the capacity is used: that of a key, or of the address of a caller without one. */
  readonly bucket: string
  /** Runs a search in the time that is left, and measures it in milliseconds. Throws its error. */
  readonly search: <N extends SearchName>(
    graph: Graph,
    search: Search<N>,
  ) => Promise<{ readonly value: Found<N>; readonly solveMs: number }>
  /** Charges for what the node is asked. Throws RATE_LIMITED. */
  readonly charge: (what: 'calls' | 'lookups' | 'simulations', count: number) => Promise<void>
  /** Hears the id of the quote and how it was found, also if what comes after them fails. */
  readonly tell: (known: { readonly quoteId?: string; readonly mode?: 'exact' | 'sum' }) => void
}

/** An asker whose searches share the time of one request. */
export function createAsker(
  { search, config, metrics }: Pick<Need, 'search' | 'config' | 'metrics'>,
  asking: Omit<Asker, 'search'> & {
    /** Names the searches in the metrics. */
    readonly endpoint: string
    /** False once nobody waits for the answer. */
    readonly isWanted: () => boolean
    /** Hears the time of all searches so far, in milliseconds, after each. */
    readonly spend: (allMs: number) => void
  },
): Asker {
  const { endpoint, isWanted, spend, bucket, charge, tell } = asking
  let allMs: number | undefined
  return {
    ...{ bucket, charge, tell },
    search: async (graph, asked) => {
      const limitMs = Math.max(0, config.maxRequestMs - (allMs ?? 0))
      const terms = { limitMs, key: bucket, isContinued: allMs !== undefined, isWanted }
      const outcome = await search(graph, asked, terms)
      allMs = (allMs ?? 0) + outcome.tookMs
      spend(allMs)
      if ('error' in outcome) throw outcome.error
      const solveMs = Math.round(outcome.tookMs * 100) / 100
      if (asked.name !== 'nearest') metrics.solveSeconds.observe({ endpoint }, solveMs / 1_000)
      return { value: outcome.value, solveMs }
    },
  }
}
