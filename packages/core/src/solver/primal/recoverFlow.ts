/**
 * Primal recovery: a balanced flow from the flows at the minimum of the dual. Input: a problem at
 * its minimum. Output: a flow that conserves every token and respects every limit. The dual's own
 * flows balance only up to a tolerance.
 */
import { limitOf, outOf } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import { topologicalOrder } from '../network/support.js'
import { CUTS, IDLE, RECOVERY_LIMIT } from '../tuning.js'

/**
 * A balanced flow (amount into each edge) and the amount that reaches the sink, or the token that cannot
 * pass on its inflow.
 */
export type Recovered =
  | { readonly flow: Float64Array; readonly amountOut: number; readonly saturatedToken?: never }
  | { readonly saturatedToken: number }

/**
 * Visits the tokens in topological order and splits what each receives in the proportions of the
 * dual's flows, never beyond a pool's limit. The flow is balanced by construction, and the dual's
 * imbalance costs output to second order only. Where a token cannot pass on its inflow, that is reduced and
 * the visit repeated, at most {@link CUTS} times. `undefined` if the edges form a cycle.
 */
export function recoverFlow(problem: Problem, active: Int32Array): Recovered | undefined {
  const { from, to, pieces, source, sink, amount } = problem
  const order = topologicalOrder(problem, active)
  if (!order) return undefined
  const stops = order.map((token) => ({ token, leaving: active.filter((i) => from[i] === token) }))
  const most = new Float64Array(from.length)
  for (const i of active) most[i] = limitOf(pieces[i]!) * RECOVERY_LIMIT
  for (let cut = 0; ; cut++) {
    const flow = new Float64Array(from.length)
    const held = new Float64Array(problem.u.length)
    held[source] = amount
    let left = 0
    const saturated = stops.find(({ token, leaving }) => {
      if (token === sink) return false
      left = share(problem, leaving, held[token]!, { flow, most })
      for (const i of leaving) held[to[i]!]! += outOf(pieces[i]!, flow[i]!)
      return left > 0
    })?.token
    if (saturated === undefined) return { flow, amountOut: held[sink]! }
    if (saturated === source || cut === CUTS) return { saturatedToken: saturated }
    const passed = 1 - left / held[saturated]!
    for (const i of active) if (to[i] === saturated) most[i] = flow[i]! * passed
  }
}

/**
 * Splits `amount` over the edges that leave a token, as the dual's flows do. The imbalance is
 * distributed in proportion to the conductances, as a change of the token's price would. An edge that
 * would leave [0, limit] is fixed at that end and the others take the remainder. Returns the amount that
 * no edge can take.
 */
function share(
  { x, c, ν, from }: Problem,
  leaving: Int32Array,
  amount: number,
  { flow, most }: { readonly flow: Float64Array; readonly most: Float64Array },
): number {
  let inDual = 0
  for (const i of leaving) inDual += x[i]!
  // Edges that are full or idle in the dual have no conductance: a tiny one makes them the last
  // resort.
  const yieldOf = (i: number) => c[i]! / ν[from[i]!]! + IDLE * (x[i]! + inDual + amount)
  const isFixed = new Uint8Array(leaving.length)
  let rest = amount
  for (;;) {
    let [open, yielding] = [0, 0]
    for (let n = 0; n < leaving.length; n++) {
      if (isFixed[n]) continue
      const i = leaving[n]!
      open += x[i]!
      yielding += yieldOf(i)
    }
    if (!(yielding > 0)) return rest
    const move = (rest - open) / yielding
    let isSettled = true
    for (let n = 0; n < leaving.length; n++) {
      if (isFixed[n]) continue
      const i = leaving[n]!
      flow[i] = x[i]! + move * yieldOf(i)
      if (flow[i]! >= 0 && flow[i]! <= most[i]!) continue
      flow[i] = flow[i]! < 0 ? 0 : most[i]!
      isFixed[n] = 1
      isSettled = false
    }
    if (isSettled) return 0
    rest = amount
    for (let n = 0; n < leaving.length; n++) if (isFixed[n]) rest -= flow[leaving[n]!]!
  }
}
