/**
 * Primal recovery: a balanced flow from the flows at the minimum of the dual. Input: a problem at
 * its minimum. Output: a flow that conserves every token and respects every limit. The dual's own
 * flows balance only up to a tolerance.
 */
import { edgesAt, findLongWalk, topologicalOrder } from '../../math/edgeSets.js'
import { inputForOf, limitOf, outOf, priceOf } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import { DRAINED, IDLE, RECOVERY_LIMIT } from '../tuning.js'

/**
 * A balanced flow, as the amount into each edge, and what reaches the sink. Visits the tokens in topological
 * order, and splits what each receives as the dual does, within the most that each edge can take. The dual's
 * imbalance costs output to second order only. `undefined` if the edges form a cycle or a path of more than `maxHops`,
 * or cannot take the amount.
 */
export function recoverFlow(problem: Problem, active: Int32Array, maxHops = active.length) {
  const { from, to, u, pieces, source, sink, amount } = problem
  const order = topologicalOrder(problem, active)
  const most = order && (mostOf(problem, active, order) ?? mostOf(problem, active, order, true))
  const isLong = active.length > maxHops && findLongWalk(problem, active, maxHops)
  if (!order || !most || isLong) return undefined
  const flow = new Float64Array(from.length)
  const held = new Float64Array(u.length)
  held[source] = amount
  for (const k of order) {
    if (k === sink || held[k] === 0) continue
    const leaving = edgesAt(from, active, k)
    share(problem, leaving, held[k]!, { flow, most })
    for (const i of leaving) held[to[i]!]! += outOf(pieces[i]!, flow[i]!)
  }
  return { flow, amountOut: held[sink]! }
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
 * Splits `amount` over the edges that leave a token, as the dual's flows do. The imbalance is
 * distributed in proportion to the conductances, as a change of the token's price would. An edge that
 * would leave [0, most] is fixed at that end and the others take the remainder.
 */
function share(
  { x, c, ν, from }: Problem,
  leaving: readonly number[],
  amount: number,
  { flow, most }: { readonly flow: Float64Array; readonly most: Float64Array },
): void {
  let inDual = 0
  for (const i of leaving) {
    flow[i] = Math.min(x[i]!, most[i]!)
    inDual += flow[i]!
  }
  // Full and idle edges have no conductance in the dual: a tiny one makes them the last resort.
  const yieldOf = (i: number) => c[i]! / ν[from[i]!]! + IDLE * (x[i]! + inDual + amount)
  let rest = amount
  for (let open = leaving, isSettled = false; !isSettled; ) {
    let [placed, yielding] = [0, 0]
    for (const i of open) {
      placed += flow[i]!
      yielding += yieldOf(i)
    }
    const move = (rest - placed) / yielding
    const movedOf = (i: number) => flow[i]! + move * yieldOf(i)
    const within = open.filter((i) => movedOf(i) >= 0 && movedOf(i) <= most[i]!)
    isSettled = within.length === 0 || within.length === open.length
    for (const i of open) {
      if (!isSettled && within.includes(i)) continue
      flow[i] = Math.min(Math.max(0, movedOf(i)), most[i]!)
      rest -= flow[i]!
    }
    open = within
  }
}
