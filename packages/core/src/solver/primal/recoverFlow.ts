/**
 * Primal recovery: a balanced flow from the flows at the minimum of the dual. Input: a problem at
 * its minimum. Output: a flow that conserves every token and respects every limit. The dual's own
 * flows balance only up to a tolerance.
 */
import { edgesAt, findLongWalk, topologicalOrder } from '../../math/edgeSets.js'
import { inputForOf, limitOf, outOf, priceOf } from '../../math/pieces.js'
import { splitWithin } from '../../math/splitWithin.js'
import type { Problem } from '../network/problem.js'
import { DRAINED, FLOAT_ROUNDING, MAX_REFILLS, RECOVERY_LIMIT, TOLERANCE } from '../tuning.js'

/** The amount into each edge, and what reaches the sink. */
type Flow = { readonly flow: Float64Array; readonly amountOut: number }

/**
 * A balanced flow. Visits the tokens in topological order, and splits what each receives as the dual does, within
 * the most that each edge can take. The dual's imbalance costs output to second order only. Then edges that could take
 * no more take the room that the flow leaves. `undefined` if the edges form a cycle or a path of more than `maxHops`, or
 * cannot take the amount.
 */
export function recoverFlow(
  problem: Problem,
  active: Int32Array,
  maxHops = active.length,
): Flow | undefined {
  const order = topologicalOrder(problem, active)
  const isLong = active.length > maxHops && findLongWalk(problem, active, maxHops)
  let most = order && (mostOf(problem, active, order) ?? mostOf(problem, active, order, true))
  if (!order || !most || isLong) return undefined
  let best = placeWithin(problem, active, order, most)
  for (let n = 0; best && n < MAX_REFILLS; n++) {
    most = refill(problem, active, order, { ...best, most })
    const next = most && placeWithin(problem, active, order, most)
    if (!most || !next || next.amountOut <= best.amountOut) break
    best = next
  }
  return best
}

/**
 * The most that each edge can take so that the tokens behind it can pass it on, found in reverse topological
 * order; `undefined` if that is not the whole amount. What a token can pass is for the edges into it in
 * proportion to their flows, or first for those that can be drained: they place much input for little output.
 */
function mostOf(
  { from, to, u, x, y, pieces, source, sink, amount }: Problem,
  active: Int32Array,
  order: readonly number[],
  isDrainedFirst = false,
): Float64Array | undefined {
  const room = new Float64Array(u.length)
  room[sink] = Number.POSITIVE_INFINITY
  const most = new Float64Array(from.length)
  const take = (i: number, part: number) => {
    most[i] = Math.min(inputForOf(pieces[i]!, part), limitOf(pieces[i]!)) * RECOVERY_LIMIT
    room[from[i]!]! += most[i]!
  }
  const mostOut = (i: number) => outOf(pieces[i]!, limitOf(pieces[i]!))
  const canDrain = (i: number) => priceOf(pieces[i]!, limitOf(pieces[i]!)) * x[i]! < DRAINED * y[i]!
  for (const k of order.toReversed()) {
    const entering = edgesAt(to, active, k)
    const drained = isDrainedFirst ? entering.filter(canDrain) : []
    for (const i of drained.sort((a, b) => mostOut(a) - mostOut(b))) {
      const part = Math.min(mostOut(i), room[k]!)
      room[k]! -= part
      take(i, part)
    }
    const others = entering.filter((i) => !drained.includes(i))
    // Where the dual's flows fit together, each fits.
    const inflow = others.reduce((sum, i) => sum + y[i]!, 0)
    for (const i of others) take(i, (y[i]! / inflow) * room[k]!)
  }
  return room[source]! < amount ? undefined : most
}

/**
 * The most that each edge can take beside a flow: the room that it leaves at a token is for the edges into it that took
 * all they may, in proportion to the flows of the dual. A drained edge leaves some: it was allotted all that it can
 * pay, and what it pays depends on what the others leave for it. `undefined` if no edge took all it may.
 */
function refill(
  { from, to, u, y, pieces, sink }: Problem,
  active: Int32Array,
  order: readonly number[],
  { flow, most: before }: Flow & { readonly most: Float64Array },
): Float64Array | undefined {
  const endOf = (i: number) => limitOf(pieces[i]!) * RECOVERY_LIMIT
  const isFull = (i: number) => flow[i]! >= before[i]! * (1 - TOLERANCE) && before[i]! < endOf(i)
  if (!active.some(isFull)) return undefined
  const outputOf = (i: number) => outOf(pieces[i]!, flow[i]!)
  const room = new Float64Array(u.length)
  room[sink] = Number.POSITIVE_INFINITY
  const most = before.slice()
  for (const k of order.toReversed()) {
    const entering = edgesAt(to, active, k)
    const full = entering.filter(isFull)
    const inDual = full.reduce((sum, i) => sum + y[i]!, 0)
    const left = entering.reduce((rest, i) => rest - outputOf(i), room[k]!)
    for (const i of full) {
      const more = inputForOf(pieces[i]!, outputOf(i) + (left * y[i]!) / inDual)
      if (more > most[i]!) most[i] = Math.min(more, endOf(i))
    }
    for (const i of entering) room[from[i]!]! += most[i]!
  }
  return most
}

/**
 * The flow where no edge takes more than its `most`; `undefined` if they cannot take it all. The imbalance of the
 * dual's flows is distributed in proportion to the conductances, as a change of the token's price would.
 */
function placeWithin(
  { from, to, u, ν, x, c, pieces, source, sink, amount }: Problem,
  active: Int32Array,
  order: readonly number[],
  most: Float64Array,
): Flow | undefined {
  const [held, flow] = [new Float64Array(u.length), new Float64Array(from.length)]
  held[source] = amount
  for (const k of order) {
    if (k === sink || held[k] === 0) continue
    const leaving = edgesAt(from, active, k)
    let inDual = 0
    for (const i of leaving) inDual += flow[i] = Math.min(x[i]!, most[i]!)
    // Full and idle edges have no conductance in the dual: a tiny one makes them the last resort.
    const yieldOf = (i: number) => c[i]! / ν[k]! + FLOAT_ROUNDING * (x[i]! + inDual + held[k]!)
    const placed = splitWithin(leaving, held[k]!, { value: flow, most, yieldOf })
    if (placed < held[k]! * (1 - TOLERANCE)) return undefined
    for (const i of leaving) held[to[i]!]! += outOf(pieces[i]!, flow[i]!)
  }
  return { flow, amountOut: held[sink]! }
}
