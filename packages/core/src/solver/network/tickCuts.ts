/**
 * Columns: edges whose curves end at a tick. Input: a problem and edges. Output: the problem with the
 * pieces of these edges cut, until restored. Each tick that a pool crosses costs gas, so where gas is
 * scarce a cut pool is a cheaper edge.
 */
import { firstPieces, type Pieces } from '../../math/pieces.js'
import type { Problem } from './problem.js'

/** The pieces in effect of some edges, in the order of the edges. */
export type Cuts = readonly Pieces[]

/** Lets edge `i` use its first `count` pieces only. */
export function cutTo({ pieces, whole }: Problem, i: number, count: number): void {
  pieces[i] = firstPieces(whole[i]!, count)
}

/** Lets every edge use its whole curve. */
export function uncutAll({ pieces, whole }: Problem): void {
  for (let i = 0; i < pieces.length; i++) pieces[i] = whole[i]!
}

/** Puts cuts of some edges into effect; all other edges, and these if none are given, use their whole curves. */
export function setCuts(problem: Problem, edges: Int32Array, cuts?: Cuts): void {
  uncutAll(problem)
  if (cuts) for (let s = 0; s < edges.length; s++) problem.pieces[edges[s]!] = cuts[s]!
}
