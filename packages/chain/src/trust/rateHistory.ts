// What somebody may move of each pool, over the kept blocks: a rate or a fee that steps without a swap can take the
// whole slippage of an order between its quote and its fill.

import type { Hex, Pool } from '@braid-swap/core'
import { type Movable, movableOf } from '@braid-swap/core/families'

/** Blocks over which rates are held against each other; a pool that stepped is back after as many. */
export const KEPT_BLOCKS = 64n

/** How far a rate or fee may move within the kept blocks: this multiple of the pool's fee. */
const MOST_OF_FEE = 2
/** The least and the largest of these limits, in parts per million: a staking reward, and what an order may lose. */
const [LEAST_PPM, MOST_PPM] = [100, 500]

/** A pool's rates and fee from a block on. */
export type Entry = Pick<Movable, 'rates' | 'feePpm'> & { readonly since: bigint }

/** The rates and fees of pools over the kept blocks, each change once, the newest last. */
export type RateHistory = ReadonlyMap<Hex, readonly Entry[]>

/** The history with the rates and fees of pools that were read or changed at a block. */
export function withRates(
  before: RateHistory | undefined,
  pools: readonly Pool[],
  block: bigint,
): RateHistory {
  const after = new Map(before)
  for (const pool of pools) {
    const { rates, feePpm, isMarketPrice } = movableOf(pool)
    if (isMarketPrice || (rates.length === 0 && feePpm === 0)) continue
    const known = after.get(pool.id) ?? []
    const newest = known.at(-1)
    const isSame = newest?.feePpm === feePpm && newest.rates.join() === rates.join()
    const all = isSame ? known : [...known, { rates, feePpm, since: block }]
    // The last one before the kept blocks was valid in the first of them.
    const first = all.findLastIndex(({ since }) => since <= block - KEPT_BLOCKS)
    after.set(pool.id, first > 0 ? all.slice(first) : all)
  }
  return after
}

/**
 * How far a pool's rates and fee moved within the kept blocks, if that is too far; in parts per million. A donation is
 * no move, because it cannot be taken back: what is lost of a share's worth counts, and not what is gained.
 */
export function stepOf(pool: Pool, history: RateHistory): number | undefined {
  const known = history.get(pool.id) ?? []
  const newest = known.at(-1)
  if (!newest || known.length < 2) return undefined
  const entries = known.filter(({ rates }) => rates.length === newest.rates.length)
  const moveOf = movableOf(pool).isDonatable ? riseOf : rangeOf
  const rates = newest.rates.map((_, k) => moveOf(entries.map((one) => Number(one.rates[k]!))))
  const left = rangeOf(entries.map(({ feePpm }) => 1e6 - feePpm))
  const fee = Math.min(...entries.map(({ feePpm }) => feePpm))
  const most = Math.min(MOST_PPM, Math.max(LEAST_PPM, fee * MOST_OF_FEE))
  const step = Math.max(left, ...rates)
  return step > most ? step : undefined
}

/** The distance from the least to the greatest, in parts per million. */
function rangeOf(values: readonly number[]): number {
  const least = Math.min(...values)
  return least > 0 ? (Math.max(...values) / least - 1) * 1e6 : Number.POSITIVE_INFINITY
}

/** The greatest rise from a value to a later one, in parts per million. */
function riseOf(values: readonly number[]): number {
  return Math.max(
    ...values.map((_, i) => rangeOf([Math.min(...values.slice(0, i + 1)), values[i]!])),
  )
}
