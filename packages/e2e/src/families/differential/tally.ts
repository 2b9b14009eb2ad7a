import type { Direction, Pool } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'

/** A swap in which core and bytecode disagree, with the data to repeat it. */
export type Mismatch = {
  readonly what: string
  readonly core: unknown
  readonly chain: unknown
  readonly swap: Swap
}

/** One exact input through one pool. */
export type Swap = {
  readonly pool: Pool
  readonly direction: Direction
  readonly amountIn: bigint
}

/** Counts of swaps by result. */
export type Tally = {
  readonly counts: Map<string, number>
  readonly mismatches: Mismatch[]
}

/** An empty tally. */
export function createTally(): Tally {
  return { counts: new Map(), mismatches: [] }
}

/** Counts one swap with this result. */
export function count(tally: Tally, outcome: string): void {
  tally.counts.set(outcome, (tally.counts.get(outcome) ?? 0) + 1)
}

/** Compares two values as JSON, and records and returns the result. */
export function compare(
  tally: Tally,
  swap: Swap,
  { what, core, chain }: { readonly what: string; readonly core: unknown; readonly chain: unknown },
): boolean {
  const isEqual = stringify(core) === stringify(chain)
  if (!isEqual) tally.mismatches.push({ what, core, chain, swap })
  return isEqual
}

/** The counts in one line, and the first mismatches with the data to repeat them. */
export function describeTally(title: string, { counts, mismatches }: Tally): string {
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, n]) => `${n} ${key}`)
  const faults = mismatches.slice(0, 3).map((mismatch) => stringify(mismatch))
  return [`${title}: ${rows.join(', ')}; ${mismatches.length} mismatches`, ...faults].join('\n')
}

const AT_ONCE = 50
const MAX_TRIES_PER_PAID = 5

/** Checks swaps concurrently until this many were paid; fails if far too many are refused. */
export async function untilPaid(
  { counts }: Tally,
  wanted: number,
  check: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; (counts.get('paid to the wei') ?? 0) < wanted; tries += AT_ONCE) {
    if (tries > wanted * MAX_TRIES_PER_PAID) throw new Error(`too few paid of ${tries} swaps`)
    await Promise.all(Array.from({ length: AT_ONCE }, check))
  }
}
