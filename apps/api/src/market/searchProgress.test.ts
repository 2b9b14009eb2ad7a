import type { SetAside, Venue } from '@braid-swap/chain'
import { expect, it } from 'vitest'
import { countProgress } from './searchProgress.js'

const venue = (id: string, fromBlock: bigint): Venue => ({
  ...{ id, family: 'uniswapV3', factory: '0x00000000000000000000000000000000000000fa', fromBlock },
})
const venues = [venue('old', 1_000n), venue('new', 5_000n), venue('dead', 1_000n)]
const dead: SetAside = {
  ...{ id: venues[2]!.factory, venue: 'dead', code: 'VENUE_UNREADABLE', message: 'no' },
}

it('reports blocks, venues, pools and the time left at the average pace', () => {
  let nowMs = 0
  const progress = countProgress(venues, () => nowMs)
  expect(progress.read()).toEqual({
    ...{ isDone: false, venues: 3, venuesDone: 0, poolsFound: 0, setAside: [] },
  })
  progress.begin(8_999n)
  const first = { searched: { old: 2_000n, new: 5_000n }, left: 7_000n, setAside: [dead] }
  progress.add(first, 10)
  // The time of the first part is not known: it began with what a search before left.
  expect(progress.read()).toEqual({
    ...{ isDone: false, venues: 3, venuesDone: 0, poolsFound: 10, setAside: [dead] },
    ...{ blocksSearched: 1_000n, blocksLeft: 7_000n },
  })
  nowMs = 3_000
  progress.add({ searched: { old: 8_000n, new: 9_000n }, left: 1_000n, setAside: [] }, 12)
  expect(progress.read()).toEqual({
    ...{ isDone: false, venues: 3, venuesDone: 1, poolsFound: 12, setAside: [dead] },
    // 6,000 blocks took 3 s, so 1,000 take half of one.
    ...{ blocksSearched: 7_000n, blocksLeft: 1_000n, msLeft: 500 },
  })
  progress.add({ searched: { old: 9_000n, new: 9_000n }, left: 0n, setAside: [] }, 12)
  progress.end(13)
  expect(progress.read()).toEqual({
    // The venue that did not answer is not done.
    ...{ isDone: true, venues: 3, venuesDone: 2, poolsFound: 13, setAside: [dead] },
    ...{ blocksSearched: 8_000n, blocksLeft: 0n, msLeft: 0 },
  })
})
