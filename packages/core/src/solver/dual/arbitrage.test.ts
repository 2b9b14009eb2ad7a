import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, piecesOf } from '../../graph.js'
import type { Hex } from '../../hex.js'
import { pieceAt } from '../../math/pieces.js'
import { estimateGas, getAmountOut, type Pool, toCurve } from '../../pools/index.js'
import type { UniswapV3Pool } from '../../pools/uniswapV3/index.js'
import { AmountTooSmallError, quote } from '../../quote.js'
import { anyAdaptiveFeePool, anyBits, anyUniswapV3Pool } from '../../testing/arbitrary.js'
import { snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import { deepEdgePool } from '../../testing/deepEdges.js'
import { bestTrade, gasOfPiece } from './arbitrage.js'

const pool = (
  id: number,
  tokens: readonly [number, number],
  state: Pick<
    UniswapV3Pool,
    'feePpm' | 'tickSpacing' | 'sqrtPriceX96' | 'tick' | 'liquidity' | 'ticks'
  >,
): UniswapV3Pool => ({
  family: 'uniswapV3',
  id: `0x${id.toString(16).padStart(40, '0')}` as Hex,
  venue: 'test-v3',
  tokens: [token(tokens[0]), token(tokens[1])],
  ...state,
})

describe('the trade of an edge at its own spot price', () => {
  it('is a number if the first range of the pool is all but empty', () => {
    const pools = [
      pool(1, [1, 2], {
        ...{ feePpm: 500, tickSpacing: 10, tick: 175653, liquidity: 23n },
        sqrtPriceX96: 516351347979529438740263844849080n,
        ticks: [
          { index: 172160, liquidityNet: 23n },
          { index: 180370, liquidityNet: 4048774508126593003n },
          { index: 180570, liquidityNet: -4048774508126593003n },
          { index: 190870, liquidityNet: -23n },
        ],
      }),
      pool(2, [4, 2], {
        ...{ feePpm: 100, tickSpacing: 1, tick: -297880, liquidity: 0n },
        sqrtPriceX96: 26966275540668918581232n,
        ticks: [
          { index: -296857, liquidityNet: 60302063850n },
          { index: -280462, liquidityNet: -60302063850n },
        ],
      }),
      pool(3, [3, 1], {
        ...{ feePpm: 10000, tickSpacing: 200, tick: -46352, liquidity: 72388685456437558319n },
        sqrtPriceX96: 7805648944225012982527634160n,
        ticks: [
          { index: -49600, liquidityNet: 72388685456437558319n },
          { index: -28000, liquidityNet: -72388685456437558319n },
        ],
      }),
    ]
    const order = { tokenIn: token(3), tokenOut: token(4), amountIn: 1n }
    const graph = buildGraph(snapshotOf(pools))
    expect(() => quote(graph, order)).toThrow(AmountTooSmallError)
  })
})

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
        const gas = gasOfPiece(graph, e, j)
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
          const gas = gasOfPiece(graph, e, pieceAt(piecesOf(graph, e), x))
          const worth = νOut * out(x) - νIn * x - λ * gas
          expect(net).toBeGreaterThanOrEqual(worth - 1e-9 * (νOut * out(x) + λ * gas))
        },
      ),
      { numRuns: 2000, endOnFailure: true },
    )
  })
})
