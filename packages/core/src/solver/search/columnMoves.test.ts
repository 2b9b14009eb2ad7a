import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { additions } from './columnMoves.js'
import { prune } from './prune.js'

const E18 = 10n ** 18n
const charges = { gasCost: 0, maxLegs: 3, maxGas: Number.POSITIVE_INFINITY, maxHops: 9, floor: 0 }
const pools = [
  pair(0, [1, 3], [40n * E18, 40n * E18]),
  pair(1, [1, 2], [100n * E18, 100n * E18]),
  pair(2, [2, 3], [100n * E18, 100n * E18]),
]

/** The problem at the optimum over the direct pool alone, and the prices over all edges. */
function directOnly() {
  const problem = problemOf(pools, [1, 3, 10n * E18])
  minimiseDual(problem, problem.all, 1e-9)
  const dualPrices = problem.u.slice()
  const direct = problem.all.filter((i) => problem.graph.poolOf[problem.edges[i]!] === 0)
  return { problem, dualPrices, first: prune(problem, direct, charges) }
}

it('offers the pair as one move, and none whose gas costs more than it gains', () => {
  const { problem, dualPrices, first } = directOnly()
  const moves = additions(problem, dualPrices, first.edges, { paths: [], gasCost: 0 })
  expect(moves[0]!.columns.length).toBe(2)
  expect(moves[0]!.gain).toBeGreaterThan(0)
  expect(additions(problem, dualPrices, first.edges, { paths: [], gasCost: 1e15 })).toEqual([])
})
