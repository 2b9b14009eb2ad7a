/**
 * Greedy backward elimination of edges, ranked by effective resistance. Input: a problem and a set
 * of edges. Output: a {@link Selection} within the caps on legs, gas and hops, without cycles. The
 * support of the dual often has a hundred edges, and a route may have 24.
 */

import { resistance, selectedInverse } from '../../math/laplacian.js'
import { limitOf } from '../../math/pieces.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import {
  cascadesOf,
  findCycle,
  findLongPath,
  removeDeadEnds,
  significantFlow,
} from '../network/support.js'
import type { Terms } from '../terms.js'
import { BATCH, LEG_GAS, MAX_CASCADE } from '../tuning.js'

/** Edges in use and their value: the output less the gas of the hops, in sink units. */
export type Selection = {
  readonly edges: Int32Array
  readonly value: number
  /** Whether the cap on gas leaves fewer legs than the cap on legs; then cutting some can be better. */
  readonly isGasBound?: boolean
}

/**
 * Drops edges, those with the smallest loss first, until they are few enough, acyclic and each
 * worth its gas. Solves the dual again after every batch. Leaves the problem at the minimum over
 * the edges returned, which may be none.
 *
 * Loss of an edge with flow I (in value), surplus σ, conductance c and effective resistance R
 * between its ends, where R / (1 − c·R) is the resistance without the edge: removing it from the dual
 * costs σ and reroutes I through the rest of the network:
 *
 *   loss ≈ σ + ½·I²·R / (1 − c·R)
 */
export function prune(problem: Problem, edges: Int32Array, terms: Terms): Selection {
  const { room, maxLegs, maxHops } = terms
  let isGasBound = false
  for (let left = edges; ; ) {
    const { active, value, gas } = minimumOver(problem, left, terms)
    const tooDear = gas > room
    // As many legs as the cap leaves, with the mean gas of these.
    isGasBound ||= gas * Math.min(1, maxLegs / active.length) > room
    const excess = Math.max(active.length - maxLegs, tooDear ? 1 : 0)
    const candidates = rank(problem, active, terms, { excess, tooDear })
    const worthless = worthlessOf(candidates)
    const wanted = Math.max(excess, worthless.length)
    let dropped = batchOf(excess > 0 ? candidates : worthless, Math.floor(BATCH * wanted))
    if (wanted === 0) {
      const forbidden = findCycle(problem, active) ?? findLongPath(problem, active, maxHops)
      if (!forbidden) return { edges: active, value, isGasBound }
      dropped = new Set([candidates.find(({ edge }) => forbidden.includes(edge))!.edge])
    }
    const kept = active.filter((i) => !dropped.has(i))
    left = removeDeadEnds(problem, kept)
  }
}

/** The edges in use at the minimum over some; without any the dual has none, and the output is 0. */
function minimumOver(problem: Problem, edges: Int32Array, { gasCost }: Terms) {
  const { bound } = minimiseDual(problem, edges)
  const active = significantFlow(problem, edges)
  const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
  const value = active.length > 0 ? bound - gasCost * gas : 0
  return { active, value, gas }
}

/**
 * The candidates whose gas exceeds their loss. A leg with a long cascade can be worthless because
 * of the legs that lead to it, so those with short cascades go first.
 */
function worthlessOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const worthless = candidates.filter(({ score }) => score < 0)
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
  const { from, ν, x, surplus } = problem
  const cascadeAt = cascadesOf(problem, active)
  const costOf = reroutingCosts(problem)
  const isNeeded = neededToPlace(problem, active)
  const candidates: Candidate[] = []
  for (const i of active) {
    const flow = ν[from[i]!]! * x[i]!
    const loss = surplus[i]! + flow * flow * costOf(i)
    const { legs, gas } = cascadeAt(i)
    // Legs saved beyond the excess save only gas. If gas is the excess, count gas instead of legs.
    const useful = tooDear ? gas / LEG_GAS : Math.max(1, Math.min(legs, excess))
    const score = isNeeded(i) ? Number.POSITIVE_INFINITY : (loss - gasCost * gas) / useful
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

/**
 * The cost, per squared value of flow, of moving flow from edge `i` to the rest of the network, at the last
 * minimum: ½·R / (1 − c·R), R the effective resistance between its ends and c its conductance.
 */
export function reroutingCosts({ from, to, c, laplacian }: Problem): (i: number) => number {
  const inverse = selectedInverse(laplacian)
  return (i) => {
    // Next to pools a trillion times as deep, cancellation can make R negative.
    const R = Math.max(0, resistance(laplacian, inverse, from[i]!, to[i]!))
    return (0.5 * R) / Math.max(1 - c[i]! * R, 1e-12)
  }
}

/** The edges with the smallest scores, one at least, until their cascades make up `quota` legs. */
function batchOf(candidates: readonly Candidate[], quota: number): ReadonlySet<number> {
  const dropped = new Set<number>()
  let total = 0
  for (const { edge, legs } of candidates) {
    if (total > 0 && total >= quota) break
    dropped.add(edge)
    total += legs
  }
  return dropped
}
