/**
 * Greedy backward elimination of edges, ranked by effective resistance. Input: a problem and a set
 * of edges. Output: a {@link Selection} within the caps on legs, gas and hops, without cycles. The
 * support of the dual often has a hundred edges, and a route may have 24.
 */

import { limitOf } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import { type Minimum, minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import {
  cascadesOf,
  findCycle,
  findLongPath,
  removeDeadEnds,
  significantFlow,
} from '../network/support.js'
import type { Request } from '../terms.js'
import { BATCH, LEG_GAS, MAX_CASCADE, PRUNE_TOLERANCE } from '../tuning.js'
import { reroutingCosts } from './reroutingCost.js'

/** The cost of gas and the caps on a selection. */
export type Charges = {
  /** Units of the sink's token per gas. */
  readonly gasCost: number
  readonly maxLegs: number
  /** Most gas of all hops together. */
  readonly maxGas: number
  /** Most hops on any path from source to sink. */
  readonly maxHops: number
}

/** The charges of an order. */
export function chargesOf({ terms, maxHops }: Request): Charges {
  const { gasCost, maxLegs, maxGas } = terms
  return { gasCost, maxLegs, maxGas: maxGas - ROUTER_GAS, maxHops }
}

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
 * between its ends: removing it from the dual costs σ and reroutes I through the rest of the
 * network:
 *
 *   loss ≈ σ + ½·I²·R / (1 − c·R)
 */
export function prune(problem: Problem, edges: Int32Array, charges: Charges): Selection {
  const { maxGas, maxLegs, maxHops, gasCost } = charges
  let active = edges
  let isGasBound = false
  for (;;) {
    const minimum = minimiseDual(problem, active, PRUNE_TOLERANCE)
    active = significantFlow(problem, active)
    const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
    // As many legs as the cap leaves, with the mean gas of these.
    isGasBound ||= gas * Math.min(1, maxLegs / active.length) > maxGas
    const isTooDear = gas > maxGas
    const excess = Math.max(active.length - maxLegs, isTooDear ? 1 : 0)
    const candidates = rank(problem, active, minimum, { gasCost, excess, isTooDear })
    const choice = excess > 0 ? candidates : worthlessOf(candidates)
    if (choice.length > 0) {
      const wanted = excess > 0 ? excess : choice.length
      active = without(problem, active, choose(choice, Math.max(1, Math.floor(BATCH * wanted))))
      continue
    }
    const forbidden = findCycle(problem, active) ?? findLongPath(problem, active, maxHops)
    if (!forbidden) {
      // Without edges the dual has no minimum and the output is 0.
      const value = active.length > 0 ? minimum.bound - gasCost * gas : 0
      return { edges: active, value, isGasBound }
    }
    const weakest = candidates.find(({ edge }) => forbidden.includes(edge))!.edge
    active = without(problem, active, new Set([weakest]))
  }
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
  { laplacian }: Minimum,
  {
    gasCost,
    excess,
    isTooDear,
  }: { readonly gasCost: number; readonly excess: number; readonly isTooDear: boolean },
): readonly Candidate[] {
  const { from, ν, x, surplus } = problem
  const cascadeOf = cascadesOf(problem, active)
  const costOf = reroutingCosts(problem, laplacian)
  const isNeeded = neededToPlace(problem, active)
  const candidates: Candidate[] = []
  for (const i of active) {
    const flow = ν[from[i]!]! * x[i]!
    const loss = surplus[i]! + flow * flow * costOf(i)
    const { legs, gas } = cascadeOf(i)
    // Legs saved beyond the excess save only gas. If gas is the excess, count gas instead of legs.
    const useful = isTooDear ? gas / LEG_GAS : Math.max(1, Math.min(legs, excess))
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

/** The candidates with the smallest scores, until their cascades make up `quota` legs. */
function choose(candidates: readonly Candidate[], quota: number): ReadonlySet<number> {
  const dropped = new Set<number>()
  let count = 0
  for (const { edge, legs } of candidates) {
    if (count >= quota) break
    dropped.add(edge)
    count += legs
  }
  return dropped
}

function without(problem: Problem, active: Int32Array, dropped: ReadonlySet<number>): Int32Array {
  return removeDeadEnds(
    problem,
    active.filter((i) => !dropped.has(i)),
  )
}
