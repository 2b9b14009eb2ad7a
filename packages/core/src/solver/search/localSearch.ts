/**
 * Local search over columns. Input: columns to start from. Output: columns within the caps on gas and legs,
 * with the highest value found. A move adds edges or ticks. If a cap is then exceeded, another edge or its
 * last ticks are given up for it, or at last edges in a row, or an edge of less gas takes their place; and where
 * nothing is worth adding, those that are not worth their gas. Greedy elimination alone cannot reach such supports.
 */
import { union } from '../../math/edgeSets.js'
import { cutPieces, firstPieces, pieceAt } from '../../math/pieces.js'
import { inputSaving } from '../network/gas.js'
import { type Cuts, cutTo, type Problem, setCuts } from '../network/problem.js'
import * as tuning from '../tuning.js'
import {
  additions,
  byDensity,
  type Columns,
  evaluate,
  type Move,
  mergeMoves,
  removals,
  replacements,
  restore,
  type Search,
  type State,
  withRows,
} from './columns.js'

/**
 * The best columns found by moves that fit, from `start`; `undefined` if none is executable. A last search tries
 * more. Leaves the problem at the columns' optimum, with their cuts in effect.
 */
export function searchColumns(search: Search, start: Columns, isLast = false): State | undefined {
  let best = fitSeed(search, start)
  for (let n = 0; best && n < tuning.MAX_MOVES_MADE; n++) {
    if (!best.next.has(search)) best.next.set(search, improve(search, best))
    const next: State | undefined =
      best.next.get(search) ?? (isLast ? improve(search, best, true) : undefined)
    if (!next) break
    best = next
  }
  if (best) restore(search.problem, best)
  return best
}

/**
 * The columns of a start that fit the caps. If they cannot place the whole amount, with a path that can: an
 * order that drains its pools is a smaller order and a path for the rest. That earns little, so the last paths,
 * those of least gas, come first.
 */
function fitSeed(search: Search, start: Columns): State | undefined {
  const { problem, prices, paths } = search
  const fitted = (path: Int32Array): State | undefined => {
    problem.u.set(prices)
    setCuts(problem, start.edges, start.cuts)
    for (const i of path) problem.pieces[i] = problem.whole[i]!
    const first = evaluate(search, union(start.edges, path))
    return first && fitWithin(search, first, { floor: 0 })
  }
  let state = fitted(new Int32Array(0))
  for (const { edges, amounts } of paths.toReversed()) {
    if (amounts[0] === problem.amount) state ??= fitted(edges)
  }
  return state
}

/** Returns true if a state is within the caps on gas and legs. */
function fits({ terms }: Search, { gas, edges }: State): boolean {
  return gas <= terms.room && edges.length <= terms.maxLegs
}

/**
 * The first move that leads to a higher value within the caps; `undefined` if none does. While much gas is
 * left, moves do not compete for it: they are ranked by gain net of gas, and several are tried together
 * first.
 */
function improve(search: Search, best: State, isLast = false): State | undefined {
  const { problem, terms } = search
  const least = best.value + tuning.MIN_COLUMN_GAIN * Math.abs(best.value)
  const giveUp = (state: State): State | undefined => {
    restore(problem, state)
    return bestWithout(search, state, removals(problem, state.edges), { floor: least })
  }
  // Where legs bind, most moves that gain give up a leg, and they are the cheapest to try.
  const isFull = best.edges.length >= terms.maxLegs
  const fewer = isFull ? giveUp(best) : undefined
  if (fewer) return fewer
  restore(problem, best)
  const netOf = ({ gain, gas }: Move) => gain - terms.gasCost * gas
  const canGain = (move: Move) => best.value + netOf(move) > least
  const gaining = additions(search, best.edges, isLast).filter(canGain)
  const hasRoom = best.gas < tuning.UNCONTESTED_GAS * terms.room
  if (hasRoom) gaining.sort((a, b) => netOf(b) - netOf(a))
  const replacing = isFull ? [] : [best]
  const most = isFull ? tuning.MAX_MOVES_IF_FULL : tuning.MAX_MOVES_TRIED
  // Paths may differ only in used edges. At last each move is tried once, and so are more of them.
  const seen = new Set<string>()
  const isNew = ({ columns }: Move) => !isLast || seen.size < seen.add(columns.join()).size
  const moves = gaining.filter(isNew).slice(0, most)
  const limits = { floor: best.value, from: isLast ? best : undefined }
  const grow = ({ columns }: Move, cuts: Cuts): State | undefined => {
    restore(problem, best, cuts)
    for (const [i, count] of columns) cutTo(problem, i, count)
    const added = columns.map(([i]) => i)
    return evaluate(search, union(best.edges, added))
  }
  const { edges, cuts, inputs } = best
  const ticks = hasRoom ? [] : cuts.map((own, n) => firstPieces(own, pieceAt(own, inputs[n]!) + 1))
  const words = ticks.map((own, n) => cutPieces(own, inputSaving(problem, edges[n]!, 0, inputs[n])))
  for (const move of [...(hasRoom ? [together(gaining)] : []), ...moves]) {
    // While gas is scarce, other edges must not use the gas of a move that fits for further ticks, or words in them.
    for (const kept of hasRoom || best.gas + move.gas > terms.room ? [] : [ticks, words]) {
      const alone = grow(move, kept)
      if (alone && fits(search, alone) && alone.value > least) return alone
      if (!alone || alone.gas <= terms.room) break
    }
    for (const kept of isLast && !hasRoom ? [words, cuts] : [cuts]) {
      const grown = grow(move, kept)
      const isBetter = grown && grown.value > best.value
      const next = isBetter ? fitWithin(search, grown, limits) : undefined
      if (next && next.value > least) return next
      if (grown && !isBetter && kept === cuts) replacing.push(grown)
    }
  }
  // Ticks and edges chosen earlier may no longer be worth their gas, or only if what was tried takes their place.
  for (const state of new Set(replacing)) {
    const next = giveUp(state)
    if (next) return next
  }
  return undefined
}

