/**
 * Greedy backward elimination of edges, ranked by effective resistance. Input: a problem and a set
 * of edges. Output: those within the caps on legs, gas and hops, without cycles. The
 * support of the dual often has a hundred edges, and a route may have 24.
 */

import { findLongWalk, removeDeadEnds } from '../../math/edgeSets.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import { cascadesOf, significantFlow } from '../network/support.js'
import type { Terms } from '../terms.js'
import { BATCH, LEG_GAS, SHORT_CASCADE } from '../tuning.js'
import { type Columns, gainsWithout } from './columns.js'

/**
 * Drops edges, those with the smallest loss first, until they are few enough, acyclic and each
 * worth its gas. Solves the dual again after every batch. Leaves the problem at the minimum over
 * the edges returned, which may be none.
 */
export function prune(problem: Problem, edges: Int32Array, terms: Terms): Columns {
  const { room, maxLegs, maxHops, gasCost } = terms
  for (let left = edges; ; ) {
    const { bound } = minimiseDual(problem, left)
    const active = significantFlow(problem, left)
    const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
    const isDear = gas > room
    const excess = Math.max(active.length - maxLegs, isDear ? 1 : 0)
    const ranked = rank(problem, active, gasCost, { excess, isDear })
    const worthless = ranked.filter(({ score }) => score < 0)
    // A leg with a long cascade can be worthless because of the legs that lead to it: short ones go first.
    const short = worthless.filter(({ legs }) => legs <= SHORT_CASCADE)
    let choice: readonly Ranked[] = short.length > 0 ? short : worthless
    if (excess > 0) choice = ranked
    if (choice.length === 0) {
      // A support that is in order but for its shape loses an edge of a cycle or of a long path.
      const long = findLongWalk(problem, active, maxHops)
      choice = ranked.filter(({ edge }) => long?.includes(edge))
    }
    // Without any edge the dual has no minimum, and the output is 0.
    if (choice.length === 0)
      return { edges: active, value: active.length > 0 ? bound - gasCost * gas : 0 }
    const wanted = Math.max(excess, worthless.length)
    const dropped = batchOf(choice, Math.max(1, Math.floor(BATCH * wanted)))
    const kept = active.filter((i) => !dropped.includes(i))
    left = removeDeadEnds(problem, kept)
  }
}

type Ranked = { readonly edge: number; readonly legs: number; readonly score: number }

/** Edges by loss net of gas per useful leg, the smallest first. */
function rank(
  problem: Problem,
  active: Int32Array,
  gasCost: number,
  { excess, isDear }: { readonly excess: number; readonly isDear: boolean },
): readonly Ranked[] {
  const cascadeAt = cascadesOf(problem, active)
  const gainsOf = gainsWithout(problem)
  const ranked = Array.from(active, (edge) => {
    const { legs, gas } = cascadeAt(edge)
    // Legs saved beyond the excess save only gas. If gas is the excess, count gas instead of legs.
    const useful = isDear ? gas / LEG_GAS : Math.max(1, Math.min(legs, excess))
    return { edge, legs, score: (-gainsOf(edge)(0) - gasCost * gas) / useful }
  })
  return ranked.sort((a, b) => a.score - b.score || a.edge - b.edge)
}

/** The first edges, until their cascades make up `quota` legs. */
function batchOf(candidates: readonly Ranked[], quota: number): readonly number[] {
  let n = 0
  for (let legs = 0; legs < quota && n < candidates.length; n++) legs += candidates[n]!.legs
  return candidates.slice(0, n).map(({ edge }) => edge)
}
