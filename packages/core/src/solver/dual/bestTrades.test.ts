import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, piecesOf } from '../../graph.js'
import { pieceAt } from '../../math/pieces.js'
import { estimateGas, getAmountOut, type Pool, toCurve } from '../../pools/index.js'
import { anyAdaptiveFeePool, anyBits, anyUniswapV3Pool } from '../../testing/arbitrary.js'
import { pair, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { deepEdgePool } from '../../testing/deepEdges.js'
import { requestFor } from '../../testing/problem.js'
import { relaxOrder } from '../network/subgraph.js'
import { bestTrade, gasOfPieces, tradesAt } from './arbitrage.js'

const edgeOf = (pool: Pool, isFirst: boolean) => {
  const direction = isFirst ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const graph = buildGraph(snapshotOf([pool]))
  const e = graph.from.findIndex((k) => graph.tokens[k] === pool.tokens[direction.in])
  return { direction, graph, e }
}

describe('the gas of a column', () => {
  const anyDeepEdge = fc
    .record({
      edge: fc.integer({ min: -1000, max: 1000 }),
      shift: fc.integer({ min: 5, max: 90 }),
      isAbove: fc.boolean(),
      deepBits: fc.integer({ min: 60, max: 110 }),
      thinBits: fc.integer({ min: 10, max: 60 }),
      halfWidth: fc.integer({ min: 2, max: 300 }),
    })
    .map(deepEdgePool)

  it('is never above that of a swap that pays so much', () => {
    const anyPool = fc.oneof(anyUniswapV3Pool, anyAdaptiveFeePool, anyDeepEdge)
    let crossed = 0
    fc.assert(
      fc.property(anyPool, fc.boolean(), anyBits(1, 110), (pool, isFirst, amountIn) => {
        const { direction, graph, e } = edgeOf(pool, isFirst)
        const paid = Number(getAmountOut(pool, direction, amountIn)) * (1 - 1e-9)
        if (paid === 0 || e < 0) return
        // Not by input: rounding may stop a swap of few wei some ticks before the curve.
        const j = piecesOf(graph, e)
          .startOut.subarray(1)
          .findIndex((most) => paid <= most)
        if (j > 0) crossed++
        const gas = gasOfPieces(graph, e)(j)
        // A pair without a stop is paid directly; concentrated pools have none.
        expect(estimateGas(pool, direction, amountIn)).toBeGreaterThanOrEqual(gas)
      }),
      { numRuns: 3000, endOnFailure: true },
    )
    expect(crossed).toBeGreaterThan(50)
  })
})

describe('the best trade of an edge', () => {
  it('gains at least what any input gains, net of gas', () => {
    fc.assert(
      fc.property(
        anyUniswapV3Pool,
        fc.boolean(),
        fc.double({ min: 0.3, max: 1.2, noNaN: true }),
        // At its limit, some wei before the pool's, a curve pays what the pool does at its own.
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (pool, isFirst, part, tried) => {
          const { direction, graph, e } = edgeOf(pool, isFirst)
          if (e < 0) return
          const { price, out, limit } = toCurve(pool, direction)
          const [νIn, νOut] = [part * price(0), 1]
          const λ = (1e-9 * νIn * limit) / 1e5
          const { net } = bestTrade(graph, e, [νIn, νOut], λ)
          const x = tried * limit
          const gas = gasOfPieces(graph, e)(pieceAt(piecesOf(graph, e), x))
          const worth = νOut * out(x) - νIn * x - λ * gas
          expect(net).toBeGreaterThanOrEqual(worth - 1e-9 * (νOut * out(x) + λ * gas))
        },
      ),
      { numRuns: 2000, endOnFailure: true },
    )
  })
})

describe('the trades of all edges', () => {
  const E18 = 10n ** 18n
  const pools = [
    pair(0, [1, 2], [100n * E18, 100n * E18]),
    pair(1, [1, 2], [100n * E18, 110n * E18]),
    pair(2, [1, 2], [100n * E18, 90n * E18]),
  ]
  const gasCost = 1e9
  const free = relaxOrder(requestFor(pools, [1, 2, E18]))!
  const relaxation = { ...free, terms: { ...free.terms, gasCost } }
  const u = new Float64Array(2)
  const { graph, edges } = relaxation

  it('are the best of those that earn, and cost their gas where an edge does not', () => {
    const { worth, turnover } = tradesAt(relaxation, u)
    for (const [i, e] of edges.entries()) {
      const { net } = bestTrade(graph, e, [1, 1], gasCost)
      expect(worth[i]).toBe(net)
    }
    expect([...worth].map((net) => net > 0)).toEqual([false, true, false])
    expect(turnover).toBeGreaterThan(1e18)
  })

  it('are worth what their token out brings, and nothing if an edge is open', () => {
    const riseOf = () => 2
    const none = tradesAt(relaxation, u, Uint8Array.of(0, 0, 0), riseOf)
    const open = tradesAt(relaxation, u, Uint8Array.of(0, 1, 0), riseOf)
    const gas = gasCost * graph.gas[edges[1]!]!
    const once = tradesAt(relaxation, u).worth[1]! + gas
    expect((none.worth[1]! + gas) / once).toBeCloseTo(2, 9)
    expect(open.worth[1]).toBe(-gas)
  })
})
