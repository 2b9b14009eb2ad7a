import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { solve } from './solve.js'

const E = 10n ** 24n

// Pools between 2 and 3 disagree by 4 %: together they are a cycle that earns, and no route has it.
const pools = [
  pair(1, [1, 2], [E, E]),
  pair(2, [2, 3], [E, E]),
  pair(3, [2, 3], [E, (E * 104n) / 100n]),
  pair(4, [3, 4], [E, E]),
  pair(5, [2, 4], [E, E]),
]
const snapshot = snapshotOf(pools, 10n ** 9n)
const certified = (amountIn: bigint, certificate: 'fast' | 'paths') => {
  const order = { tokenIn: token(1), tokenOut: token(4), amountIn }
  const { net, bound } = solve(buildGraph(snapshot), order, { certificate })!
  expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount)
  expect(net).toBeLessThanOrEqual(Number(bound!.amount))
  return { ...bound!, net, gap: Number(bound!.amount) / net - 1 }
}

describe('the certificate of an answer', () => {
  it('is lower the more work is asked for, and never changes the answer', () => {
    for (const amountIn of [10n ** 16n, 10n ** 18n, 10n ** 22n]) {
      const [fast, paths] = (['fast', 'paths'] as const).map((one) => certified(amountIn, one))
      expect(paths!.amount).toBeLessThanOrEqual(fast!.amount)
      expect(paths!.net).toBe(fast!.net)
    }
  })

  it('proves a small order beside pools that disagree, by edges that it opens', () => {
    expect(certified(10n ** 18n, 'fast').gap).toBeGreaterThan(1e-3)
    const paths = certified(10n ** 18n, 'paths')
    expect(paths.gap).toBeLessThan(1e-6)
    expect(paths.open).not.toEqual([])
  })

  it('opens no edge where the prices prove the answer', () => {
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 10n ** 20n }
    const { bound, net } = solve(buildGraph(snapshotOf(pools.slice(0, 1))), order)!
    expect(Number(bound!.amount) / net - 1).toBeLessThan(1e-8)
    expect(bound!.open).toBeUndefined()
  })
})
