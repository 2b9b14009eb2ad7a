import { expect, it } from 'vitest'
import { refineShares } from './refineShares.js'
import { amountOutOf, SHARE_ONE } from './replay.js'
import { pair, token } from './testing/arbitraryMarkets.js'

it('reaches the best split of a grid from one beside it, where a token has few units', () => {
  const pools = [pair(0, [1, 2], [1_000n, 5_000n]), pair(1, [1, 2], [3_000n, 12_000n])]
  const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 400n }
  const direction = { in: 0, out: 1 }
  const split = (share: number) => [
    { pool: pools[0]!, direction, share },
    { pool: pools[1]!, direction, share: 0 },
  ]
  let [best, bestPart] = [0n, 0]
  for (let n = 1; n < 400; n++) {
    const out = amountOutOf(split(Math.round((n / 400) * SHARE_ONE)), order) ?? 0n
    if (out > best) [best, bestPart] = [out, n / 400]
  }
  const start = split(Math.round((bestPart + 0.1) * SHARE_ONE))
  expect(amountOutOf(start, order)!).toBeLessThan(best)
  expect(amountOutOf(refineShares(start, order), order)!).toBeGreaterThanOrEqual(best - 1n)
})
