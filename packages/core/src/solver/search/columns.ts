/**
 * Columns: edges with the parts of their curves that they may use. Input: a search, and edges with their
 * cuts in effect. Output: the optimum over them. Searches from different starts and at different caps meet
 * the same columns, two of three that they evaluate, so a search keeps them.
 */
import { balanceFlows } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import { findLongPath, removeDeadEnds, significantFlow } from '../network/support.js'
import { type Cuts, setCuts } from '../network/tickCuts.js'
import { recoverFlow } from '../primal/recoverFlow.js'
import type { Terms } from '../terms.js'
import type { Path } from './bestPaths.js'

/** Edges with their value net of gas, and the parts of their curves that they may use: all by default. */
export type Columns = {
  readonly edges: Int32Array
  readonly value: number
  readonly cuts?: Cuts
}

/** Columns to use, each an edge and its number of pieces, 0 to drop it; with their gas and gain. */
export type Move = {
  readonly columns: readonly (readonly [edge: number, count: number])[]
  readonly gas: number
  readonly gain: number
}

/** Columns at the optimum over them, with the prices and the gas of the flow recovered there. */
export type State = Required<Columns> & {
  readonly prices: Float64Array
  readonly gas: number
}

/** A search over the columns of a problem. */
export type Search = {
  readonly problem: Problem
  /** The prices at the minimum of the dual over all edges. */
  readonly prices: Float64Array
  readonly terms: Terms
  /** Paths for the order and for parts of it, where gas binds. */
  readonly paths: readonly Path[]
  /** Columns evaluated, by key; `undefined` if no flow over them can be executed. */
  readonly known: Map<string, State | undefined>
}

/** The optimum over edges with the cuts in effect; `undefined` if no flow over them can be executed. */
export function evaluate({ problem, terms, known }: Search, edges: Int32Array) {
  const connected = removeDeadEnds(problem, edges)
  const key = keyOf(problem, connected)
  if (!known.has(key)) known.set(key, optimumOver(problem, connected, terms))
  return known.get(key)
}

function optimumOver(
  problem: Problem,
  edges: Int32Array,
  { gasCost, maxHops }: Terms,
): State | undefined {
  if (edges.length === 0) return undefined
  balanceFlows(problem, edges)
  const active = significantFlow(problem, edges)
  if (active.length === 0 || findLongPath(problem, active, maxHops)) return undefined
  const recovered = recoverFlow(problem, active)
  if (!recovered || recovered.saturatedToken !== undefined) return undefined
  const { flow, amountOut } = recovered
  let gas = 0
  for (const i of active) if (flow[i]! > 0) gas += gasAt(problem, i, flow[i]!)
  const value = amountOut - gasCost * gas
  const cuts = Array.from(active, (i) => problem.pieces[i]!)
  return { edges: active, cuts, prices: problem.u.slice(), value, gas }
}

/** Puts the columns and the prices of a state into the problem. */
export function restore(problem: Problem, { edges, cuts, prices }: State): void {
  setCuts(problem, edges, cuts)
  problem.u.set(prices)
}

/** The key of columns: edges and the number of their pieces in use, in any order. */
export function keyOf({ pieces }: Pick<Problem, 'pieces'>, edges: Int32Array): string {
  return Array.from(edges, (i) => `${i}:${pieces[i]!.price.length}`)
    .sort()
    .join(' ')
}