/** The first moves as one; of an edge in several of them, the columns of the first. */
function together(moves: readonly Move[]): Move {
  const { columns, ...sums } = mergeMoves(moves.slice(0, tuning.MAX_MOVES_TOGETHER))
  return { ...sums, columns: [...new Map(columns.toReversed())] }
}

/** The least value, and in a last search, which tries more, the state that its moves start from. */
type Limits = { readonly floor: number; readonly from?: State | undefined; readonly ways?: number }

/**
 * The state if it is within the caps, otherwise one with a value above `floor` that is: gives up an edge, or its
 * last ticks, or else a row of edges, or replaces one, which saves enough. If none does, does what loses least per gas,
 * and goes on; at last also after the next of these `ways`.
 */
function fitWithin(search: Search, state: State, limits: Limits): State | undefined {
  const { floor, from, ways = tuning.WAYS_AT_LAST } = limits
  if (fits(search, state)) return state
  const { problem, terms } = search
  restore(problem, state)
  const isWide = state.edges.length > terms.maxLegs
  const excess = state.gas - terms.room
  const all = removals(problem, state.edges, isWide ? Number.POSITIVE_INFINITY : excess)
  const isLast = from !== undefined && !isWide
  // A removal that takes back the move itself wastes one of the few that are tried.
  const moves = isLast ? all.filter((move) => !leadsBack(problem, from, move)) : all
  const rows = isLast ? withRows(problem, moves) : []
  const others = isLast ? replacements(problem, state.edges) : []
  for (const some of [moves, rows, others]) {
    const enough = some.filter(({ gas }) => gas >= excess)
    const fitting = bestWithout(search, state, enough, limits)
    if (fitting) return fitting
  }
  const rest = byDensity([...moves, ...others].filter(({ gas }) => gas > 0))
  let best: State | undefined
  for (const move of rest.slice(0, isLast ? ways : 1)) {
    const further = { ...limits, floor: best?.value ?? floor, ways: 1 }
    const next = applyRemoval(search, state, move)
    const goesOn = next && next.value > further.floor && next.gas < state.gas
    if (goesOn) best = fitWithin(search, next, further) ?? best
  }
  return best
}

/** Returns true if a removal leaves an edge that has grown since a state no more than it had there. */
function leadsBack({ pieces }: Problem, { edges, cuts }: State, { columns }: Move): boolean {
  const [i, count] = columns[0]!
  const before = cuts[edges.indexOf(i)]?.price.length ?? 0
  return count <= before && before < pieces[i]!.price.length
}

/** The best state within the caps and above `floor` that the moves lead to which lose least. */
function bestWithout(
  search: Search,
  state: State,
  moves: readonly Move[],
  { floor, from }: Limits,
): State | undefined {
  const { gasCost } = search.terms
  // Where pools are drained, a loss can be far less than predicted. At last only its lower bound rules out a way.
  const hopeOf = ({ gain, gas, most = gain }: Move) => (from ? most : gain) + gasCost * gas
  const promising = moves.filter((move) => state.value + hopeOf(move) > floor)
  promising.sort((a, b) => b.gain - a.gain)
  const most = from ? tuning.MAX_EXCHANGES_AT_LAST : tuning.MAX_EXCHANGES
  let best: State | undefined
  for (const move of promising.slice(0, most)) {
    const next = applyRemoval(search, state, move)
    if (next && fits(search, next) && next.value > (best?.value ?? floor)) best = next
  }
  return best
}

function applyRemoval(
  search: Search,
  state: State,
  { columns, end, instead }: Move,
): State | undefined {
  const [edge, count] = columns[0]!
  restore(search.problem, state)
  if (count > 0) cutTo(search.problem, edge, count, end)
  const kept = count > 0 ? state.edges : state.edges.filter((i) => i !== edge)
  return evaluate(search, instead === undefined ? kept : union(kept, [instead]))
}
