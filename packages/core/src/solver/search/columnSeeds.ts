/**
 * Seeds for the search over columns. Input: a problem whose dual needs more gas than the cap. Output:
 * sets of columns to search from. A local search over columns ends at the first of many local optima,
 * so it starts from several sides: other amounts (continuation), single paths, and looser caps
 * (strategic oscillation).
 */
import type { Problem } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import type { Path } from './bestPaths.js'
import { type Columns, searchColumns } from './cutAtTicks.js'
import { type Charges, prune, type Selection } from './prune.js'

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
}

/** A set of edges with its value, and the parts of their curves that it may use. */
export type Support = Selection & { readonly cuts?: Columns['cuts'] }

// Parts and multiples of the order whose columns are found one after the other, each from those of the
// amount before. Parts help where the whole order drains its pools, multiples where it nearly does.
const PARTS = [1 / 8, 1 / 4, 1 / 2]
const MULTIPLES = [4, 2]
// Caps on gas, relative to the order's, from which columns are made to fit again. At a looser cap an
// edge can enter before the one that it replaces leaves.
const LOOSER = [1.05, 1.1, 1.2, 1.4]

/** What the search over columns needs besides a problem. */
type Search = {
  readonly charges: Charges
  readonly shouldStop: () => boolean
}

/**
 * Seeds in the order of their use; `best` are the best columns found from those before. `first` is the
 * support of the dual, pruned.
 */
export function* columnSeeds(
  relaxed: Relaxed,
  first: Selection,
  paths: readonly Path[],
  search: Search,
  best: () => Support | undefined,
): Generator<Support> {
  yield first
  const part = columnsAt(relaxed, PARTS, search)
  if (part) yield part
  const multiple = columnsAt(relaxed, MULTIPLES, search)
  if (multiple) yield multiple
  for (const { edges, net } of paths) yield { edges, value: net }
  for (let from = best(); from; ) {
    for (const seed of looserThan(relaxed, from, search)) {
      yield seed
      if (best() !== from) break
    }
    from = best() === from ? undefined : best()
  }
}

/** Columns for an amount other than the order's, through a series of amounts that leads there. */
function columnsAt(
  { problem, prices }: Relaxed,
  amounts: readonly number[],
  search: Search,
): Columns | undefined {
  let columns: Columns | undefined
  for (const part of amounts) {
    if (search.shouldStop()) break
    const other = { ...problem, amount: problem.amount * part }
    uncutAll(other)
    other.u.set(prices)
    const start = columns ?? prune(other, other.all, search.charges)
    const relaxed = { problem: other, prices }
    const found = columnsFrom(relaxed, start, search.charges)
    if (!found) continue
    columns = found
    for (const seed of part > 1 ? looserThan(relaxed, found, search) : []) {
      const refitted = columnsFrom(relaxed, seed, search.charges)
      if (refitted && refitted.value > columns.value) columns = refitted
    }
  }
  return columns
}

/** Columns found from `from` at looser caps on gas. */
function* looserThan(
  relaxed: Relaxed,
  from: Support,
  { charges, shouldStop }: Search,
): Generator<Columns> {
  for (const ratio of LOOSER) {
    if (shouldStop()) return
    const loose = columnsFrom(relaxed, from, { ...charges, maxGas: charges.maxGas * ratio })
    if (loose) yield loose
  }
}

function columnsFrom({ problem, prices }: Relaxed, from: Support, charges: Charges) {
  problem.u.set(prices)
  return searchColumns(problem, prices, from, charges, new Set())
}
