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
  /** What a search has computed from here, for the next ones. */
  readonly known: {
    /** The moves, which depend on the state alone. */
    additions?: readonly Move[]
    losses?: readonly Move[]
    /** The better state that a search goes on to, by the cap on gas; itself if none is found. */
    readonly nexts: Map<number, State>
  }
}

/** Results of earlier searches for one amount: by key, and `undefined` if no flow can be executed. */
export type Known = Map<string, State | 'saturated' | undefined>

/** The key of columns: edges and the number of their pieces in use, in any order. */
export function keyOf({ pieces }: Pick<Problem, 'pieces'>, edges: Int32Array): string {
  return Array.from(edges, (i) => `${i}:${pieces[i]!.price.length}`)
    .sort()
    .join(' ')
}
