import { expect, it } from 'vitest'
import { replay, transactionGasOf } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf, requestFor } from '../../testing/problem.js'
import { better, type Realised, realise, realisePath } from './realise.js'

const E18 = 10n ** 18n
const pools = [1, 2, 3].map((n) => pair(n, [1, 2], [100n * E18, 100n * E18]))
const sale = [1, 2, 9n * E18] as const

it('splits over equal pools, and pays what the replay of its hops pays', () => {
  const request = requestFor(pools, sale)
  const problem = problemOf(pools, sale)
  const realised = realise(problem, problem.all, request)!
  expect(realised.edges.length).toBe(3)
  const inputs = realised.route.map(({ amountIn }) => Number(amountIn) / 1e18)
  for (const amountIn of inputs) expect(amountIn).toBeCloseTo(3, 4)
  expect(realised.amountOut).toBe(replay(realised.hops, request.order)!.amountOut)
  const single = realisePath(problem, Int32Array.of(edgesOf(problem, 1, 2)[0]!), request)!
  expect(realised.amountOut).toBeGreaterThan(single.amountOut)
})

it('refuses a route above its cap on gas', () => {
  const request = requestFor(pools, sale)
  const problem = problemOf(pools, sale)
  const gas = transactionGasOf(realise(problem, problem.all, request)!.route)
  const capped = (maxGas: number) =>
    realise(problem, problem.all, requestFor(pools, sale, { maxGas }))
  expect(capped(gas)).toBeDefined()
  expect(capped(gas - 1)).toBeUndefined()
})

it('prefers the higher net, and the second of two equals', () => {
  const worth = (net: number) => ({ net }) as Realised
  const [low, high, same] = [worth(1), worth(2), worth(2)]
  expect(better(low, high)).toBe(high)
  expect(better(high, low)).toBe(high)
  expect(better(same, high)).toBe(high)
  expect(better(undefined, low)).toBe(low)
})
