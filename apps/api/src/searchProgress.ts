import type { Market, SearchPart, SetAside, Venue } from '@braid-swap/chain'

/** How far the search for the venues' pools came. */
export type SearchProgress = {
  readonly isDone: boolean
  readonly venues: number
  /** Those searched to the end; a venue that does not answer is not, until the next start. */
  readonly venuesDone: number
  /** Of the chain's past; `undefined` before a search has begun. */
  readonly blocksSearched?: bigint
  readonly blocksLeft?: bigint
  /** At the pace since the start; `undefined` before there is one. */
  readonly msLeft?: number
  /** Pools known, of all venues. */
  readonly poolsFound: number
  /** Venues that did not answer, and pools that did not tell their tokens. */
  readonly setAside: readonly SetAside[]
}

/** What keeps count of a search. */
export type ProgressCount = {
  /** A search up to a block, that one included, begins or goes on. */
  readonly begin: (to: bigint) => void
  readonly add: (part: Pick<SearchPart, 'searched' | 'left' | 'setAside'>, found: number) => void
  /** There is nothing left to search. */
  readonly end: (found: number) => void
  /** The same, where a market was loaded with all of its past. */
  readonly skip: (market: Market) => void
  readonly read: () => SearchProgress
}

/** Counts what a search of these venues tells; `now` is in milliseconds. */
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
    skip: ({ snapshot, pools, setAside }) => {
      const unread = setAside.filter(({ code }) => code === 'VENUE_UNREADABLE')
      const blocksSearched = lengthOf(venues, snapshot.block.number + 1n)
      const venuesDone = venues.length - unread.length
      finish({ venuesDone, poolsFound: pools.length, blocksSearched })
    },
    read: () => progress,
  }
}

/** Blocks from the first that any venue may have a pool in. */
function lengthOf(venues: readonly Venue[], end: bigint): bigint {
  const firsts = venues.map(({ fromBlock = 0n }) => fromBlock)
  return end - firsts.reduce((least, block) => (block < least ? block : least), end)
}
