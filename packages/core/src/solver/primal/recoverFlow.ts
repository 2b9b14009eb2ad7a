/**
 * Primal recovery: a balanced flow from the flows at the minimum of the dual. Input: a problem at
 * its minimum. Output: a flow that conserves every token and respects every limit. The dual's own
 * flows balance only up to a tolerance.
 */
import { type Edge, edgeAt } from '../../graph.js'
import { limitOf, outOf } from '../../math/pieces.js'
import { type Flow, topologicalOrder } from '../network/flow.js'
import type { Problem } from '../network/problem.js'

// The exact inflow of a pool differs a little from floats, so its limit is not used in full.
const ROOM = 1 - 5e-7

/** A balanced flow and the amount that reaches the sink. */
export type Recovered = {
  readonly flow: Flow
  readonly amountOut: number
  readonly saturatedToken?: never
}

// Most rounds that reduce the inflow of a token that cannot pass it all on.
const CUTS = 32
const IDLE = 1e-12

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
  const { graph, tokens, edges, x, pieces } = problem
  const edgeOf = (i: number): Edge => edgeAt(graph, edges[i]!)
  const order = topologicalOrder(new Map(Array.from(active, (i) => [edgeOf(i), x[i]!])))
  if (!order) return undefined
  const localOf = new Map(Array.from(tokens, (token, k) => [graph.tokens[token]!, k]))
  const ks = order.map((token) => localOf.get(token)!)
  const most = new Float64Array(edges.length)
  for (const i of active) most[i] = limitOf(pieces[i]!) * ROOM
  for (let cut = 0; ; cut++) {
    const pushed = push(problem, active, ks, most)
    if (pushed.saturatedToken === undefined) {
      const used = active.filter((i) => pushed.amounts[i]! > 0)
      const flow = new Map(Array.from(used, (i) => [edgeOf(i), pushed.amounts[i]!]))
      return { flow, amountOut: pushed.amountOut }
    }
    if (pushed.saturatedToken === problem.source || cut === CUTS)
      return { saturatedToken: pushed.saturatedToken }
    for (const i of active) {
      if (problem.to[i] === pushed.saturatedToken) most[i] = pushed.amounts[i]! * pushed.passed
    }
  }
}

/** Pushes the amount through the tokens in order, up to the first that cannot pass it all on. */
function push(
  problem: Problem,
  active: Int32Array,
  order: readonly number[],
  most: Float64Array,
):
  | { readonly amounts: Float64Array; readonly amountOut: number; readonly saturatedToken?: never }
  | { readonly amounts: Float64Array; readonly saturatedToken: number; readonly passed: number } {
  const { from, to, pieces } = problem
  const amounts = new Float64Array(problem.edges.length)
  const held = new Float64Array(problem.u.length)
  held[problem.source] = problem.amount
  for (const k of order) {
    if (k === problem.sink) continue
    const outgoing = active.filter((i) => from[i] === k)
    const left = share(problem, outgoing, held[k]!, { amounts, most })
    if (left > 0) return { amounts, saturatedToken: k, passed: (held[k]! - left) / held[k]! }
    for (const i of outgoing) held[to[i]!]! += outOf(pieces[i]!, amounts[i]!)
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
  outgoing: Int32Array,
  amount: number,
  { amounts, most }: { readonly amounts: Float64Array; readonly most: Float64Array },
): number {
  const isFixed = new Uint8Array(outgoing.length)
  const flow = outgoing.reduce((sum, i) => sum + x[i]!, 0)
  // Edges that are full or idle in the dual have no conductance: a tiny one makes them the last
  // resort.
  const stiff = Float64Array.from(outgoing, (i) => IDLE * (x[i]! + flow + amount))
  let rest = amount
  for (;;) {
    let [open, yielding] = [0, 0]
    for (const [s, i] of outgoing.entries()) {
      if (isFixed[s]) continue
      open += x[i]!
      yielding += c[i]! / ν[from[i]!]! + stiff[s]!
    }
    if (!(yielding > 0)) return rest
    const move = (rest - open) / yielding
    let isSettled = true
    for (const [s, i] of outgoing.entries()) {
      if (isFixed[s]) continue
      amounts[i] = x[i]! + move * (c[i]! / ν[from[i]!]! + stiff[s]!)
      if (amounts[i]! >= 0 && amounts[i]! <= most[i]!) continue
      amounts[i] = amounts[i]! < 0 ? 0 : most[i]!
      isFixed[s] = 1
      isSettled = false
    }
    if (isSettled) return 0
    rest = outgoing.reduce((left, i, s) => left - (isFixed[s] ? amounts[i]! : 0), amount)
  }
}
