import { expect, it } from 'vitest'
import { transactionGasOf } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf, requestFor } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { realise } from '../primal/realise.js'
import { GAS_ERROR, TIGHTER } from '../tuning.js'
import { columnPlan, type Support } from './columnSeeds.js'
import { chargesOf, prune } from './prune.js'

const E18 = 10n ** 18n
const pools = [1, 2, 3, 4].map((n) => pair(n, [1, 2], [100n * E18, 100n * E18]))
const sale = [1, 2, 8n * E18] as const

/** The gas of a route over all pools, and one gas less as the cap: three of them fit. */
function capped() {
  const problem = problemOf(pools, sale)
  minimiseDual(problem, problem.all, 1e-8)
  const whole = realise(problem, problem.all, requestFor(pools, sale))!
  const maxGas = transactionGasOf(whole.realised.route) - 1
  return { problem, request: requestFor(pools, sale, { maxGas }) }
}

/** All seeds of a search, with the columns found from each. */
function run(by: { readonly isClose: boolean; readonly isShort: boolean }) {
  const { problem, request } = capped()
  const charges = chargesOf(request)
  const relaxed = { problem, prices: problem.u.slice() }
  const first = prune(problem, problem.all, charges)
  expect(first.isGasBound).toBe(true)
  let top: Support | undefined
  const progress = { top: () => top, isClose: () => by.isClose, isShort: () => by.isShort }
  const { seeds, improve } = columnPlan(relaxed, first, charges, request, progress)
  const seen = Array.from(seeds, (seed) => {
    const found = improve(seed)
    if (found && !(top && top.value >= found.value)) top = found
    return { seed, found }
  })
  return { first, seen }
}

it('begins with the support of the dual, and finds columns that fit', () => {
  const { first, seen } = run({ isClose: false, isShort: false })
  expect(seen[0]!.seed).toBe(first)
  expect(seen[0]!.found!.edges.length).toBe(3)
  expect(seen.length).toBeGreaterThan(2)
})

it('tries nothing but the looser cap once the answer is as good as proven', () => {
  const { first, seen } = run({ isClose: true, isShort: false })
  expect(seen.map(({ seed }) => seed.looser)).toEqual([undefined, GAS_ERROR])
  expect(seen[0]!.seed).toBe(first)
})

it('ends with tighter caps as long as routes pay less than promised', () => {
  const { seen } = run({ isClose: true, isShort: true })
  expect(seen.slice(1).map(({ seed }) => seed.looser)).toEqual([GAS_ERROR, ...TIGHTER])
})
