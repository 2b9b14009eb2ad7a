import type { Address, Order } from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import type { Market } from '../market.js'

/** An amount of a token, and the tokens passed on the way to it. */
type Reached = { readonly amount: bigint; readonly passed: readonly Address[] }

/**
 * Returns whether a path of at most `maxHops` outputs at least one wei, by breadth-first search. For
 * each token and number of hops it keeps only the largest and the smallest amount: output is monotone
 * in input, except that a pool may refuse an input that is too large. No path returns to a token,
 * because a route has no cycles and a pool that is passed again has another state.
 */
export function isServable(market: Market, order: Order, maxHops: number): boolean {
  const { tokenIn, tokenOut: wanted, amountIn } = order
  let frontier = new Map<Address, readonly Reached[]>([
    [tokenIn, [{ amount: amountIn, passed: [tokenIn] }]],
  ])
  for (let hop = 0; hop < maxHops; hop++) {
    const next = new Map<Address, readonly Reached[]>()
    for (const [token, reached] of frontier) {
      for (const { pool, direction, tokenOut } of market.edges.from.get(token) ?? []) {
        for (const { amount, passed } of reached) {
          if (passed.includes(tokenOut)) continue
          const out = getAmountOut(pool, direction, amount)
          if (out === 0n) continue
          if (tokenOut === wanted) return true
          const found = { amount: out, passed: [...passed, tokenOut] }
          next.set(tokenOut, extremesOf([...(next.get(tokenOut) ?? []), found]))
        }
      }
    }
    frontier = next
  }
  return false
}

function extremesOf(reached: readonly Reached[]): readonly Reached[] {
  const low = reached.reduce((a, b) => (b.amount < a.amount ? b : a))
  const high = reached.reduce((a, b) => (b.amount > a.amount ? b : a))
  return low === high ? [low] : [low, high]
}
