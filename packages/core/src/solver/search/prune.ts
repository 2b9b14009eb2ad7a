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
import {
  BATCH,
  LEG_GAS,
  MAX_CASCADE,
  PRUNE_TOLERANCE,
  ROLLBACK_LOSS,
  ROLLBACK_NOISE,
  TRIALS,
} from '../tuning.js'
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
  let active = edges
  // Edges whose drop was tried and lowered the value.
  const kept = new Set<number>()
  let quota = Number.POSITIVE_INFINITY
  let last: Batch | undefined
  let isGasBound = false
  for (;;) {
    const minimum = minimiseDual(problem, active, PRUNE_TOLERANCE)
    active = significantFlow(problem, active)
    const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
    // Without edges the dual has no minimum and the output is 0.
    const value = active.length > 0 ? minimum.bound - charges.gasCost * gas : 0
    if (last && value < last.value - last.loss - last.surprise * Math.abs(last.value)) {
      // Together the drops cost far more than the sum of their losses: roll back and drop fewer.
      active = last.edges
      problem.u.set(last.prices)
      quota = Math.ceil(last.dropped.size / 4)
      if (last.dropped.size === 1) for (const edge of last.dropped) kept.add(edge)
      last = undefined
      continue
    }
    const tooDear = gas > charges.maxGas
    // As many legs as the cap leaves, with the mean gas of these.
    isGasBound ||= gas * Math.min(1, charges.maxLegs / active.length) > charges.maxGas
    const excess = Math.max(active.length - charges.maxLegs, tooDear ? 1 : 0)
    const candidates = rank(problem, active, minimum, charges, { excess, tooDear })
    const worthless = worthlessOf(candidates, kept)
    const wanted = Math.max(excess, worthless.length)
    if (wanted > 0) {
      const choice = excess > 0 ? candidates : worthless
      if (quota === 1) {
        const tested = dropByTrial(problem, active, choice, value, charges)
        if (excess > 0 || tested.loss < 0) active = tested.edges
        else for (const { edge } of choice.slice(0, TRIALS)) kept.add(edge)
        last = undefined
        continue
      }
      const size = Math.max(1, Math.min(quota, Math.floor(BATCH * wanted)))
      const batch = choose(choice, size)
      last = {
        edges: active,
        prices: problem.u.slice(),
        value,
        surprise: excess > 0 ? ROLLBACK_LOSS : ROLLBACK_NOISE,
        ...batch,
      }
      active = without(problem, active, batch.dropped)
      quota *= 2
      continue
    }
    const forbidden = findCycle(problem, active) ?? findLongPath(problem, active, charges.maxHops)
    if (!forbidden) return { edges: active, value, isGasBound }
    const weakest = candidates.find(({ edge }) => forbidden.includes(edge))!.edge
    active = without(problem, active, new Set([weakest]))
    last = undefined
  }
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

/** The state before a batch of drops, and the predicted loss. */
type Batch = {
  readonly edges: Int32Array
  readonly prices: Float64Array
  readonly value: number
  readonly loss: number
  readonly surprise: number
  readonly dropped: ReadonlySet<number>
}

type Candidate = { readonly edge: number; readonly legs: number; readonly score: number }

/** Edges by loss net of gas per useful leg, the smallest first. */
function rank(
  problem: Problem,
  active: Int32Array,
  { laplacian }: Minimum,
  { gasCost }: Charges,
  { excess, tooDear }: { readonly excess: number; readonly tooDear: boolean },
): readonly Candidate[] {
  const { from, ν, x, surplus } = problem
  const cascadeAt = cascadesOf(problem, active)
  const costOf = reroutingCosts(problem, laplacian)
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

/** The candidates with the smallest scores, until their cascades make up `quota` legs. */
function choose(candidates: readonly Candidate[], quota: number) {
  const dropped = new Set<number>()
  let legs = 0
  let loss = 0
  for (const candidate of candidates) {
    if (legs >= quota) break
    dropped.add(candidate.edge)
    legs += candidate.legs
    loss += Math.max(0, candidate.score * candidate.legs)
  }
  return { dropped, loss }
}

/**
 * Solves without each of the first few candidates and drops the one with the smallest true loss.
 */
function dropByTrial(
  problem: Problem,
  active: Int32Array,
  candidates: readonly Candidate[],
  value: number,
  { gasCost, maxLegs }: Charges,
): { readonly edges: Int32Array; readonly loss: number } {
  const prices = problem.u.slice()
  let best: { edges: Int32Array; prices: Float64Array; loss: number } | undefined
  for (const { edge, score } of candidates.slice(0, TRIALS)) {
    if (best && score === Number.POSITIVE_INFINITY) break
    problem.u.set(prices)
    const edges = without(problem, active, new Set([edge]))
    const bound = edges.length > 0 ? minimiseDual(problem, edges, PRUNE_TOLERANCE).bound : 0
    const gas = edges.reduce((sum, i) => sum + gasAt(problem, i), 0)
    const saved = Math.min(active.length - edges.length, active.length - maxLegs)
    const loss = (value - (bound - gasCost * gas)) / Math.max(1, saved)
    if (!best || loss < best.loss) best = { edges, prices: problem.u.slice(), loss }
  }
  problem.u.set(best!.prices)
  return best!
}

function without(problem: Problem, active: Int32Array, dropped: ReadonlySet<number>): Int32Array {
  return removeDeadEnds(
    problem,
    active.filter((i) => !dropped.has(i)),
  )
}
