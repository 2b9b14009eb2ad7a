/**
 * Columns: edges with the parts of their curves that they may use. Here are the optimum over some
 * columns, and the memo of a search: searches from different starts and at different caps meet the same
 * columns, two of three that they evaluate.
 */
import type { Problem } from '../network/problem.js'
import type { Cuts } from '../network/tickCuts.js'
import type { Move } from './columnMoves.js'

/** Edges with the parts of their curves that they may use, and their value net of gas. */
export type Columns = {
  readonly edges: Int32Array
  readonly cuts: Cuts
  readonly value: number
}

/** Columns at the optimum over them, with the prices and the gas of the flow recovered there. */
export type State = Columns & {
  readonly prices: Float64Array
  readonly gas: number
}

/** Results of earlier searches for one amount. */
export type Known = {
  /** The optimum over columns, by their key; `undefined` if no flow over them can be executed. */
  readonly states: Map<string, State | 'saturated' | undefined>
  /** The better state that a search goes on to from each, by the cap on gas; itself if none is found. */
  readonly nexts: Map<State, Map<number, State>>
  /** The moves from each state, which depend on it alone. */
  readonly additions: Map<State, readonly Move[]>
  readonly losses: Map<State, readonly Move[]>
}

/** Nothing known yet, for the first search for an amount. */
export const nothingKnown = (): Known => ({
  states: new Map(),
  nexts: new Map(),
  additions: new Map(),
  losses: new Map(),
})

/** The key of columns: edges and the number of their pieces in use, in any order. */
export function keyOf({ pieces }: Pick<Problem, 'pieces'>, edges: Int32Array): string {
  return Array.from(edges, (i) => `${i}:${pieces[i]!.price.length}`)
    .sort()
    .join(' ')
}
