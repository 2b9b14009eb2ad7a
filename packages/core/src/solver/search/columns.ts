/**
 * Columns: edges with the parts of their curves that they may use. Input: a search, and edges with their
 * cuts in effect. Output: the optimum over them, and the moves from there: what to add and to give up, with
 * predicted gain and gas. Searches from different starts and at different caps meet the same columns, two of
 * three that they evaluate, so a search keeps them.
 */
import { removeDeadEnds, topologicalOrder } from '../../math/edgeSets.js'
import { resistance, selectedInverse } from '../../math/laplacian.js'
import { inputAtOf, limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import { priceUnusedTokens } from '../dual/clearingPrice.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt, gasOfSteps, inputSaving, stepsOf } from '../network/gas.js'
import { type Cuts, type Problem, setCuts } from '../network/problem.js'
import { significantFlow } from '../network/support.js'
import { recoverFlow } from '../primal/recoverFlow.js'
import type { Terms } from '../terms.js'
import { FLOAT_ROUNDING, MAX_MERGED, TICKS } from '../tuning.js'
import type { Path } from './bestPaths.js'

/**
 * Edges with their value net of the gas of the hops, in sink units, and the parts of their curves that they
 * may use: all by default.
 */
export type Columns = {
  readonly edges: Int32Array
  readonly value: number
  readonly cuts?: Cuts
}

/** Columns to use, each an edge and its number of pieces, 0 to drop it; with their gas and gain. */
export type Move = {
  readonly columns: readonly (readonly [edge: number, count: number])[]
  /** The most input, if the last piece is used in part. */
  readonly end?: number
  readonly gas: number
  readonly gain: number
}

/** Columns at the optimum over them, with the prices and the gas of the flow recovered there. */
export type State = Required<Columns> & {
  readonly prices: Float64Array
  readonly gas: number
  /** Where a search went on from here, null if nowhere; absent if none came here before. */
  next?: State | null
}

/** A search over the columns of a problem. */
export type Search = {
  readonly problem: Problem
  /** The prices at the minimum of the dual over all edges. */
  readonly prices: Float64Array
  readonly terms: Terms
  /** Paths for the order and for parts of it. */
  paths: readonly Path[]
  /** Columns evaluated, by key; `undefined` if no flow over them can be executed. */
  readonly known: Map<string, State | undefined>
  /** Columns that may still be evaluated, and what ends the search before. */
  budget: number
  readonly shouldStop: () => boolean
}

/**
 * The optimum over edges with the cuts in effect; `undefined` if no flow over them can be executed, or nothing is left
 * of the budget or the time. With a cycle, flow runs around it at the optimum: one in a hundred of these was executable.
 */
export function evaluate(search: Search, edges: Int32Array): State | undefined {
  const { problem, known } = search
  const connected = removeDeadEnds(problem, edges)
  const key = keyOf(problem, connected)
  if (known.has(key)) return known.get(key)
  if (connected.length === 0 || !topologicalOrder(problem, connected)) return undefined
  if (search.budget <= 0 || search.shouldStop()) return undefined
  search.budget--
  const state = optimumOver(search, connected)
  known.set(key, state)
  return state
}

function optimumOver({ problem, terms }: Search, edges: Int32Array): State | undefined {
  minimiseDual(problem, edges)
  const active = significantFlow(problem, edges)
  const recovered = active.length > 0 && recoverFlow(problem, active, terms.maxHops)
  if (!recovered) return undefined
  const { flow, amountOut } = recovered
  let gas = 0
  for (const i of active) if (flow[i]! > 0) gas += gasAt(problem, i, flow[i]!)
  const value = amountOut - terms.gasCost * gas
  const cuts = Array.from(active, (i) => problem.pieces[i]!)
  return { edges: active, cuts, prices: problem.u.slice(), value, gas }
}

/** Puts the columns of a state and its prices into the problem. */
export function restore(problem: Problem, { edges, cuts, prices }: State): void {
  setCuts(problem, edges, cuts)
  problem.u.set(prices)
}

/** The key of columns: edges, the number of their pieces in use, and where the last is cut, in any order. */
export function keyOf({ pieces, whole }: Pick<Problem, 'pieces' | 'whole'>, edges: Int32Array) {
  let key = ''
  for (const i of edges.toSorted()) {
    const { price, startIn } = pieces[i]!
    const end = startIn[price.length]
    key += `${i}:${price.length} `
    if (end !== whole[i]!.startIn[price.length]) key += `${end} `
  }
  return key
}

/** Moves by predicted gain per gas, the highest first. */
export function byDensity(moves: readonly Move[]): readonly Move[] {
  return moves.toSorted((a, b) => b.gain / b.gas - a.gain / a.gas)
}

/** Moves that add columns and are worth their gas, the highest gain per gas first. */
export function additions(
  { problem, prices, terms }: Pick<Search, 'problem' | 'prices' | 'terms'>,
  edges: Int32Array,
): readonly Move[] {
  const { from, to, all, x, surplus, pieces, whole } = problem
  const leadsTo = reachOf(problem, edges)
  const isUsed = new Uint8Array(all.length)
  for (const i of edges) isUsed[i] = 1
  const isPassed = priceUnusedTokens(problem, edges, prices)
  solveArbitrage(problem, all)
  const moves: Move[] = []
  for (const i of edges) {
    if (pieces[i] !== whole[i]) moves.push(...extensionsOf(problem, i, pieces[i]!.price.length))
  }
  // By token that is not yet passed.
  const [into, leaving] = [new Map<number, Move[]>(), new Map<number, Move[]>()]
  for (const i of all) {
    const [a, b] = [from[i]!, to[i]!]
    if (isUsed[i] || !(surplus[i]! > 0) || !(isPassed[a] || isPassed[b])) continue
    const count = pieceAt(whole[i]!, x[i]!) + 1
    const move = extensionMove(problem, i, 0, count)
    if (isPassed[a] && isPassed[b]) {
      if (!leadsTo(b, a)) moves.push(move)
    } else if (isPassed[a]) into.set(b, [...(into.get(b) ?? []), move])
    else leaving.set(a, [...(leaving.get(a) ?? []), move])
  }
  for (const [k, some] of into)
    moves.push(
      ...pairsOf(problem, some, leaving.get(k) ?? []).filter(
        ({ columns }) => !leadsTo(to[columns[1]![0]]!, from[columns[0]![0]]!),
      ),
    )
  return byDensity(moves.filter(({ gain, gas }) => gain > terms.gasCost * gas))
}

/** Returns a test that tells if the edges lead from one token to another. */
function reachOf(
  { from, to, tokens }: Problem,
  edges: Int32Array,
): (a: number, b: number) => boolean {
  const n = tokens.length
  const reach = new Uint8Array(n * n)
  for (let changed = true; changed; ) {
    changed = false
    for (const i of edges) {
      const [a, b] = [from[i]! * n, to[i]! * n]
      if (reach[a + to[i]!] === 0) {
        reach[a + to[i]!] = 1
        changed = true
      }
      for (let k = 0; k < n; k++)
        if (reach[b + k] === 1 && reach[a + k] === 0) {
          reach[a + k] = 1
          changed = true
        }
    }
  }
  return (a, b) => reach[a * n + b] === 1
}

/** Columns into a token and columns out of it, together. */
function pairsOf({ from, to }: Problem, into: readonly Move[], leaving: readonly Move[]) {
  const onward = byDensity(leaving).slice(0, MAX_MERGED)
  const pairs = byDensity(into)
    .slice(0, MAX_MERGED)
    .flatMap((one) => onward.map((other) => [one, other] as const))
  return pairs
    .filter(([one, other]) => to[other.columns[0]![0]] !== from[one.columns[0]![0]])
    .map(mergeMoves)
}

/** Several moves as one. */
export function mergeMoves(moves: readonly Move[]): Move {
  const columns: Move['columns'][number][] = []
  let [gas, gain] = [0, 0]
  for (const move of moves) {
    columns.push(...move.columns)
    gas += move.gas
    gain += move.gain
  }
  return { columns, gas, gain }
}

/** An edge with the rest of its last tick, if it is cut, and with one, two and four ticks more. */
function extensionsOf(problem: Problem, i: number, count: number): readonly Move[] {
  const rest = limitOf(problem.pieces[i]!) < problem.whole[i]!.startIn[count]! ? [0] : []
  return [...rest, ...TICKS].map((more) => extensionMove(problem, i, count, count + more))
}

/** An edge with `count` pieces instead of `before`, 0 if it is not used; for an input of x, at best by default. */
function extensionMove(
  problem: Problem,
  i: number,
  before: number,
  count: number,
  x?: number,
): Move {
  const { startIn, price } = problem.whole[i]!
  const most = startIn[Math.min(count, price.length)]!
  const [gas, gain] = [gasOfSteps(problem, i, count - 1), surplusTo(problem, i, most, x)]
  const columns = [[i, count]] as const
  if (before === 0) return { columns, gas, gain }
  const { graph, edges, pieces } = problem
  const more = gas - gasOfSteps(problem, i, before - 1) || (graph.intervals[edges[i]!]?.gas ?? 0)
  return { columns, gas: more, gain: gain - surplusTo(problem, i, limitOf(pieces[i]!)) }
}

/** Surplus of an edge for an input up to `most`, at the prices in the problem. */
function surplusTo(problem: Problem, i: number, most: number, given?: number): number {
  const { whole, ν, from, to } = problem
  const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
  const x = given ?? Math.min(inputAtOf(whole[i]!, νIn / νOut), most)
  return νOut * outOf(whole[i]!, x) - νIn * x
}

/**
 * Every way to give up one edge or its last ticks: the gas saved, and the loss as a negative gain. Also a part of the
 * last tick, if its intervals cost gas and that saves the `excess`. If that is infinite, as of legs, only edges count.
 */
export function removals(problem: Problem, edges: Int32Array, excess = 0): readonly Move[] {
  minimiseDual(problem, edges)
  const { x, pieces } = problem
  const gainsOf = gainsWithout(problem)
  const moves: Move[] = []
  for (const i of edges) {
    const [gas, gainsBeyond, { startIn }] = [gasAt(problem, i), gainsOf(i), pieces[i]!]
    const last = excess === Number.POSITIVE_INFINITY ? 0 : stepsOf(problem, i, x[i]!)
    for (let count = 0; count <= last; count++) {
      const kept = count > 0 ? gasAt(problem, i, startIn[count]! * (1 - FLOAT_ROUNDING)) : 0
      moves.push({ columns: [[i, count]], gas: gas - kept, gain: gainsBeyond(startIn[count]!) })
    }
    const end = excess > 0 ? inputSaving(problem, i, excess) : 0
    if (!(end > startIn[last]!)) continue
    const saved = gas - gasAt(problem, i, end)
    moves.push({ columns: [[i, last + 1]], end, gas: saved, gain: gainsBeyond(end) })
  }
  return moves
}

/**
 * The gain of giving up an edge beyond an input `from` at the last minimum, in sink units and below zero: at most what it
 * loses of the surplus, less what it costs to reroute the flow I there (in value) through the rest of the network.
 *
 *   gain ≈ −σ − ½·I²·R / (1 − c·R)
 *
 * R is the effective resistance between the edge's ends and c its conductance; R / (1 − c·R) is the
 * resistance without the edge.
 */
export function gainsWithout(problem: Problem) {
  const { from, to, ν, x, c, surplus, pieces, laplacian } = problem
  const inverse = selectedInverse(laplacian)
  return (i: number) => {
    const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
    // Next to pools a trillion times as deep, cancellation can make R negative.
    const R = Math.max(0, resistance(laplacian, inverse, from[i]!, to[i]!))
    const cost = (0.5 * R) / Math.max(1 - c[i]! * R, 1e-12)
    return (from: number) => {
      const flow = νIn * (x[i]! - from)
      const lost = νOut * outOf(pieces[i]!, from) - νIn * from - surplus[i]!
      return lost - cost * flow * flow
    }
  }
}
