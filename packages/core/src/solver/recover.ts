import type { Edge } from '../graph.js'
import { limitOf, outOf } from '../math/pieces.js'
import { type Flow, topologicalOrder } from './flow.js'
import type { Problem } from './problem.js'

// What comes before a pool pays a little less or more than floats say: leave room for it.
const ROOM = 1 - 1e-6

/** A balanced flow and what of it arrives. */
export type Recovered = {
  readonly flow: Flow
  readonly amountOut: number
  readonly stuckAt?: never
}

/**
 * A flow out of the dual's: tokens from source to sink, each once all that comes in is known, what
 * it holds split in the proportions of the dual's flows and never past a pool's limit. Balanced by
 * construction, so what the dual left out of balance is lost to second order only. `undefined` if
 * the edges form a cycle; the token that cannot pass on all it gets, if there is one.
 */
export function recover(
  problem: Problem,
  active: Int32Array,
): Recovered | { readonly stuckAt: number } | undefined {
  const { graph, tokens, from, to, edges, x, pieces } = problem
  const edgeOf = (i: number): Edge => graph.edges[edges[i]!]!
  const order = topologicalOrder(new Map(Array.from(active, (i) => [edgeOf(i), x[i]!])))
  if (!order) return undefined
  const held = new Float64Array(tokens.length)
  held[problem.source] = problem.amount
  const flow = new Map<Edge, number>()
  const localOf = new Map(Array.from(tokens, (token, k) => [graph.tokens[token]!, k]))
  for (const token of order) {
    const k = localOf.get(token)!
    if (k === problem.sink) continue
    const outgoing = active.filter((i) => from[i] === k)
    const amounts = share(problem, outgoing, held[k]!)
    if (!amounts) return { stuckAt: k }
    for (const [s, i] of outgoing.entries()) {
      if (amounts[s]! <= 0) continue
      flow.set(edgeOf(i), amounts[s]!)
      held[to[i]!]! += outOf(pieces[i]!, amounts[s]!)
    }
  }
  return { flow, amountOut: held[problem.sink]! }
}

/** Splits `amount` in the proportions of the dual's flows; what passes a limit goes to the others. */
function share(problem: Problem, outgoing: Int32Array, amount: number): Float64Array | undefined {
  const { x, pieces } = problem
  const amounts = new Float64Array(outgoing.length)
  const isFull = new Uint8Array(outgoing.length)
  let rest = amount
  for (let round = 0; round <= outgoing.length; round++) {
    const open = outgoing.reduce((sum, i, s) => sum + (isFull[s] ? 0 : x[i]!), 0)
    if (!(open > 0)) return rest > 0 ? undefined : amounts
    let hasFilled = false
    for (const [s, i] of outgoing.entries()) {
      if (isFull[s]) continue
      amounts[s] = (rest * x[i]!) / open
      const most = limitOf(pieces[i]!) * ROOM
      if (amounts[s]! <= most) continue
      amounts[s] = most
      isFull[s] = 1
      hasFilled = true
    }
    if (!hasFilled) return amounts
    rest = amount - amounts.reduce((sum, v, s) => sum + (isFull[s] ? v : 0), 0)
  }
  return amounts
}
