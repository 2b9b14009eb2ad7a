import { expect, it } from 'vitest'
import { transactionGasOf } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { freeTerms, problemOf, requestFor } from '../../testing/problem.js'
import { boundAt } from '../bound/upperBound.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import { relaxOrder } from '../network/subgraph.js'
import type { Options } from '../terms.js'
import { bestSplit, needsTooMuchGas } from './bestSplit.js'

const E18 = 10n ** 18n
const pools = [1, 2, 3, 4].map((n) => pair(n, [1, 2], [100n * E18, 100n * E18]))
const sale = [1, 2, 8n * E18] as const

function splitOf(options: Options) {
  const problem = problemOf(pools, sale)
  const request = requestFor(pools, sale, options)
  minimiseDual(problem, problem.all)
  const relaxation = relaxOrder(request)!
  const prices = problem.u.slice()
  return bestSplit({ problem, relaxation, prices, bound: boundAt(relaxation, prices) }, request)
}

it('uses as many equal pools as legs are allowed', () => {
  expect(splitOf({})!.edges.length).toBe(4)
  expect(splitOf({ maxLegs: 2 })!.edges.length).toBe(2)
})

it('fits the cap on gas', () => {
  const gasOf = (options: Options) => transactionGasOf(splitOf(options)!.route)
  const maxGas = gasOf({}) - 1
  expect(gasOf({ maxGas })).toBeLessThanOrEqual(maxGas)
  expect(splitOf({ maxGas })!.edges.length).toBe(3)
})

it('cuts pools only if the legs that may stay need too much gas', () => {
  const depths = [11n, 3n, 8n, 2n, 5n, 13n]
  const six = depths.map((depth, n) => pair(n, [1, 2], [depth * E18, depth * E18]))
  const problem = problemOf(six, [1, 2, 4n * E18])
  minimiseDual(problem, problem.all)
  const gas = problem.all.reduce((sum, i) => sum + gasAt(problem, i), 0)
  const isGasBound = (maxLegs: number) =>
    needsTooMuchGas(problem, { ...freeTerms, maxLegs, room: gas / 2 })
  expect([6, 4, 2].map(isGasBound)).toEqual([true, true, false])
})
