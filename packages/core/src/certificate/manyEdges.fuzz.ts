// A market with more edges than a call takes arguments, because arrays of all edges must never be
// spread into a call. It takes seconds to build, so it is not among the tests of every run.
import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { solve } from '../solver/solve.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { recomputeBound } from './recomputeBound.js'

const E18 = 10n ** 18n

it('recomputes the bound over more edges than a call takes arguments', () => {
  const pools = [pair(1, [1, 2], [1000n * E18, 1000n * E18])]
  const order = { tokenIn: token(1), tokenOut: token(2), amountIn: E18 }
  const { bound } = solve(buildGraph(snapshotOf(pools)), order)!
  // Pools at a millionth of the price trade nothing at these prices.
  const poor = Array.from({ length: 150_000 }, (_, i) => pair(2 + i, [1, 2], [E18, 10n ** 12n]))
  const recomputed = recomputeBound(snapshotOf(pools), order, bound!)
  expect(recomputeBound(snapshotOf([...pools, ...poor]), order, bound!)).toBe(recomputed)
})
