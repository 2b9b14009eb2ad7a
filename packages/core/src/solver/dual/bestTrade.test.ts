import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieceAt } from '../../math/pieces.js'
import { estimateGas, getAmountOut, type Pool, toCurve } from '../../pools/index.js'
import { leastGas } from '../../replay.js'
import { anyAdaptiveFeePool, anyBits, anyUniswapV3Pool } from '../../testing/arbitrary.js'
import { deepEdgePool } from '../../testing/deepEdges.js'
import { bestTrade, gasOfPiece } from './bestTrade.js'

const edgeOf = (pool: Pool, isFirst: boolean) => {
  const direction = isFirst ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const { pieces, stepGas = 0, extraIn = 0 } = toCurve(pool, direction)
  return { direction, edge: { pieces: pieces!, stepGas, extraIn, gas: leastGas(pool, direction) } }
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
        const { direction, edge } = edgeOf(pool, isFirst)
        const paid = Number(getAmountOut(pool, direction, amountIn)) * (1 - 1e-9)
        if (paid === 0 || edge.pieces.price.length === 0) return
        // Not by input: rounding may stop a swap of few wei some ticks before the curve.
        const j = edge.pieces.startOut.subarray(1).findIndex((most) => paid <= most)
        if (j > 0) crossed++
        const gas = gasOfPiece(edge, j)
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
          const { direction, edge } = edgeOf(pool, isFirst)
          if (edge.pieces.price.length === 0) return
          const { price, out, limit } = toCurve(pool, direction)
          const [νIn, νOut] = [part * price(0), 1]
          const λ = (1e-9 * νIn * limit) / 1e5
          const { net } = bestTrade(edge, [νIn, νOut], λ)
          const x = tried * limit
          const gas = gasOfPiece(edge, pieceAt(edge.pieces, x))
          const worth = νOut * out(x) - νIn * x - λ * gas
          expect(net).toBeGreaterThanOrEqual(worth - 1e-9 * (νOut * out(x) + λ * gas))
        },
      ),
      { numRuns: 2000, endOnFailure: true },
    )
  })
})
