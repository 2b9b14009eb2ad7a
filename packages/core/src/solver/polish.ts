import type { Order } from '../order.js'
import { amountOutOf, type PlannedHop, SHARE_ONE } from '../route.js'

// From a sixteenth of what a token holds down to the grid's last bit.
const STEPS = [20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0].map((bits) => 2 ** bits)

/**
 * Moves shares by ever smaller steps while the exact walk pays more: where a token on the way has few
 * units, what they are rounded by outweighs what the balance of prices says.
 */
export function polish(hops: readonly PlannedHop[], order: Order): readonly PlannedHop[] {
  let best = hops
  let most = amountOutOf(hops, order) ?? 0n
  for (const step of STEPS) {
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
