import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph, edgesFrom, type Graph } from '../../graph.js'
import { type Address, type Hex, toHex } from '../../hex.js'
import { getSqrtPriceAtTick } from '../../math/tickMath.js'
import type { Order } from '../../order.js'
import { getAmountOut, type Pool } from '../../pools/index.js'
import { type Quote, quote } from '../../quote.js'
import { referenceOf, setAsideOf } from '../../reference/referencePrices.js'
import { type PlannedHop, replay, transactionGasOf } from '../../replay.js'
import { anyBits } from '../../testing/arbitrary.js'
import { pair, snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import type { Options } from '../terms.js'
import { solveInputOf } from '../terms.js'

const CAPS = [1, 2, 3, 4, 6, 12, 24, Number.POSITIVE_INFINITY]

/** A quote, or `undefined` where there is no route. */
function tryQuote(graph: Graph, order: Order, options: Options): Quote | undefined {
  try {
    return quote(graph, order, options)
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error
    return undefined
  }
}

/** A pool whose input limits are those of one position a few ticks wide. */
function narrow(
  id: number,
  [a, b]: readonly [number, number],
  shape: { readonly tick: number; readonly halfWidth: number; readonly liquidity: bigint },
): Pool {
  const { tick, halfWidth, liquidity } = shape
  return {
    ...{ family: 'uniswapV3', id: toHex(0x3000 + id, 20), venue: 'test', feePpm: 500 },
    ...{ tokens: [token(a), token(b)], tickSpacing: 1, tick, liquidity },
    sqrtPriceX96: getSqrtPriceAtTick(tick),
    ticks: [
      { index: tick - halfWidth, liquidityNet: liquidity },
      { index: tick + halfWidth, liquidityNet: -liquidity },
    ],
  }
}

/** Every simple path of at most `maxHops`, by trying them all. */
function* simplePaths(
  graph: Graph,
  { tokenIn, tokenOut, amountIn }: Order,
  maxHops: number,
  path: readonly PlannedHop[] = [],
): Generator<readonly PlannedHop[]> {
  const passed = new Set<Address>(path.map(({ pool, direction }) => pool.tokens[direction.in]!))
  for (const { pool, direction, tokenOut: next } of edgesFrom(graph, tokenIn)) {
    const paid = passed.has(next) ? 0n : getAmountOut(pool, direction, amountIn)
    if (paid === 0n) continue
    const longer = [...path, { pool, direction, share: 0 }]
    if (next === tokenOut) yield longer
    else if (longer.length < maxHops) {
      yield* simplePaths(graph, { tokenIn: next, tokenOut, amountIn: paid }, maxHops, longer)
    }
  }
}

/** The net output of the best of them by the quote's own price of gas. */
function bestNet(graph: Graph, order: Order, options: Options): number | undefined {
  const reference = referenceOf(graph)
  const setAside = new Set<Hex>(setAsideOf(graph, reference))
  const { gasCost } = solveInputOf(graph, order, options).terms
  let best: number | undefined
  for (const hops of simplePaths(graph, order, options.maxLegs!)) {
    if (hops.length > 1 && hops.some(({ pool }) => setAside.has(pool.id))) continue
    const walked = replay(hops, order)!
    const net = Number(walked.amountOut) - gasCost * transactionGasOf(walked.route)
    if (best === undefined || net > best) best = net
  }
  return best
}

const anyTwo = fc.tuple(fc.nat(4), fc.nat(4)).filter(([a, b]) => a !== b)

/**
 * Five tokens of prices that agree, with pairs and pools that end after some ticks, many side by
 * side.
 */
const anyLimitedMarket: fc.Arbitrary<readonly Pool[]> = fc
  .record({
    ticks: fc.array(fc.integer({ min: -20_000, max: 20_000 }), { minLength: 5, maxLength: 5 }),
    pools: fc.array(
      fc.record({
        ends: anyTwo,
        isNarrow: fc.boolean(),
        depth: anyBits(40, 64),
        noise: fc.integer({ min: -20, max: 20 }),
        halfWidth: fc.integer({ min: 1, max: 3000 }),
        copies: fc.array(fc.integer({ min: 0, max: 24 }), { maxLength: 4 }),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  })
  .map(({ ticks, pools }) =>
    pools.flatMap(({ ends, isNarrow, depth, noise, halfWidth, copies }, n) => {
      const tick = ticks[ends[0]]! - ticks[ends[1]]! + noise
      const price = BigInt(Math.round(1.0001 ** tick * 1e9))
      return [0, ...copies].map((bits, i) => {
        const size = depth >> BigInt(bits)
        if (isNarrow) return narrow(5 * n + i, ends, { tick, halfWidth, liquidity: size + 1n })
        return pair(5 * n + i, ends, [size + 1n, (size * price) / 10n ** 9n + 1n])
      })
    }),
  )

describe('a single path', () => {
  it('is refused if no chain of hops keeps enough wei', () => {
    // A wei of token 98 costs a thousand wei and is worth a million. The order has twenty and loses one
    // in every hop among thirty tokens. At first prices they are enough.
    const deep = 10n ** 15n
    const among = Array.from({ length: 30 }, (_, i) => i + 2)
    const pools = among.flatMap((a, i) => [
      pair(100 * a, [1, a], [deep, deep]),
      pair(100 * a + 1, [a, 98], [deep, deep / 1_000n]),
      ...among.slice(i + 1).map((b) => pair(100 * a + b, [a, b], [deep, deep])),
    ])
    const last = pair(1, [98, 99], [deep, deep * 1_000_000n])
    const graph = buildGraph(snapshotOf([...pools, last]))
    const order = { tokenIn: token(1), tokenOut: token(99), amountIn: 20n }
    expect(tryQuote(graph, order, { maxLegs: 24 })).toBeUndefined()
  })

  it('is never better than the answer, at any cap on hops, in small markets whose pools have limits', () => {
    let solved = 0
    fc.assert(
      fc.property(
        anyLimitedMarket,
        anyTwo,
        anyBits(30, 64),
        fc.constantFrom(0n, 10n ** 6n, 10n ** 12n),
        (pools, [a, b], amountIn, gasPrice) => {
          const graph = buildGraph(snapshotOf(pools, gasPrice))
          const order = { tokenIn: token(a), tokenOut: token(b), amountIn }
          for (const maxLegs of CAPS) {
            const options = { maxLegs, maxGas: Number.POSITIVE_INFINITY }
            const best = bestNet(graph, order, options)
            if (best === undefined) continue
            const found = tryQuote(graph, order, options)
            // Orders beyond the end of the market are refused.
            if (!found) continue
            solved++
            const { gasCost } = solveInputOf(graph, order, options).terms
            const net = Number(found.amountOut) - gasCost * found.gas
            // Where gas costs more than the order pays, paths differ by their gas, whose prediction is a
            // mean: the answer can need a few percent more than the best.
            if (best > 0) expect(net, `at ${maxLegs} legs`).toBeGreaterThanOrEqual(best)
            expect(net).toBeLessThanOrEqual(Number(found.bound!.amount))
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
    expect(solved).toBeGreaterThan(300)
  })
})
