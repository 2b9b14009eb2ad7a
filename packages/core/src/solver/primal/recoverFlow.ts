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
    const hops: number[] = []
    for (let s = 0; s < active.length; s++) if (from[active[s]!] === token) hops.push(s)
    return { token, hops }
  })
  const most = Float64Array.from(active, (i) => limitOf(pieces[i]!) * RECOVERY_LIMIT)
  for (let cut = 0; ; cut++) {
    const pushed = push(problem, active, stops, most)
    const { amounts } = pushed
    if (pushed.saturatedToken === undefined) {
      const isUsed = (_: number, s: number) => amounts[s]! > 0
      const flow = { edges: active.filter(isUsed), amounts: amounts.filter((x) => x > 0) }
      return { flow, amountOut: pushed.amountOut }
    }
    if (pushed.saturatedToken === problem.source || cut === CUTS) {
      return { saturatedToken: pushed.saturatedToken }
    }
    for (let s = 0; s < active.length; s++) {
      if (to[active[s]!] === pushed.saturatedToken) most[s] = amounts[s]! * pushed.passed
    }
  }
}

/** A token and the edges that leave it, by their positions among the active edges. */
type Stop = { readonly token: number; readonly hops: readonly number[] }

/** Pushes the amount through the tokens in order, up to the first that cannot pass it all on. */
function push(
  problem: Problem,
  active: Int32Array,
  stops: readonly Stop[],
  most: Float64Array,
):
  | { readonly amounts: Float64Array; readonly amountOut: number; readonly saturatedToken?: never }
  | { readonly amounts: Float64Array; readonly saturatedToken: number; readonly passed: number } {
  const { to, pieces } = problem
  const amounts = new Float64Array(active.length)
  const held = new Float64Array(problem.u.length)
  held[problem.source] = problem.amount
  for (const { token, hops } of stops) {
    if (token === problem.sink) continue
    const amount = held[token]!
    const left = share(problem, active, hops, amount, { amounts, most })
    if (left > 0) return { amounts, saturatedToken: token, passed: (amount - left) / amount }
    for (const s of hops) held[to[active[s]!]!]! += outOf(pieces[active[s]!]!, amounts[s]!)
  }
  return { amounts, amountOut: held[problem.sink]! }
}

/**
 * Splits `amount` as the dual's flows do. The imbalance is distributed in proportion to the
 * conductances, as a change of the token's price would. An edge that would leave [0, limit] is
 * fixed at that end and the others take the remainder. Returns the amount that no edge can take.
 */
function share(
  { x, c, ν, from }: Problem,
  active: Int32Array,
  hops: readonly number[],
  amount: number,
  { amounts, most }: { readonly amounts: Float64Array; readonly most: Float64Array },
): number {
  let flow = 0
  for (const s of hops) flow += x[active[s]!]!
  // Edges that are full or idle in the dual have no conductance: a tiny one makes them the last
  // resort.
  const yieldOf = (i: number) => c[i]! / ν[from[i]!]! + IDLE * (x[i]! + flow + amount)
  const isFixed = new Uint8Array(hops.length)
  let rest = amount
  for (;;) {
    let [open, yielding] = [0, 0]
    for (let n = 0; n < hops.length; n++) {
      if (isFixed[n]) continue
      const i = active[hops[n]!]!
      open += x[i]!
      yielding += yieldOf(i)
    }
    if (!(yielding > 0)) return rest
    const move = (rest - open) / yielding
    let isSettled = true
    for (let n = 0; n < hops.length; n++) {
      if (isFixed[n]) continue
      const s = hops[n]!
      const i = active[s]!
      amounts[s] = x[i]! + move * yieldOf(i)
      if (amounts[s]! >= 0 && amounts[s]! <= most[s]!) continue
      amounts[s] = amounts[s]! < 0 ? 0 : most[s]!
      isFixed[n] = 1
      isSettled = false
    }
    if (isSettled) return 0
    rest = amount
    for (let n = 0; n < hops.length; n++) if (isFixed[n]) rest -= amounts[hops[n]!]!
  }
}
