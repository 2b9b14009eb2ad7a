/**
 * Moves of the search over columns. Input: a problem at the optimum over some columns. Output: edges, pairs
 * of edges, paths and ticks to add, and edges and ticks to give up, with their predicted gain and gas.
 */
import { inputAtOf, outOf, pieceAt } from '../../math/pieces.js'
import { solveArbitrageAt } from '../dual/arbitrage.js'
import { priceUnusedTokens } from '../dual/clearingPrice.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt, gasOfSteps } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import { BELOW, FEW_COLUMNS } from '../tuning.js'
import type { Path } from './bestPaths.js'
import type { Move, Search } from './columns.js'
import { reroutingCosts } from './prune.js'

/** Moves by predicted gain per gas, the highest first. */
export function byDensity(moves: readonly Move[]): readonly Move[] {
  return moves.toSorted((a, b) => b.gain / b.gas - a.gain / a.gas)
}

/** Moves that add columns and are worth their gas, those with the highest gain per gas first. */
export function additions(
  { problem, prices, paths, terms }: Pick<Search, 'problem' | 'prices' | 'paths' | 'terms'>,
  edges: Int32Array,
): readonly Move[] {
  const { from, to, u, all, source, sink, surplus, pieces, whole } = problem
  const isUsed = new Uint8Array(all.length)
  const isPassed = new Uint8Array(u.length)
  isPassed[source] = isPassed[sink] = 1
  for (const i of edges) isUsed[i] = isPassed[from[i]!] = isPassed[to[i]!] = 1
  priceUnusedTokens(problem, isPassed, prices)
  solveArbitrageAt(problem, all)
  const moves: Move[] = paths.map((path) => moveAlong(problem, path, isUsed))
  for (const i of edges) if (pieces[i] !== whole[i]) moves.push(...extensionsOf(problem, i))
  // By token that is not yet passed.
  const [into, leaving] = [new Map<number, Move[]>(), new Map<number, Move[]>()]
  for (const i of all) {
    const [a, b] = [from[i]!, to[i]!]
    if (isUsed[i] || !(surplus[i]! > 0) || !(isPassed[a] || isPassed[b])) continue
    const columns = columnsOf(problem, i)
    if (isPassed[a] && isPassed[b]) moves.push(...columns)
    else if (isPassed[a]) into.set(b, [...(into.get(b) ?? []), ...columns])
    else leaving.set(a, [...(leaving.get(a) ?? []), ...columns])
  }
  for (const [k, some] of into) moves.push(...pairsOf(problem, some, leaving.get(k) ?? []))
  return byDensity(moves.filter(({ gain, gas }) => gain > terms.gasCost * gas))
}

/** Columns into a token and columns out of it, together. */
function pairsOf(
  { from, to }: Problem,
  into: readonly Move[],
  leaving: readonly Move[],
): readonly Move[] {
  const onward = byDensity(leaving).slice(0, FEW_COLUMNS)
  const pairs = byDensity(into)
    .slice(0, FEW_COLUMNS)
    .flatMap((one) => onward.map((other) => [one, other] as const))
  return pairs
    .filter(([one, other]) => to[other.columns[0]![0]] !== from[one.columns[0]![0]])
    .map(([one, other]) => ({
      columns: [...one.columns, ...other.columns],
      gas: one.gas + other.gas,
      gain: one.gain + other.gain,
    }))
}

/** The unused edges of a path, each cut after the piece in which its amount ends. */
function moveAlong(problem: Problem, { edges, amounts }: Path, isUsed: Uint8Array): Move {
  const { whole, ν, from, to } = problem
  const columns: (readonly [number, number])[] = []
  let [gas, gain] = [0, 0]
  for (const [n, i] of edges.entries()) {
    if (isUsed[i]) continue
    const x = amounts[n]!
    const count = pieceAt(whole[i]!, x) + 1
    columns.push([i, count])
    gas += gasOfSteps(problem, i, count - 1)
    gain += ν[to[i]!]! * outOf(whole[i]!, x) - ν[from[i]!]! * x
  }
  return { columns, gas, gain }
}

/** A cut edge with one, two and four ticks more. */
function extensionsOf(problem: Problem, i: number): readonly Move[] {
  const { pieces, surplus, stepGas } = problem
  return [1, 2, 4].map((more) => {
    const count = pieces[i]!.price.length + more
    const gain = surplusWithin(problem, i, count) - surplus[i]!
    return { columns: [[i, count]], gas: more * stepGas[i]!, gain }
  })
}

/** An unused edge, cut where its gain per gas is highest, and as far as it earns. */
function columnsOf(problem: Problem, i: number): readonly Move[] {
  const last = pieceAt(problem.whole[i]!, problem.x[i]!) + 1
  const columns = Array.from({ length: last }, (_, n): Move => {
    const [gas, gain] = [gasOfSteps(problem, i, n), surplusWithin(problem, i, n + 1)]
    return { columns: [[i, n + 1]], gas, gain }
  })
  return [...new Set([byDensity(columns)[0]!, columns.at(-1)!])]
}

/** Surplus of an edge within its first pieces, at the prices in the problem. */
function surplusWithin({ whole, ν, from, to }: Problem, i: number, count: number): number {
  const { startIn, price } = whole[i]!
  const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
  const x = Math.min(inputAtOf(whole[i]!, νIn / νOut), startIn[Math.min(count, price.length)]!)
  return νOut * outOf(whole[i]!, x) - νIn * x
}

/**
 * Every way to give up one edge or its last ticks: the gas saved, and the negative gain. The loss is
 * the surplus of what is given up, and half the square of its flow times the effective resistance of
 * the rest of the network, as in {@link prune}.
 */
export function removals(problem: Problem, edges: Int32Array): readonly Move[] {
  minimiseDual(problem, edges)
  const { from, to, ν, x, surplus, stepGas, pieces } = problem
  const costOf = reroutingCosts(problem)
  return Array.from(edges).flatMap((i) => {
    const [cost, gas] = [costOf(i), gasAt(problem, i)]
    const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
    const { startIn, startOut } = pieces[i]!
    const last = stepGas[i] === 0 ? 0 : pieceAt(pieces[i]!, x[i]!)
    return Array.from({ length: last + 1 }, (_, count): Move => {
      const flow = νIn * (x[i]! - startIn[count]!)
      const left = νOut * startOut[count]! - νIn * startIn[count]!
      const kept = count > 0 ? gasAt(problem, i, startIn[count]! * BELOW) : 0
      const gain = left - surplus[i]! - cost * flow * flow
      return { columns: [[i, count]], gas: gas - kept, gain }
    })
  })
}
