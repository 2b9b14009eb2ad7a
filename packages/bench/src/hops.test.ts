import { replay } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexEdges } from './edges.js'
import { hopsOfPaths, mergedHopsOfPaths } from './hops.js'
import { madeAddress, makePair, toSnapshot } from './markets/build.js'

// in → middle by two pools, middle → out by one: paths that share their last pool.
const tokens = [0, 1, 2].map((n) => ({ address: madeAddress('token', n), decimals: 18, price: 1 }))
const [from, middle, to] = tokens as [(typeof tokens)[0], (typeof tokens)[0], (typeof tokens)[0]]
const pools = [
  makePair({ n: 0, ends: [from, middle], depth: 100, feePpm: 3000 }),
  makePair({ n: 1, ends: [from, middle], depth: 300, feePpm: 3000 }),
  makePair({ n: 2, ends: [middle, to], depth: 1000, feePpm: 3000 }),
]
const edges = indexEdges(toSnapshot(tokens, pools))
const [first, second] = edges.from.get(from.address)!
const last = edges.from.get(middle.address)!.find(({ tokenOut }) => tokenOut === to.address)!
const amountIn = 40n * 10n ** 18n
const order = { tokenIn: from.address, tokenOut: to.address, amountIn }

describe('paths as hops', () => {
  it('leaves no remainder and keeps any split within 2⁻²⁴', () => {
    fc.assert(
      fc.property(fc.bigInt(10n ** 14n, amountIn - 10n ** 14n), (part) => {
        const paths = [
          { path: [first!, last], amount: part },
          { path: [second!, last], amount: amountIn - part },
        ]
        const separate = replay(hopsOfPaths(paths, amountIn)!, order)!
        const merged = replay(mergedHopsOfPaths(paths, order)!, order)!
        expect(separate.route).toHaveLength(4)
        expect(merged.route).toHaveLength(3)
        const into = (pool: string, route: typeof merged.route) =>
          route.filter((hop) => hop.pool.id === pool).reduce((sum, hop) => sum + hop.amountIn, 0n)
        for (const { route } of [separate, merged]) {
          const error = Number(into(pools[0]!.id, route) - part)
          expect(Math.abs(error)).toBeLessThanOrEqual(Number(amountIn) * 2 ** -24)
          expect(into(pools[0]!.id, route) + into(pools[1]!.id, route)).toBe(amountIn)
        }
        // Two swaps pay a little more than one: the first fee stays in the reserves.
        const gap = Number(separate.amountOut - merged.amountOut) / Number(merged.amountOut)
        expect(Math.abs(gap)).toBeLessThan(1e-4)
      }),
    )
  })

  it('does not merge paths that form a cycle', () => {
    const back = edges.from.get(middle.address)!.find(({ tokenOut }) => tokenOut === from.address)!
    const paths = [{ path: [first!, back, second!, last], amount: amountIn }]
    expect(mergedHopsOfPaths(paths, order)).toBeUndefined()
  })
})
