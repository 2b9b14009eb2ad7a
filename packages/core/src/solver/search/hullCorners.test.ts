import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { toHex } from '../../hex.js'
import { limitOf } from '../../math/pieces.js'
import type { StexPool } from '../../pools/stex/index.js'
import { replay } from '../../replay.js'
import { snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import { relaxOrder, selectProblem } from '../network/subgraph.js'
import type { Realised } from '../primal/realise.js'
import { solveInputOf } from '../terms.js'
import { capAtHullCorner } from './bestSplit.js'

const E18 = 10n ** 18n

/** A pool whose fee steps up with the amount, so that it pays less than its hull between two steps. */
const pool: StexPool = {
  ...{ family: 'stex', id: toHex(0xabc, 20), venue: 'stex', tokens: [token(1), token(2)] },
  reserves: [50_000n * E18, 150_000n * E18],
  ...{ rate: E18, amountToken0PendingUnstaking: 0n, amountToken1PendingLPWithdrawal: 0n },
  amountToken1LendingPool: 70_000n * E18,
  fee: {
    kind: 'steps',
    minThresholdToken1: 10_000n * E18,
    maxThresholdToken1: 200_000n * E18,
    stepsBips: [3, 20, 50, 200, 500],
  },
  ...{ poolManagerFeeBips: 2_000, isPaused: false, sampledAt: 1n, quotedAt: 2n },
}

/** The problem of an order, with the route of one hop and its edge. */
function sell(thousands: bigint) {
  const order = { tokenIn: token(1), tokenOut: token(2), amountIn: thousands * 1_000n * E18 }
  const graph = buildGraph(snapshotOf([pool]))
  const problem = selectProblem(relaxOrder(solveInputOf(graph, order))!)!
  const hop = { pool, direction: { in: 0, out: 1 }, share: 0 } as const
  const { route } = replay([hop], order)!
  const answer = { edges: problem.edges, route } as Realised
  return { problem, answer }
}

it('cuts a pool that pays less than its hull at the corner before, and leaves the problem as it was', () => {
  const { problem, answer } = sell(70n)
  const whole = problem.whole[0]!
  const capped = capAtHullCorner(problem, answer)!
  const limit = limitOf(capped[0]!)
  expect(limit).toBeGreaterThan(0)
  expect(limit).toBeLessThan(Number(answer.route[0]!.amountIn))
  expect([problem.pieces[0], problem.whole[0]]).toEqual([whole, whole])
})

it('leaves a pool alone that pays what its hull promises', () => {
  const { problem, answer } = sell(1n)
  expect(capAtHullCorner(problem, answer)).toBeUndefined()
})
