/**
 * Moves that add columns. Input: a problem at the optimum over some columns. Output: edges, pairs of
 * edges, paths and ticks to add, those with the highest predicted gain per gas first.
 */
import { inputAtOf, outOf, pieceAt } from '../../math/pieces.js'
import { solveArbitrageAt, tradingOf } from '../dual/arbitrage.js'
import { priceUnusedTokens } from '../dual/clearingPrice.js'
import type { Problem } from '../network/problem.js'
import { isCut } from '../network/tickCuts.js'
import { FEW_COLUMNS } from '../tuning.js'
import type { PartPath } from './bestPaths.js'

/** Columns to use, each an edge and its number of pieces, 0 to drop it; with their gas and gain. */
export type Move = {
  readonly columns: readonly (readonly [edge: number, count: number])[]
  readonly gas: number
  readonly gain: number
}

/** Moves that add columns and are worth their gas, those with the highest gain per gas first. */
export function additions(
  problem: Problem,
  dualPrices: Float64Array,
  edges: Int32Array,
  { paths, gasCost }: { readonly paths: readonly PartPath[]; readonly gasCost: number },
): readonly Move[] {
  const { isUsed, isPassed } = priceNeighbourhood(problem, dualPrices, edges)
  const { from, to, surplus } = problem
  const { edges: trading, count } = tradingOf(problem, problem.all)
  const moves: Move[] = paths.map((path) => moveAlong(problem, path, isUsed))
  for (const i of edges) if (isCut(problem, i)) moves.push(...extensionsOf(problem, i))
  const into = new Map<number, Move[]>()
  const leaving = new Map<number, Move[]>()
  for (const i of trading.subarray(0, count)) {
    const [a, b] = [from[i]!, to[i]!]
    if (isUsed[i] || !(surplus[i]! > 0) || !(isPassed[a] || isPassed[b])) continue
    const columns = columnsOf(problem, i)
    if (isPassed[a] && isPassed[b]) moves.push(...columns)
    else if (isPassed[a]) addTo(into, b, columns)
    else addTo(leaving, a, columns)
  }
  for (const [k, some] of into) {
    const onward = leaving.get(k)
    if (onward) moves.push(...pairsOf(problem, some, onward))
  }
  return byDensity(moves.filter(({ gain, gas }) => gain > gasCost * gas))
}

function addTo(lists: Map<number, Move[]>, k: number, moves: readonly Move[]): void {
  const list = lists.get(k)
  if (list) list.push(...moves)
  else lists.set(k, [...moves])
}

/** Prices the tokens that the used edges do not pass, and evaluates all edges at these prices. */
function priceNeighbourhood(problem: Problem, dualPrices: Float64Array, used: Int32Array) {
  const { from, to, u, all, source, sink } = problem
  const isPassed = new Uint8Array(u.length)
  const isUsed = new Uint8Array(problem.edges.length)
  isPassed[source] = 1
  isPassed[sink] = 1
  for (const i of used) {
    isUsed[i] = 1
    isPassed[from[i]!] = 1
    isPassed[to[i]!] = 1
  }
  priceUnusedTokens(problem, isPassed, dualPrices)
  solveArbitrageAt(problem, all)
  return { isUsed, isPassed }
}

/** Columns into a token and columns out of it, together. */
function pairsOf(
  { from, to }: Problem,
  into: readonly Move[],
  leaving: readonly Move[],
): readonly Move[] {
  const onward = byDensity(leaving).slice(0, FEW_COLUMNS)
  return byDensity(into)
    .slice(0, FEW_COLUMNS)
    .flatMap((one) =>
      onward
        .filter((other) => to[other.columns[0]![0]] !== from[one.columns[0]![0]])
        .map((other) => ({
          columns: [...one.columns, ...other.columns],
          gas: one.gas + other.gas,
          gain: one.gain + other.gain,
        })),
    )
}

/** The unused edges of a path, each cut after the piece in which its amount ends. */
function moveAlong(problem: Problem, { edges, amounts }: PartPath, isUsed: Uint8Array): Move {
  const { whole, ν, from, to } = problem
  const columns: (readonly [number, number])[] = []
  let [gas, gain] = [0, 0]
  for (const [n, i] of edges.entries()) {
    if (isUsed[i]) continue
    const x = amounts[n]!
    const count = pieceAt(whole[i]!, x) + 1
    columns.push([i, count])
    gas += gasOfColumn(problem, i, count)
    gain += ν[to[i]!]! * outOf(whole[i]!, x) - ν[from[i]!]! * x
  }
  return { columns, gas, gain }
}

/** Moves by predicted gain per gas, the highest first. */
export function byDensity(moves: readonly Move[]): readonly Move[] {
  return moves.toSorted((a, b) => b.gain / b.gas - a.gain / a.gas)
}

/** A cut edge with one, two and four ticks more. */
function extensionsOf(problem: Problem, i: number): readonly Move[] {
  const { pieces, surplus, stepGas } = problem
  const count = pieces[i]!.price.length
  return [1, 2, 4].map((more) => ({
    columns: [[i, count + more]],
    gas: more * stepGas[i]!,
    gain: surplusWithin(problem, i, count + more) - surplus[i]!,
  }))
}

/** An unused edge, cut where its gain per gas is highest, and as far as it earns. */
function columnsOf(problem: Problem, i: number): readonly Move[] {
  const { whole, x, surplus, ν, from, to } = problem
  const { startIn, startOut } = whole[i]!
  const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
  const last = pieceAt(whole[i]!, x[i]!) + 1
  // Before its last piece the edge trades each piece whole.
  const gainOf = (count: number) =>
    count === last ? surplus[i]! : νOut * startOut[count]! - νIn * startIn[count]!
  const column = (count: number): Move => ({
    columns: [[i, count]],
    gas: gasOfColumn(problem, i, count),
    gain: gainOf(count),
  })
  let [densest, most] = [1, Number.NEGATIVE_INFINITY]
  for (let count = 1; count <= last; count++) {
    const density = gainOf(count) / gasOfColumn(problem, i, count)
    if (density > most) [densest, most] = [count, density]
  }
  return densest === last ? [column(last)] : [column(densest), column(last)]
}

function gasOfColumn({ gas, custodyGas, stepGas }: Problem, i: number, count: number): number {
  return gas[i]! + custodyGas[i]! + stepGas[i]! * (count - 1)
}

/** Surplus of an edge within its first pieces, at the prices in the problem. */
function surplusWithin({ whole, ν, from, to }: Problem, i: number, count: number): number {
  const { startIn, price } = whole[i]!
  const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
  const x = Math.min(inputAtOf(whole[i]!, νIn / νOut), startIn[Math.min(count, price.length)]!)
  return νOut * outOf(whole[i]!, x) - νIn * x
}
