import type { Edge } from '../graph.js'
import { limitOf, outOf } from '../math/pieces.js'
import { type Flow, topologicalOrder } from './flow.js'
import type { Problem } from './problem.js'

// What comes before a pool pays a little less or more than floats say: leave room for it.
const ROOM = 1 - 5e-7

/** A balanced flow and what of it arrives. */
export type Recovered = {
  readonly flow: Flow
  readonly amountOut: number
  readonly stuckAt?: never
}

// Where a token gets more than it can pass on, what comes in is cut back, so many times over.
const CUTS = 32
const IDLE = 1e-12

/**
 * A flow out of the dual's: tokens from source to sink, each once all that comes in is known, what
 * it holds split as the dual's flows are and never past a pool's limit. Balanced by
 * construction, so what the dual left out of balance is lost to second order only. `undefined` if
 * the edges form a cycle; the token that cannot pass on all it gets, if there is one.
 */
export function recover(
  problem: Problem,
  active: Int32Array,
): Recovered | { readonly stuckAt: number } | undefined {
  const { graph, tokens, edges, x, pieces } = problem
  const edgeOf = (i: number): Edge => graph.edges[edges[i]!]!
  const order = topologicalOrder(new Map(Array.from(active, (i) => [edgeOf(i), x[i]!])))
  if (!order) return undefined
  const localOf = new Map(Array.from(tokens, (token, k) => [graph.tokens[token]!, k]))
  const ks = order.map((token) => localOf.get(token)!)
  const most = new Float64Array(edges.length)
  for (const i of active) most[i] = limitOf(pieces[i]!) * ROOM
  for (let cut = 0; ; cut++) {
    const pushed = push(problem, active, ks, most)
    if (pushed.stuckAt === undefined) {
      const used = active.filter((i) => pushed.amounts[i]! > 0)
      const flow = new Map(Array.from(used, (i) => [edgeOf(i), pushed.amounts[i]!]))
      return { flow, amountOut: pushed.amountOut }
    }
    if (pushed.stuckAt === problem.source || cut === CUTS) return { stuckAt: pushed.stuckAt }
    for (const i of active) {
      if (problem.to[i] === pushed.stuckAt) most[i] = pushed.amounts[i]! * pushed.passed
    }
  }
}

/** Pushes the amount through the tokens in order, or as far as to one that cannot pass it all on. */
function push(
  problem: Problem,
  active: Int32Array,
  order: readonly number[],
  most: Float64Array,
):
  | { readonly amounts: Float64Array; readonly amountOut: number; readonly stuckAt?: never }
  | { readonly amounts: Float64Array; readonly stuckAt: number; readonly passed: number } {
  const { from, to, pieces } = problem
  const amounts = new Float64Array(problem.edges.length)
  const held = new Float64Array(problem.u.length)
  held[problem.source] = problem.amount
  for (const k of order) {
    if (k === problem.sink) continue
    const outgoing = active.filter((i) => from[i] === k)
    const left = share(problem, outgoing, held[k]!, { amounts, most })
    if (left > 0) return { amounts, stuckAt: k, passed: (held[k]! - left) / held[k]! }
    for (const i of outgoing) held[to[i]!]! += outOf(pieces[i]!, amounts[i]!)
  }
  return { amounts, amountOut: held[problem.sink]! }
}

/**
 * Splits `amount` as the dual's flows do. What they are out of balance by falls to the edges by their
 * conductances, as a move of the token's price would have it; what passes the most that an edge may
 * take, or would take less than nothing, to the others. Returns what none can take.
 */
function share(
  { x, c, ν, from }: Problem,
  outgoing: Int32Array,
  amount: number,
  { amounts, most }: { readonly amounts: Float64Array; readonly most: Float64Array },
): number {
  const isFixed = new Uint8Array(outgoing.length)
  const flow = outgoing.reduce((sum, i) => sum + x[i]!, 0)
  // Edges that are full or idle in the dual yield only where no other does.
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
