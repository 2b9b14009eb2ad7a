/**
 * An integer pattern (coordinate) search for better shares. Input: hops and an order. Output: the same hops with
 * shares that pay no less. Each trial is replayed exactly.
 */
import type { Order } from './order.js'
import { amountOutOf, type PlannedHop, SHARE_ONE } from './replay.js'

// Step sizes from a sixteenth of a token's amount to the last bit of the share grid. They are passed
// twice, because a small step can make room for a large one.
const STEPS = [20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0].map((bits) => 2 ** bits)

/**
 * Changes one share at a time by smaller and smaller steps and keeps a change if the exact output
 * increases. If a token on the route has few units, its rounding outweighs the equality of marginal
 * prices, and only such a search improves the split.
 */
export function refineShares(hops: readonly PlannedHop[], order: Order): readonly PlannedHop[] {
  let best = hops
  let most = amountOutOf(hops, order) ?? 0n
  for (const [turn, step] of [...STEPS, ...STEPS].entries()) {
    if (turn === STEPS.length && best === hops) break
    for (const [n, { share }] of hops.entries()) {
      if (share === 0) continue
      for (const move of [step, -step]) {
        const moved = best[n]!.share + move
        if (moved <= 0 || moved > SHARE_ONE) continue
        const trial = best.with(n, { ...best[n]!, share: moved })
        const amountOut = amountOutOf(trial, order)
        if (amountOut !== undefined && amountOut > most) [best, most] = [trial, amountOut]
      }
    }
  }
  return best
}
