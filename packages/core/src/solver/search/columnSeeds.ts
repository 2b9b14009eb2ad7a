/**
 * Seeds of the local search. Input: a problem and the support of its dual. Output: sets of columns to
 * search from, and the search. A local search ends at the first of many local optima. So where few legs or
 * little gas are allowed it starts from several sides: single paths, and where the dual needs more gas
 * than the cap, four times and twice the order, and looser caps (strategic oscillation).
 */
import { type Problem, problemOf } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import type { Request } from '../terms.js'
import {
  FEW_LEGS,
  GAS_ERROR,
  LEG_GAS,
  LOOSER,
  MAX_EVALUATED,
  MULTIPLES,
  SCARCITIES,
  TIGHTER,
} from '../tuning.js'
import { bestPathsOfParts, type PartPath } from './bestPaths.js'
import type { Columns, Known } from './columns.js'
import { type Limits, searchColumns } from './localSearch.js'
import { type Charges, prune, type Selection } from './prune.js'

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
}

/** A set of edges with its value, the parts of their curves that it may use, and what gas it may need. */
export type Support = Selection & {
  readonly cuts?: Columns['cuts']
  /** The cap on gas of a search from here, relative to the order's; 1 by default. */
  readonly looser?: number
}

/** Seeds in the order of their use, and the local search from one. */
export type Plan = {
  readonly seeds: Iterable<Support>
  readonly improve: (seed: Support) => Support | undefined
}

/** How far the search has come. */
export type Progress = {
  /** The support with the highest predicted value. */
  readonly top: () => Support | undefined
  /** Whether the best route is as good as proven. */
  readonly isClose: () => boolean
  /** Whether it pays clearly less than the best support promises. */
  readonly isShort: () => boolean
}

/** What the search over columns needs besides a problem. */
type Search = {
  readonly charges: Charges
  readonly shouldStop: () => boolean
  /** What limits a search for a problem's amount, and what earlier ones found. */
  readonly limitsOf: (problem: Problem) => Limits
  /** The best paths for a problem's amount and for parts of it. */
  readonly pathsOf: (problem: Problem) => readonly PartPath[]
}

/** A problem and the columns to start from. */
type Start = Relaxed & { readonly from: Support }

/** The plan over columns; `first` is the support of the dual, pruned. */
export function columnPlan(
  relaxed: Relaxed,
  first: Selection,
  charges: Charges,
  request: Request,
  progress: Progress,
): Plan {
  const scarcities = first.isGasBound ? SCARCITIES : []
  const pathsOf = byAmount((of) =>
    bestPathsOfParts(of, request.pathHops, request.terms, scarcities),
  )
  const all: Known[] = []
  const knownOf = byAmount(() => {
    const known: Known = new Map()
    all.push(known)
    return known
  })
  // Counts work and reads no clock, so that an answer depends on its snapshot alone.
  const evaluated = () => all.reduce((sum, { size }) => sum + size, 0)
  const shouldStop = () =>
    request.shouldStop() || (first.isGasBound && progress.isClose()) || evaluated() >= MAX_EVALUATED
  const limitsOf = (of: Problem) => ({
    charges,
    paths: first.isGasBound ? pathsOf(of) : [],
    known: knownOf(of),
  })
  const search = { charges, shouldStop, limitsOf, pathsOf }
  return {
    seeds: columnSeeds(relaxed, first, search, progress),
    improve: (from) => {
      relaxed.problem.u.set(relaxed.prices)
      return columnsFrom({ ...relaxed, from }, search, from.looser) ?? from
    },
  }
}

/** A function of a problem whose results are kept by the problem's amount. */
function byAmount<T>(compute: (of: Problem) => T): (of: Problem) => T {
  const kept = new Map<number, T>()
  return (of) => {
    const found = kept.get(of.amount) ?? compute(of)
    kept.set(of.amount, found)
    return found
  }
}

/**
 * Seeds until the search should stop. At last come the best columns at other caps, because predicted gas
 * is a mean: at a looser one, which may fit all the same, and at tighter ones as long as the chain's gas
 * makes a route give up what it promised.
 */
function* columnSeeds(
  relaxed: Relaxed,
  first: Selection,
  search: Search,
  { top, isShort }: Progress,
): Generator<Support> {
  for (const seed of seedsOf(relaxed, first, search, top)) {
    yield seed
    if (search.shouldStop()) break
  }
  const best = top()
  if (!best || !first.isGasBound) return
  yield { ...best, looser: GAS_ERROR }
  for (const looser of TIGHTER) {
    if (!isShort()) return
    yield { ...best, looser }
  }
}

function* seedsOf(
  relaxed: Relaxed,
  first: Selection,
  search: Search,
  top: () => Support | undefined,
): Generator<Support> {
  yield first
  const { isGasBound } = first
  for (const multiple of isGasBound ? MULTIPLES : []) {
    const columns = columnsOfMultiple(relaxed, multiple, search)
    if (columns) yield columns
  }
  // Pruning a wide split seldom gives the best narrow one.
  const { maxLegs, maxGas } = search.charges
  const isNarrow = maxLegs <= FEW_LEGS || maxGas <= FEW_LEGS * LEG_GAS
  if (!(isGasBound || isNarrow)) return
  for (const { edges, amounts, net } of search.pathsOf(relaxed.problem)) {
    if (amounts[0] === relaxed.problem.amount) yield { edges, value: net }
  }
  if (!isGasBound) return
  for (let from = top(); from; ) {
    for (const seed of looserThan({ ...relaxed, from }, search)) {
      yield seed
      if (top() !== from) break
    }
    from = top() === from ? undefined : top()
  }
}

/** Columns for a multiple of the order, loosened and fitted again. */
function columnsOfMultiple(
  { problem, prices }: Relaxed,
  multiple: number,
  search: Search,
): Columns | undefined {
  const other = problemOf({ ...problem, amount: problem.amount * multiple })
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
  // The paths in the limits are ranked at the prices in the problem: for the order those of the dual, for a
  // multiple those of its pruned support.
  const limits = limitsOf(problem)
  problem.u.set(prices)
  const charges = { ...limits.charges, maxGas: limits.charges.maxGas * ratio }
  return searchColumns(problem, prices, from, { ...limits, charges })
}
