/**
 * Primal recovery: a balanced flow from the flows at the minimum of the dual. Input: a problem at
 * its minimum. Output: a flow that conserves every token and respects every limit. The dual's own
 * flows balance only up to a tolerance.
 */
import { limitOf, outOf } from '../../math/pieces.js'
import { type Flow, topologicalOrder } from '../network/flow.js'
import type { Problem } from '../network/problem.js'
import { CUTS, IDLE, RECOVERY_LIMIT } from '../tuning.js'

/** A balanced flow and the amount that reaches the sink. */
export type Recovered = {
  readonly flow: Flow
  readonly amountOut: number
  readonly saturatedToken?: never
}

/**
 * Visits the tokens in topological order and splits what each receives in the proportions of the
 * dual's flows, never beyond a pool's limit. The flow is balanced by construction, and the dual's
 * imbalance costs output to second order only. Returns `undefined` if the edges form a cycle, and
 * `saturatedToken` if a token cannot pass on all it receives.
 */
export function recoverFlow(
  problem: Problem,
  active: Int32Array,
): Recovered | { readonly saturatedToken: number } | undefined {
  const { from, to, pieces } = problem
  const order = topologicalOrder(problem, active)
  if (!order) return undefined
  const stops = order.map((token): Stop => {
    const leaving: number[] = []
    for (const i of active) if (from[i] === token) leaving.push(i)
    return { token, leaving }
  })
  const most = new Float64Array(from.length)
  for (const i of active) most[i] = limitOf(pieces[i]!) * RECOVERY_LIMIT
  for (let cut = 0; ; cut++) {
    const pushed = push(problem, stops, most)
    if (pushed.saturatedToken === undefined) return pushed
    if (pushed.saturatedToken === problem.source || cut === CUTS) {
      return { saturatedToken: pushed.saturatedToken }
    }
    for (const i of active) {
      if (to[i] === pushed.saturatedToken) most[i] = pushed.flow[i]! * pushed.passed
    }
  }
}

/** A token and the edges that leave it. */
type Stop = { readonly token: number; readonly leaving: readonly number[] }

/** Pushes the amount through the tokens in order, up to the first that cannot pass it all on. */
function push(
  problem: Problem,
  stops: readonly Stop[],
  most: Float64Array,
): Recovered | { readonly flow: Flow; readonly saturatedToken: number; readonly passed: number } {
  const { to, pieces } = problem
  const flow = new Float64Array(to.length)
  const held = new Float64Array(problem.u.length)
  held[problem.source] = problem.amount
  for (const { token, leaving } of stops) {
    if (token === problem.sink) continue
    const amount = held[token]!
    const left = share(problem, leaving, amount, { flow, most })
    if (left > 0) return { flow, saturatedToken: token, passed: (amount - left) / amount }
    for (const i of leaving) held[to[i]!]! += outOf(pieces[i]!, flow[i]!)
  }
  return { flow, amountOut: held[problem.sink]! }
}

/**
 * Splits `amount` over the edges that leave a token, as the dual's flows do. The imbalance is
 * distributed in proportion to the conductances, as a change of the token's price would. An edge that
 * would leave [0, limit] is fixed at that end and the others take the remainder. Returns the amount that
 * no edge can take.
 */
function share(
  { x, c, ν, from }: Problem,
  leaving: readonly number[],
  amount: number,
  { flow, most }: { readonly flow: Flow; readonly most: Float64Array },
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
