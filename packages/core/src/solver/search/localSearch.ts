/**
 * Local search over columns. Input: columns to start from. Output: columns within the caps on gas and legs,
 * with the highest value found. A move adds edges or ticks. If a cap is then exceeded, another edge or its
 * last ticks are given up for it; and where nothing is worth adding, those that are not worth their gas. Greedy
 * elimination alone cannot reach such supports.
 */
import { union } from '../../math/edgeSets.js'
import { cutTo, setCuts } from '../network/problem.js'
import * as tuning from '../tuning.js'
import {
  additions,
  byDensity,
  type Columns,
  evaluate,
  type Move,
  mergeMoves,
  removals,
  restore,
  type Search,
  type State,
} from './columns.js'

/**
 * The best columns found by moves that fit, from `start`; `undefined` if none is executable. Leaves the problem at
 * the columns' optimum, with their cuts in effect.
 */
export function searchColumns(search: Search, start: Columns): State | undefined {
  let best = seedWithin(search, start)
  while (best) {
    if (best.next === undefined) best.next = improve(search, best) ?? null
    if (!best.next) break
    best = best.next
  }
  if (best) restore(search.problem, best)
  return best
}

/**
 * The columns of a start that fit the caps. If they cannot place the whole amount, with a path that can: an
 * order that drains its pools is a smaller order and a path for the rest. That earns little, so the last paths,
 * those of least gas, come first.
 */
function seedWithin(search: Search, start: Columns): State | undefined {
  const { problem, prices, paths } = search
  const withPath = (path: Int32Array): State | undefined => {
    problem.u.set(prices)
    setCuts(problem, start.edges, start.cuts)
    for (const i of path) problem.pieces[i] = problem.whole[i]!
    const first = evaluate(search, union(start.edges, path))
    return first && fitWithin(search, first, 0)
  }
  let state = withPath(new Int32Array(0))
  for (const { edges, amounts } of paths.toReversed()) {
    if (amounts[0] === problem.amount) state ??= withPath(edges)
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
function improve(search: Search, best: State): State | undefined {
  const { problem, terms } = search
  search.budget -= tuning.STEP_COST
  const least = best.value + tuning.NEGLIGIBLE * Math.abs(best.value)
  const giveUp = (state: State): State | undefined => {
    restore(problem, state)
    return bestWithout(search, state, removals(problem, state.edges), least)
  }
  // Where legs bind, most moves that gain give up a leg, and they are the cheapest to try.
  const isFull = best.edges.length >= terms.maxLegs
  const fewer = isFull ? giveUp(best) : undefined
  if (fewer) return fewer
  restore(problem, best)
  const netOf = ({ gain, gas }: Move) => gain - terms.gasCost * gas
  const gaining = additions(search, best.edges).filter((move) => best.value + netOf(move) > least)
  const hasRoom = best.gas < tuning.UNCONTESTED_GAS * terms.room
  if (hasRoom) gaining.sort((a, b) => netOf(b) - netOf(a))
  const replacing = isFull ? [] : [best]
  const grow = ({ columns }: Move): State | undefined => {
    restore(problem, best)
    for (const [i, count] of columns) cutTo(problem, i, count)
    const added = columns.map(([i]) => i)
    return evaluate(search, union(best.edges, added))
  }
  const moves = gaining.slice(0, tuning.MAX_MOVES_TRIED)
  for (const move of [
    ...(hasRoom ? [together(moves.slice(0, tuning.MAX_MERGED))] : []),
    ...moves,
  ]) {
    const grown = grow(move)
    if (!grown) continue
    const next = grown.value > best.value ? fitWithin(search, grown, best.value) : undefined
    if (next && next.value > least) return next
    if (grown.value <= best.value) replacing.push(grown)
  }
  // Ticks and edges chosen earlier may no longer be worth their gas, or only if what was tried takes their place.
  for (const state of new Set(replacing)) {
    const next = giveUp(state)
    if (next) return next
  }
  return undefined
}

/** Moves as one; of an edge in several of them, the columns of the first. */
function together(moves: readonly Move[]): Move {
  const { columns, ...sums } = mergeMoves(moves)
  return { ...sums, columns: [...new Map(columns.toReversed())] }
}

/**
 * The state if it is within the caps, otherwise one with a value above `floor` that is: gives up an edge, or its
 * last ticks, which saves enough. If none does, gives up what loses least per gas, and goes on.
 */
function fitWithin(search: Search, state: State, floor: number): State | undefined {
  if (fits(search, state)) return state
  const { problem, terms } = search
  restore(problem, state)
  const isWide = state.edges.length > terms.maxLegs
  const excess = state.gas - terms.room
  const moves = removals(problem, state.edges, isWide ? Number.POSITIVE_INFINITY : excess)
  const enough = moves.filter(({ gas }) => gas >= excess)
  const fitting = bestWithout(search, state, enough, floor)
  if (fitting) return fitting
  const [move] = byDensity(moves.filter(({ gas }) => gas > 0))
  const next = move && applyRemoval(search, state, move)
  const goesOn = next && next.value > floor && next.gas < state.gas
  return goesOn ? fitWithin(search, next, floor) : undefined
}

/** The best state within the caps and above `floor` that the moves lead to which lose least. */
function bestWithout(
  search: Search,
  state: State,
  moves: readonly Move[],
  floor: number,
): State | undefined {
  const { gasCost } = search.terms
  const promising = moves.filter(({ gain, gas }) => state.value + gain + gasCost * gas > floor)
  promising.sort((a, b) => b.gain - a.gain)
  let best: State | undefined
  for (const move of promising.slice(0, tuning.MAX_MERGED)) {
    const next = applyRemoval(search, state, move)
    if (next && fits(search, next) && next.value > (best?.value ?? floor)) best = next
  }
  return best
}

function applyRemoval(search: Search, state: State, { columns, end }: Move): State | undefined {
  const [edge, count] = columns[0]!
  restore(search.problem, state)
  if (count > 0) cutTo(search.problem, edge, count, end)
  return evaluate(search, count > 0 ? state.edges : state.edges.filter((i) => i !== edge))
}
