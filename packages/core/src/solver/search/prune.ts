/**
 * Greedy backward elimination of edges, ranked by effective resistance. Input: a problem and a set
 * of edges. Output: those within the caps on legs, gas and hops, without cycles. The
 * support of the dual often has a hundred edges, and a route may have 24.
 */

import { limitOf } from '../../math/pieces.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import {
  cascadesOf,
  cyclicEdges,
  findLongWalk,
  removeDeadEnds,
  significantFlow,
} from '../network/support.js'
import type { Terms } from '../terms.js'
import { BATCH, LEG_GAS, MAX_CASCADE, ROLLBACK_LOSS, TRIALS } from '../tuning.js'
import { type Columns, lossesOf } from './columns.js'

/**
 * Drops edges, those with the smallest loss first, until they are few enough, acyclic and each
 * worth its gas. Solves the dual again after every batch. Leaves the problem at the minimum over
 * the edges returned, which may be none.
 */
export function prune(problem: Problem, edges: Int32Array, terms: Terms): Columns {
  const { room, maxLegs, maxHops } = terms
  // Edges whose drop was tried and lowered the value.
  const kept = new Set<number>()
  let quota = Number.POSITIVE_INFINITY
  for (let state = minimumOver(problem, edges, terms); ; ) {
    const { active, value, gas, prices } = state
    const tooDear = gas > room
    const excess = Math.max(active.length - maxLegs, tooDear ? 1 : 0)
    const candidates = rank(problem, active, terms, { excess, tooDear })
    const worthless = worthlessOf(candidates, kept)
    const wanted = Math.max(excess, worthless.length)
    // What is in order but for its shape loses an edge of a cycle or of a long path.
    const cyclic = wanted > 0 ? [] : cyclicEdges(problem, active)
    const isInOrder = wanted === 0 && cyclic.length === 0
    const long = (isInOrder && findLongWalk(problem, active, maxHops)) || []
    const forbidden = cyclic.length > 0 ? cyclic : long
    if (wanted === 0 && forbidden.length === 0) return { edges: active, value }
    const isForced = excess > 0 || forbidden.length > 0
    let choice = excess > 0 ? candidates : worthless
    if (forbidden.length > 0) choice = candidates.filter(({ edge }) => forbidden.includes(edge))
    // Even small batches cost too much: try each of the first few alone.
    const isTrial = quota === 1
    const size = Math.min(quota, Math.max(1, Math.floor(BATCH * wanted)))
    const alone = choice.filter(({ score }, n) => n === 0 || score < Number.POSITIVE_INFINITY)
    const batches = isTrial
      ? alone.slice(0, TRIALS).map(({ edge }) => [edge])
      : [batchOf(choice, size)]
    const tried = batches.map((dropped) => {
      problem.u.set(prices)
      const left = active.filter((i) => !dropped.includes(i))
      const next = minimumOver(problem, removeDeadEnds(problem, left), terms)
      const saved = Math.min(active.length - next.active.length, active.length - maxLegs)
      return { next, lossPerLeg: (value - next.value) / Math.max(1, saved) }
    })
    const best = tried.reduce((a, b) => (b.lossPerLeg < a.lossPerLeg ? b : a))
    const isWorse = value - best.next.value > ROLLBACK_LOSS * Math.abs(value)
    if (!isWorse || (isTrial && isForced)) state = best.next
    else {
      // Together the drops cost far more than the sum of their losses: drop fewer.
      const dropped = batches.flat()
      quota = isTrial ? 1 : Math.ceil(dropped.length / 4)
      if (isTrial || dropped.length === 1) for (const edge of dropped) kept.add(edge)
    }
    if (state === tried.at(-1)!.next) continue
    problem.u.set(state.prices)
    state = minimumOver(problem, state.active, terms)
  }
}

/** The edges in use at the minimum over some; without any the dual has none, and the output is 0. */
function minimumOver(problem: Problem, edges: Int32Array, { gasCost }: Terms) {
  const { bound } = minimiseDual(problem, edges)
  const active = significantFlow(problem, edges)
  const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
  const value = active.length > 0 ? bound - gasCost * gas : 0
  return { active, value, gas, prices: problem.u.slice() }
}

/**
 * The candidates whose gas exceeds their loss. A leg with a long cascade can be worthless because
 * of the legs that lead to it, so those with short cascades go first.
 */
function worthlessOf(
  candidates: readonly Candidate[],
  kept: ReadonlySet<number>,
): readonly Candidate[] {
  const worthless = candidates.filter(({ edge, score }) => score < 0 && !kept.has(edge))
  const short = worthless.filter(({ legs }) => legs <= MAX_CASCADE)
  return short.length > 0 ? short : worthless
}

type Candidate = { readonly edge: number; readonly legs: number; readonly score: number }

/** Edges by loss net of gas per useful leg, the smallest first. */
function rank(
  problem: Problem,
  active: Int32Array,
  { gasCost }: Terms,
  { excess, tooDear }: { readonly excess: number; readonly tooDear: boolean },
): readonly Candidate[] {
  const cascadeAt = cascadesOf(problem, active)
  const lossOf = lossesOf(problem)
  const isNeeded = neededToPlace(problem, active)
  const candidates: Candidate[] = []
  for (const i of active) {
    const { legs, gas } = cascadeAt(i)
    // Legs saved beyond the excess save only gas. If gas is the excess, count gas instead of legs.
    const useful = tooDear ? gas / LEG_GAS : Math.max(1, Math.min(legs, excess))
    const score = isNeeded(i) ? Number.POSITIVE_INFINITY : (lossOf(i)(0) - gasCost * gas) / useful
    candidates.push({ edge: i, legs, score })
  }
  return candidates.sort((a, b) => a.score - b.score || a.edge - b.edge)
}

/**
 * Whether the other edges out of the source are too small for the whole amount. The dual leaves a rest
 * without loss, but a route has to place it, even into a pool that pays almost nothing for it.
 */
function neededToPlace({ from, pieces, source, amount }: Problem, active: Int32Array) {
  let room = 0
  for (const i of active) if (from[i] === source) room += limitOf(pieces[i]!)
  return (i: number) => from[i] === source && room - limitOf(pieces[i]!) < amount
}

/** The first edges, until their cascades make up `quota` legs. */
function batchOf(candidates: readonly Candidate[], quota: number): readonly number[] {
  let n = 0
  for (let legs = 0; legs < quota && n < candidates.length; n++) legs += candidates[n]!.legs
  return candidates.slice(0, n).map(({ edge }) => edge)
}
