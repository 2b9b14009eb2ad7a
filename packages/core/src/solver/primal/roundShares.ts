/**
 * Rounding of a flow to the executor's share grid, and an integer pattern (coordinate) search on the shares.
 * Input: an acyclic flow, or hops. Output: hops in executable order. The last hop of each token takes all
 * that remains, so no dust is left.
 */
import { edgeAt } from '../../graph.js'
import { limitOf } from '../../math/pieces.js'
import type { Order } from '../../order.js'
import type { Registry } from '../../pools/index.js'
import { amountOutOf, type PlannedHop, SHARE_ONE } from '../../replay.js'
import type { Problem } from '../network/problem.js'
import { topologicalOrder } from '../network/support.js'
import { RECOVERY_LIMIT } from '../tuning.js'

/**
 * The hops of a flow over some edges in topological order, with shares on the executor's grid. A share
 * is a fraction of what remains of a token, so the grid becomes finer with every hop: the largest flows
 * come first. The pool with most room left comes last and takes all that remains. Throws if the
 * flow has a cycle, which the solver never passes.
 */
export function roundShares(
  problem: Problem,
  edges: Int32Array,
  flow: Float64Array,
): readonly PlannedHop[] {
  const { graph, from, pieces } = problem
  const mostOf = (i: number) => limitOf(pieces[i]!) * RECOVERY_LIMIT
  const roomOf = (i: number) => mostOf(i) - flow[i]!
  const used = edges.filter((i) => flow[i]! > 0)
  const order = topologicalOrder(problem, used)
  if (!order) throw new Error('a flow with a cycle cannot be executed')
  const hops: PlannedHop[] = []
  const take = (i: number, share: number) => {
    const { pool, direction } = edgeAt(graph, problem.edges[i]!)
    hops.push({ pool, direction, share })
  }
  for (const token of order) {
    const leaving = used.filter((i) => from[i] === token)
    if (leaving.length === 0) continue
    const roomiest = leaving.reduce((a, b) => (roomOf(b) > roomOf(a) ? b : a))
    const others = leaving.filter((i) => i !== roomiest)
    others.sort((a, b) => flow[b]! - flow[a]! || a - b)
    let remaining = leaving.reduce((sum, i) => sum + flow[i]!, 0)
    for (const i of others) {
      const partOf = (x: number) => (x / remaining) * SHARE_ONE
      // Where a large rest goes to another pool, half a step of the grid can be too much for a full one.
      const most = Math.floor(partOf(mostOf(i)))
      const share = Math.min(SHARE_ONE, Math.round(partOf(flow[i]!)), most)
      remaining *= 1 - share / SHARE_ONE
      if (share > 0) take(i, share)
    }
    take(roomiest, 0)
  }
  return hops
}

// Step sizes from a sixteenth of a token's amount to the last bit of the share grid. They are passed
// twice, because a small step can make room for a large one.
const STEPS = [20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0].map((bits) => 2 ** bits)

/**
 * Changes one share at a time by smaller and smaller steps and keeps a change if the exact output
 * increases. If a token on the route has few units, its rounding outweighs the equality of marginal
 * prices, and only such a search improves the split.
 */
export function refineShares(
  families: Registry,
  hops: readonly PlannedHop[],
  order: Order,
): readonly PlannedHop[] {
  let best = hops
  let most = amountOutOf(families, hops, order) ?? 0n
  for (const step of [...STEPS, ...STEPS]) {
    for (const [n, { share }] of hops.entries()) {
      if (share === 0) continue
      for (const move of [step, -step]) {
        const moved = best[n]!.share + move
        if (moved <= 0 || moved > SHARE_ONE) continue
        const trial = best.with(n, { ...best[n]!, share: moved })
        const amountOut = amountOutOf(families, trial, order)
        if (amountOut !== undefined && amountOut > most) [best, most] = [trial, amountOut]
      }
    }
  }
  return best
}
