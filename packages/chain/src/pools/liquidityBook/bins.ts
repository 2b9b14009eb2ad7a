// Reads the bins of a Liquidity Book pair.

import type { Address, Hex } from '@braid-swap/core'
import type { Bin } from '@braid-swap/core/families'
import { callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { MAX_UINT128 } from '../concentrated.js'
import { inRange, LoadError } from '../loadError.js'
import type { Load } from '../loader.js'
import { BIN, NEXT_BIN } from './abi.js'

/** The largest id; the pair's search returns it for none above, and 0 for none below. */
export const MAX_ID = (1 << 24) - 1

/** Bins read at once on each side; each further round reads twice as many, up to the largest number. */
const FIRST_WINDOW = 32
const LARGEST_WINDOW = 1024
/** Most rounds. Bins are usually neighbours; a gap between them costs a round. */
const MAX_ROUNDS = 64

/**
 * All bins of the pair that have a reserve, ascending: windows of neighbours from the active bin
 * outwards, each followed by the pair's search for the next bin beyond it.
 */
export function* loadBins(pair: Address, activeId: number): Load<readonly Bin[]> {
  const bins = new Map<number, Bin>()
  // The next id to read downwards and upwards; undefined at the end.
  let [down, up]: [number | undefined, number | undefined] = [activeId, activeId + 1]
  let size = FIRST_WINDOW
  for (let round = 0; down !== undefined || up !== undefined; round++) {
    if (round === MAX_ROUNDS) throw scattered(pair)
    const below = windowOf(down, -size)
    const above = windowOf(up, size)
    const ids = [...below, ...above]
    const ends = [below.at(-1), above.at(-1)]
    const searches = ends.flatMap((end, k): Call[] =>
      end === undefined ? [] : [{ to: pair, data: callData(NEXT_BIN, k === 0 ? 1 : 0, end) }],
    )
    const answers = yield [...ids.map((id) => ({ to: pair, data: callData(BIN, id) })), ...searches]
    for (const [k, id] of ids.entries()) {
      const bin = binOf(pair, id, answers[k]!)
      if (bin) bins.set(id, bin)
    }
    const found = answers.slice(ids.length).map((data) => Number(wordAt(data, 0)))
    down = ends[0] === undefined ? undefined : nextOf(pair, found.shift()!, { below: ends[0] })
    up = ends[1] === undefined ? undefined : nextOf(pair, found.shift()!, { above: ends[1] })
    size = Math.min(size * 2, LARGEST_WINDOW)
  }
  return [...bins.values()].sort((a, b) => a.id - b.id)
}

/** The ids from `start`, `size` of them in the direction of its sign. */
function windowOf(start: number | undefined, size: number): readonly number[] {
  if (start === undefined) return []
  const ids = Array.from({ length: Math.abs(size) }, (_, k) => start + k * Math.sign(size))
  return ids.filter((id) => id > 0 && id < MAX_ID)
}

function binOf(pool: Address, id: number, answer: Hex): Bin | undefined {
  const [x, y] = [0, 1].map((k) =>
    inRange(wordAt(answer, k), { pool, field: `bin ${id}`, min: 0n, max: MAX_UINT128 }),
  )
  return x === 0n && y === 0n ? undefined : { id, reserves: [x!, y!] }
}

/** Checks that the bins found beyond a window lead outwards. */
function nextOf(
  pair: Address,
  found: number,
  end: { readonly below?: number; readonly above?: number },
): number | undefined {
  if (found === 0 || found === MAX_ID) return undefined
  const isBeyond = end.below === undefined ? found > end.above! : found < end.below
  if (isBeyond) return found
  throw new LoadError('POOL_FORM_UNKNOWN', `pair ${pair} finds bin ${found} in the wrong order`, {
    ...{ pool: pair, got: `${found}`, wanted: JSON.stringify(end) },
  })
}

function scattered(pair: Address): LoadError {
  const wanted = `at most ${MAX_ROUNDS}`
  return new LoadError('POOL_FORM_UNKNOWN', `the bins of pair ${pair} have too many gaps`, {
    ...{ pool: pair, got: `${MAX_ROUNDS + 1} rounds of reads`, wanted },
  })
}
