/**
 * Local search over columns. Input: edges to start from. Output: columns within the caps on gas and legs,
 * with the highest value found. A move adds edges or ticks. If a cap is then exceeded, another edge or its
 * last ticks are given up for it. Greedy elimination alone cannot reach such supports.
 */
import { limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { minimiseDual, restoreBalance } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import { findLongPath, removeDeadEnds, significantFlow } from '../network/support.js'
import { type Cuts, cutsOf, cutTo, setCuts } from '../network/tickCuts.js'
import { recoverFlow } from '../primal/recoverFlow.js'
import {
  BELOW,
  FEW_LEGS,
  LEAST_COLUMN_GAIN,
  MAX_EXCHANGES,
  MAX_MOVES_MADE,
  MAX_MOVES_TOGETHER,
  MAX_MOVES_TRIED,
  MAX_MOVES_WHEN_FULL,
  MAX_RELIEFS,
  PRICE_TOLERANCE,
  ROOMY,
} from '../tuning.js'
import type { PartPath } from './bestPaths.js'
import { additions, byDensity, type Move } from './columnMoves.js'
import { type Columns, type Known, keyOf, type State } from './columns.js'
import type { Charges } from './prune.js'
import { reroutingCosts } from './reroutingCost.js'

/** Edges to start from, and the parts of their curves that they may use: by default all. */
type Start = { readonly edges: Int32Array; readonly cuts?: Cuts }

/** What limits the columns, paths for the order and for parts of it, and what was computed before. */
export type Limits = {
  readonly charges: Charges
  readonly paths: readonly PartPath[]
  readonly known: Known
}

/**
 * The best columns found by moves that fit, from `start`, or `undefined` if none is executable within
 * the cap. `dualPrices` are the optimal prices over all edges. Leaves the problem at the columns' optimum,
 * with their cuts in effect.
 */
export function searchColumns(
  problem: Problem,
  dualPrices: Float64Array,
  start: Start,
  limits: Limits,
): Columns | undefined {
  let best = placed(problem, start, limits)
  for (let round = 0; best && round < MAX_MOVES_MADE; round++) {
    const next = nextOf(problem, dualPrices, best, limits)
    if (next === best) break
    best = next
  }
  if (best) restore(problem, best)
  return best
}

function nextOf(problem: Problem, dualPrices: Float64Array, best: State, limits: Limits): State {
  const { nexts } = best.known
  const { maxGas } = limits.charges
  const next = nexts.get(maxGas) ?? improve(problem, dualPrices, best, limits) ?? best
  nexts.set(maxGas, next)
  return next
}

/**
 * The columns of a start that fit the caps. If they cannot place the whole amount, the best of them with a
 * path that can: an order that drains its pools is a smaller order and a path for the rest.
 */
function placed(problem: Problem, start: Start, limits: Limits): State | undefined {
  const { charges, paths } = limits
  const cuts = start.cuts ?? Array.from(start.edges, (i) => problem.whole[i]!)
  const prices = problem.u.slice()
  const stateWith = (path: Int32Array): State | undefined => {
    problem.u.set(prices)
    setCuts(problem, start.edges, cuts)
    for (const i of path) problem.pieces[i] = problem.whole[i]!
    const edges = Int32Array.from(new Set([...start.edges, ...path]))
    const first = evaluate(problem, edges, limits, MAX_RELIEFS)
    return first && !fits(first, charges) ? exchange(problem, first, limits, 0, MAX_RELIEFS) : first
  }
  let best = stateWith(new Int32Array(0))
  if (best) return best
  for (const { edges, amounts } of paths) {
    const state = amounts[0] === problem.amount ? stateWith(edges) : undefined
    if (state && !(best && best.value >= state.value)) best = state
  }
  return best
}

/**
 * The optimum over edges with the cuts in effect, computed or known; `undefined` if no flow over them can
 * be executed. If a token cannot pass on its inflow, an edge is added for it, at most `reliefs` times. A
 * start needs that; a move that needs it is no improvement.
 */
function evaluate(
  problem: Problem,
  edges: Int32Array,
  limits: Limits,
  reliefs = 0,
): State | undefined {
  const states = limits.known
  const connected = removeDeadEnds(problem, edges)
  const key = keyOf(problem, connected)
  const known = states.get(key)
  if (known !== 'saturated' && states.has(key)) return known
  if (known === 'saturated' && reliefs === 0) return undefined
  const found = optimumOver(problem, connected, limits.charges)
  const isRelieved = found !== undefined && 'saturated' in found
  states.set(key, isRelieved ? 'saturated' : found)
  if (!isRelieved) return found
  const relieved = reliefs > 0 ? relieve(problem, found.edges, found.saturated) : undefined
  return relieved && evaluate(problem, relieved, limits, reliefs - 1)
}

/** The optimum over connected edges, from the prices in the problem; or the token that cannot pass on. */
function optimumOver(
  problem: Problem,
  connected: Int32Array,
  charges: Charges,
): State | { readonly edges: Int32Array; readonly saturated: number } | undefined {
  if (connected.length === 0) return undefined
  minimiseDual(problem, connected, PRICE_TOLERANCE)
  restoreBalance(problem, connected, PRICE_TOLERANCE)
  const active = significantFlow(problem, connected)
  if (active.length === 0) return undefined
  if (findLongPath(problem, active, charges.maxHops)) return undefined
  const recovered = recoverFlow(problem, active)
  if (!recovered) return undefined
  if (recovered.saturatedToken !== undefined) {
    return { edges: active, saturated: recovered.saturatedToken }
  }
  const { flow, amountOut } = recovered
  let gas = 0
  for (const i of active) if (flow[i]! > 0) gas += gasAt(problem, i, flow[i]!)
  const value = amountOut - charges.gasCost * gas
  const [cuts, prices] = [cutsOf(problem, active), problem.u.slice()]
  return { edges: active, cuts, prices, value, gas, known: { nexts: new Map() } }
}

/**
 * The edges and one more out of `token` that can take the value of the order and has the highest output
 * for its gas; `undefined` if there is none.
 */
function relieve(problem: Problem, edges: Int32Array, token: number): Int32Array | undefined {
  const { from, to, whole, ν, all, source, amount } = problem
  const isPassed = new Uint8Array(problem.u.length)
  for (const i of edges) isPassed[to[i]!] = 1
  const used = new Set(edges)
  const x = (amount * ν[source]!) / ν[token]!
  let best = { edge: -1, worth: 0 }
  for (const i of all) {
    if (from[i] !== token || !isPassed[to[i]!] || limitOf(whole[i]!) < x || used.has(i)) continue
    const worth = (outOf(whole[i]!, x) * ν[to[i]!]!) / gasAt(problem, i, x)
    if (worth > best.worth) best = { edge: i, worth }
  }
  return best.edge < 0 ? undefined : Int32Array.from([...edges, best.edge])
}

/** Puts the columns and the prices of a state into the problem. */
function restore(problem: Problem, { edges, cuts, prices }: State): void {
  setCuts(problem, edges, cuts)
  problem.u.set(prices)
}

/**
 * The first move that leads to a higher value within the caps; `undefined` if none does. While much gas is
 * left, moves do not compete for it: they are ranked by gain net of gas, and several are tried together
 * first.
 */
function improve(
  problem: Problem,
  dualPrices: Float64Array,
  best: State,
  limits: Limits,
): State | undefined {
  const { charges } = limits
  best.known.additions ??= additionsTo(problem, dualPrices, best, limits)
  const leastGain = LEAST_COLUMN_GAIN * Math.abs(best.value)
  const netOf = ({ gain, gas }: Move) => gain - charges.gasCost * gas
  const moves = best.known.additions.filter((move) => netOf(move) > leastGain)
  const hasRoom = best.gas < ROOMY * charges.maxGas
  if (hasRoom) moves.sort((a, b) => netOf(b) - netOf(a))
  // An exchange among many legs gains least, and costs most: each move tries several legs to give up.
  const isFull = best.edges.length >= charges.maxLegs && charges.maxLegs > FEW_LEGS
  const tried = isFull ? MAX_MOVES_WHEN_FULL : MAX_MOVES_TRIED
  const single = moves.slice(0, tried).map(({ columns }) => columns)
  for (const columns of hasRoom ? [together(moves), ...single] : single) {
    restore(problem, best)
    for (const [i, count] of columns) cutTo(problem, i, count)
    const edges = Int32Array.from(new Set([...best.edges, ...columns.map(([i]) => i)]))
    const grown = evaluate(problem, edges, limits)
    if (!grown || grown.value <= best.value) continue
    const next = fits(grown, charges) ? grown : exchange(problem, grown, limits, best.value)
    if (next && next.value > best.value + leastGain) return next
  }
  return undefined
}

/** The columns of the first moves; of an edge in several of them, those of the first. */
function together(moves: readonly Move[]): Move['columns'] {
  const columns = moves.slice(0, MAX_MOVES_TOGETHER).flatMap((move) => move.columns)
  return [...new Map(columns.toReversed())]
}

function additionsTo(
  problem: Problem,
  dualPrices: Float64Array,
  state: State,
  { paths, charges: { gasCost } }: Limits,
): readonly Move[] {
  restore(problem, state)
  return additions(problem, dualPrices, state.edges, { paths, gasCost })
}

/**
 * A state within the caps from one above them, with a value above `floor`: gives up an edge, or its last
 * ticks, that saves enough. If none does, gives up what loses least per gas, and goes on. Ticks save no leg.
 */
function exchange(
  problem: Problem,
  state: State,
  limits: Limits,
  floor: number,
  reliefs = 0,
): State | undefined {
  const { charges } = limits
  state.known.losses ??= lossesOf(problem, state)
  const isWide = state.edges.length > charges.maxLegs
  const losses = state.known.losses.filter(({ columns }) => !isWide || columns[0]![1] === 0)
  const excess = state.gas - charges.maxGas
  // Of each edge, the fewest ticks that save enough: later moves give up fewer.
  const enough = new Map<number, Move>()
  for (const move of losses) if (move.gas >= excess) enough.set(move.columns[0]![0], move)
  const smallest = [...enough.values()]
    .filter(({ gain, gas }) => state.value + gain + charges.gasCost * gas > floor)
    .sort((a, b) => b.gain - a.gain)
  let best: State | undefined
  for (const { columns } of smallest.slice(0, MAX_EXCHANGES)) {
    const next = without(problem, state, columns[0]!, limits, reliefs)
    if (next && fits(next, charges) && next.value > (best?.value ?? floor)) best = next
  }
  if (best) return best
  const [least] = byDensity(losses.filter(({ gas }) => gas > 0))
  const next = least && without(problem, state, least.columns[0]!, limits, reliefs)
  if (!next || next.value <= floor || next.gas >= state.gas) return undefined
  return fits(next, charges) ? next : exchange(problem, next, limits, floor, reliefs)
}

/** Whether a state is within the caps on gas and legs. */
function fits({ gas, edges }: State, { maxGas, maxLegs }: Charges): boolean {
  return gas <= maxGas && edges.length <= maxLegs
}

function without(
  problem: Problem,
  state: State,
  [edge, count]: readonly [number, number],
  limits: Limits,
  reliefs: number,
): State | undefined {
  restore(problem, state)
  if (count > 0) cutTo(problem, edge, count)
  const { edges } = state
  const left = count > 0 ? edges : edges.filter((i) => i !== edge)
  return evaluate(problem, left, limits, reliefs)
}

/**
 * Every way to give up one edge or its last ticks: the gas saved, and the negative gain. The loss is
 * the surplus of what is given up, and half the square of its flow times the effective resistance of
 * the rest of the network, as in {@link prune}.
 */
function lossesOf(problem: Problem, state: State): readonly Move[] {
  restore(problem, state)
  const { laplacian } = minimiseDual(problem, state.edges, PRICE_TOLERANCE)
  const { from, to, ν, x, surplus, stepGas, pieces } = problem
  const costOf = reroutingCosts(problem, laplacian)
  return Array.from(state.edges).flatMap((i) => {
    const [cost, gas] = [costOf(i), gasAt(problem, i)]
    const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
    const { startIn, startOut } = pieces[i]!
    const lossAt = (count: number): Move => {
      const flow = νIn * (x[i]! - startIn[count]!)
      const left = νOut * startOut[count]! - νIn * startIn[count]!
      const saved = gas - (count > 0 ? gasAt(problem, i, startIn[count]! * BELOW) : 0)
      const gain = left - surplus[i]! - cost * flow * flow
      return { columns: [[i, count]], gas: saved, gain }
    }
    const last = stepGas[i] === 0 ? 0 : pieceAt(pieces[i]!, x[i]!)
    return Array.from({ length: last + 1 }, (_, count) => lossAt(count))
  })
}
