/**
 * The code of a refusal, held against an exhaustive version that tries every probe in ascending order.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, type Graph } from './graph.js'
import type { Order } from './order.js'
import type { Pool } from './pools/index.js'
import { quote } from './quote.js'
import { solve } from './solver/solve.js'
import { anyBits } from './testing/arbitrary.js'
import { anyCleanMarket, anyEnds, pair, snapshotOf, token } from './testing/arbitraryMarkets.js'

/** A chain of pairs of any depth, which lose small amounts and refuse large ones. */
const anyDeepMarket: fc.Arbitrary<readonly Pool[]> = fc
  .array(fc.record({ ends: anyEnds, reserves: fc.tuple(anyBits(1, 111), anyBits(1, 111)) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pools) => pools.map(({ ends, reserves }, i) => pair(i, ends, reserves)))

function codeOf(graph: Graph, order: Order): string {
  try {
    quote(graph, order)
    return 'NONE'
  } catch (error) {
    return (error as { code: string }).code
  }
}

/** Returns true if larger powers of 256 can be swapped, and no smaller one. */
function isTooSmall(graph: Graph, order: Order): boolean {
  const probes = Array.from({ length: 16 }, (_, i) => 1n << BigInt(8 * i))
  const options = { objective: 'gross', shouldStop: () => true } as const
  const amounts = [order.amountIn, ...probes]
  const works = amounts.filter((amountIn) => solve(graph, { ...order, amountIn }, options))
  return works.length > 0 && works.every((amountIn) => amountIn > order.amountIn)
}

describe('the code of a refusal', () => {
  it('is that of the exhaustive version, on random markets', () => {
    const counts = new Map<string, number>()
    const anyMarket = fc.oneof(anyCleanMarket, anyDeepMarket)
    const anyAmount = fc.oneof(anyBits(0, 130), anyBits(0, 12))
    const property = fc.property(anyMarket, anyEnds, anyAmount, (pools, [a, b], amountIn) => {
      const graph = buildGraph(snapshotOf(pools))
      const order = { tokenIn: token(a), tokenOut: token(b), amountIn: amountIn + 1n }
      const code = codeOf(graph, order)
      counts.set(code, (counts.get(code) ?? 0) + 1)
      if (code === 'NONE' || code === 'NO_ROUTE') return
      const wanted = isTooSmall(graph, order) ? 'AMOUNT_TOO_SMALL' : 'INSUFFICIENT_LIQUIDITY'
      expect(code).toBe(wanted)
    })
    fc.assert(property, { numRuns: 500, endOnFailure: true })
    for (const code of ['NONE', 'NO_ROUTE', 'AMOUNT_TOO_SMALL', 'INSUFFICIENT_LIQUIDITY']) {
      expect(counts.get(code) ?? 0).toBeGreaterThan(5)
    }
  })
})
