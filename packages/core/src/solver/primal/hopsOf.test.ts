import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitOf } from '../../math/pieces.js'
import type { Pool } from '../../pools/index.js'
import { SHARE_ONE } from '../../replay.js'
import { pair, token } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { cutTo } from '../network/problem.js'
import { RECOVERY_LIMIT } from '../tuning.js'
import { hopsOf } from './realise.js'

const E24 = 10n ** 24n
const pools = [0, 1, 2].map((n) => pair(n, [1, 2], [E24, E24]))
const problem = problemOf(pools, [1, 2, 10n ** 21n])
const edges = Int32Array.from(edgesOf(problem, 1, 2))

it('gives shares of what remains, the largest first, and all that is left to the last', () => {
  const flow = new Float64Array(problem.edges.length)
  for (const [n, amount] of [2e20, 5e20, 3e20].entries()) flow[edges[n]!] = amount
  const hops = hopsOf(problem, edges, flow)
  expect(hops.map(({ pool }) => pool)).toEqual([1, 2, 0].map((n) => pools[n]))
  expect(hops.at(-1)!.share).toBe(0)
  let left = 1e21
  const taken = hops.map(({ share }) => {
    const part = share === 0 ? left : (left * share) / SHARE_ONE
    left -= part
    return part
  })
  expect(left).toBe(0)
  // The pool with most room, here the one with the least flow, takes the rest.
  for (const [n, amount] of [5e20, 3e20, 2e20].entries())
    expect(taken[n]! / amount).toBeCloseTo(1, 5)
})

it.each([1, 2])('never fills the first %i ranges of a pool beyond their end', (count) => {
  const E18 = 10n ** 18n
  const ranged: Pool = {
    ...{ family: 'uniswapV3', id: `0x${'f'.repeat(40)}`, venue: 'test' },
    ...{ tokens: [token(1), token(2)], feePpm: 500, tickSpacing: 10 },
    ...{ sqrtPriceX96: 1n << 96n, tick: 0, liquidity: E18 },
    ticks: [
      { index: -20, liquidityNet: 2n * E18 },
      { index: -10, liquidityNet: -E18 },
      { index: 10, liquidityNet: -E18 },
    ],
  }
  const beside = problemOf([ranged, pools[0]!], [1, 2, 10n ** 21n])
  const both = Int32Array.from(edgesOf(beside, 1, 2))
  const narrow = both.find((i) => beside.whole[i]!.price.length > 1)!
  cutTo(beside, narrow, count)
  const limit = limitOf(beside.pieces[narrow]!)
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), (times) => {
      const flow = new Float64Array(beside.edges.length)
      for (const i of both) flow[i] = i === narrow ? limit * RECOVERY_LIMIT : times * limit
      const hops = hopsOf(beside, both, flow)
      const { share } = hops.find(({ pool }) => pool.id === ranged.id)!
      expect((share / SHARE_ONE) * limit * (times + RECOVERY_LIMIT)).toBeLessThanOrEqual(limit)
    }),
  )
})
