/**
 * Seeds for the search over columns. Input: a problem whose dual needs more gas than the cap. Output:
 * sets of columns to search from. A local search over columns ends at the first of many local optima,
 * so it starts from several sides: four times and twice the order, single paths, and looser caps
 * (strategic oscillation).
 */
import type { Problem } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import { LOOSER, MULTIPLES } from '../tuning.js'
import { type Columns, type Limits, searchColumns } from './cutAtTicks.js'
import { type Charges, prune, type Selection } from './prune.js'

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
}

/** A set of edges with its value, and the parts of their curves that it may use. */
export type Support = Selection & { readonly cuts?: Columns['cuts'] }

/** What the search over columns needs besides a problem. */
type Search = {
  readonly charges: Charges
  readonly shouldStop: () => boolean
  /** What limits a search for a problem's amount, and what earlier ones found. */
  readonly limitsOf: (problem: Problem) => Limits
}

/** A problem and the columns to start from. */
type Start = Relaxed & { readonly from: Support }

/**
 * Seeds in the order of their use; `best` are the best columns found from those before. `first` is the
 * support of the dual, pruned.
 */
export function* columnSeeds(
  relaxed: Relaxed,
  first: Selection,
  search: Search,
  best: () => Support | undefined,
): Generator<Support> {
  yield first
  for (const multiple of MULTIPLES) {
    const columns = search.shouldStop() ? undefined : columnsOfMultiple(relaxed, multiple, search)
    if (columns) yield columns
  }
  for (const { edges, amounts, net } of search.limitsOf(relaxed.problem).paths) {
    if (amounts[0] === relaxed.problem.amount) yield { edges, value: net }
  }
  for (let from = best(); from; ) {
    for (const seed of looserThan({ ...relaxed, from }, search)) {
      yield seed
      if (best() !== from) break
    }
    from = best() === from ? undefined : best()
  }
}

/** Columns for a multiple of the order, loosened and fitted again. */
function columnsOfMultiple(
  { problem, prices }: Relaxed,
  multiple: number,
  search: Search,
): Columns | undefined {
  const other = { ...problem, amount: problem.amount * multiple }
  uncutAll(other)
  other.u.set(prices)
  const first = prune(other, other.all, search.charges)
  const relaxed = { problem: other, prices }
  let columns = columnsFrom({ ...relaxed, from: first }, search)
  if (!columns) return undefined
  for (const from of looserThan({ ...relaxed, from: columns }, search)) {
    const refitted = columnsFrom({ ...relaxed, from }, search)
    if (refitted && refitted.value > columns.value) columns = refitted
  }
  return columns
}

/** Columns found at looser caps on gas. */
function* looserThan(start: Start, search: Search): Generator<Columns> {
  for (const ratio of LOOSER) {
    if (search.shouldStop()) return
    const loose = columnsFrom(start, search, ratio)
    if (loose) yield loose
  }
}

/** Columns from a start, at the cap on gas times `ratio`. */
function columnsFrom({ problem, prices, from }: Start, { limitsOf }: Search, ratio = 1) {
  const limits = limitsOf(problem)
  const charges = { ...limits.charges, maxGas: limits.charges.maxGas * ratio }
  problem.u.set(prices)
  return searchColumns(problem, prices, from, { ...limits, charges })
}
