import type { Market, SearchPart, SetAside, Venue } from '@braid-swap/chain'

/** Progress of the search for the venues' pools. */
export type SearchProgress = {
  readonly isDone: boolean
  readonly venues: number
  /** Venues searched completely. A venue that does not answer stays incomplete until the next start. */
  readonly venuesDone: number
  /** Blocks of the chain's history; `undefined` before a search has begun. */
  readonly blocksSearched?: bigint
  readonly blocksLeft?: bigint
  /** Time left at the average pace since the start; `undefined` before the first progress. */
  readonly msLeft?: number
  /** Pools found in all venues. */
  readonly poolsFound: number
  /** Venues that did not answer, and pools that did not report their tokens. */
  readonly setAside: readonly SetAside[]
}

/** Counts the progress of a search. */
export type ProgressCount = {
  /** A search up to a block, inclusive, begins or resumes. */
  readonly begin: (to: bigint) => void
  readonly add: (part: Pick<SearchPart, 'searched' | 'left' | 'setAside'>, found: number) => void
  /** The search is complete. */
  readonly end: (found: number) => void
  /** No search is needed, because a market was loaded with its whole history. */
  readonly skip: (market: Market) => void
  readonly read: () => SearchProgress
}

/** Counts the progress of a search of these venues. `now` is in milliseconds. */
export function countProgress(
  venues: readonly Venue[],
  now: () => number = () => performance.now(),
): ProgressCount {
  const aside = new Map<string, SetAside>()
  let began: { readonly end: bigint; readonly atMs: number; left?: bigint } | undefined
  let progress: SearchProgress = {
    ...{ isDone: false, venues: venues.length, venuesDone: 0, poolsFound: 0, setAside: [] },
  }
  const finish = (change: Partial<SearchProgress>) => {
    progress = { ...progress, ...change, isDone: true, blocksLeft: 0n, msLeft: 0 }
  }
  return {
    begin: (to) => {
      began = { end: to + 1n, atMs: now() }
    },
    add: ({ searched, left, setAside }, found) => {
      if (!began) return
      const { end, atMs } = began
      began.left ??= left
      for (const one of setAside) aside.set(one.id, one)
      const gone = began.left - left
      progress = {
        ...{ isDone: false, poolsFound: found, setAside: [...aside.values()] },
        venues: venues.length,
        venuesDone: Object.values(searched).filter((next) => next >= end).length,
        ...{ blocksSearched: lengthOf(venues, end) - left, blocksLeft: left },
        ...(gone > 0n && { msLeft: ((now() - atMs) / Number(gone)) * Number(left) }),
      }
    },
    end: (poolsFound) => finish({ poolsFound }),
    skip: ({ state: { snapshot, pools, setAside } }) => {
      const unread = setAside.filter(({ code }) => code === 'VENUE_UNREADABLE')
      const blocksSearched = lengthOf(venues, snapshot.block.number + 1n)
      const venuesDone = venues.length - unread.length
      finish({ venuesDone, poolsFound: pools.length, blocksSearched })
    },
    read: () => progress,
  }
}

/** Number of blocks from the first block in which a venue may have a pool. */
function lengthOf(venues: readonly Venue[], end: bigint): bigint {
  const firsts = venues.map(({ fromBlock = 0n }) => fromBlock)
  return end - firsts.reduce((least, block) => (block < least ? block : least), end)
}
