import { expect, it } from 'vitest'
import { outOf } from '../../math/pieces.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { balanceFlows, minimiseDual } from './newton.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const

it('finds the output of one pool', () => {
  const problem = problemOf([pair(0, [1, 2], deep(100n))], [1, 2, 7n * E18])
  const { bound } = minimiseDual(problem, problem.all)
  expect(bound / outOf(problem.pieces[0]!, 7e18)).toBeCloseTo(1, 9)
})

it('splits between two equal routes, one of two hops, as a search over a grid does', () => {
  const pools = [
    pair(0, [1, 2], deep(100n)),
    pair(1, [1, 3], deep(300n)),
    pair(2, [3, 2], deep(80n)),
  ]
  const problem = problemOf(pools, [1, 2, 30n * E18])
  const { bound } = minimiseDual(problem, problem.all)
  const [direct, into, on] = [...problem.all]
    .map((i) => problem.pieces[i]!)
    .sort((a, b) => a.reserveIn[0]! - b.reserveIn[0]!)
  const byReserve = { direct: into!, into: on!, on: direct! }
  let best = 0
  for (let n = 0; n <= 20_000; n++) {
    const x = (30e18 * n) / 20_000
    best = Math.max(
      best,
      outOf(byReserve.direct, x) + outOf(byReserve.on, outOf(byReserve.into, 30e18 - x)),
    )
  }
  expect(bound).toBeGreaterThanOrEqual(best * (1 - 1e-12))
  expect(bound / best).toBeCloseTo(1, 7)
})

it('balances every token', () => {
  const pools = [pair(0, [1, 2], deep(90n)), pair(1, [2, 3], deep(50n)), pair(2, [1, 3], deep(20n))]
  const problem = problemOf(pools, [1, 3, 25n * E18])
  balanceFlows(problem, problem.all)
  const { from, to, x, y, source, sink } = problem
  for (let k = 0; k < problem.u.length; k++) {
    if (k === sink) continue
    let excess = k === source ? 25e18 : 0
    for (const i of problem.all) excess += (to[i] === k ? y[i]! : 0) - (from[i] === k ? x[i]! : 0)
    expect(Math.abs(excess)).toBeLessThan(1e-7 * 25e18)
  }
})

/** A market whose pools differ in depth by twelve orders of magnitude, and an order in it. */
function unevenMarket(seed: number) {
  let state = (seed * 2654435761) % 4294967296
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
  const tokens = 4 + Math.floor(random() * 5)
  const pools = Array.from({ length: 8 + Math.floor(random() * 30) }, (_, n) => {
    const from = 1 + Math.floor(random() * tokens)
    const to = 1 + ((from + Math.floor(random() * (tokens - 1))) % tokens)
    const reserve = 10 ** (16 + 12 * random())
    const price = Math.exp((random() - 0.5) * 2)
    return pair(n, [from, to], [BigInt(Math.floor(reserve)), BigInt(Math.floor(reserve * price))])
  })
  return { pools, amount: BigInt(Math.floor(10 ** (21 + 4 * random()))) }
}

it.each([
  [1052, 185],
  [1106, 41],
  [2369, 56],
  [2850, 93],
])(
  'ends in 40 steps where deep pools trade by turns (seed %i: %i without what is held)',
  (seed) => {
    const { pools, amount } = unevenMarket(seed)
    const problem = problemOf(pools, [1, 2, amount])
    expect(minimiseDual(problem, problem.all).iterations).toBeLessThanOrEqual(40)
  },
)
