// Reserves, prices and depths at which floats run out, and markets too large to solve whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { buildGraph } from '../graph.js'
import { toHex } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { replay, transactionGasOf } from '../replay.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
  token,
} from '../testing/arbitraryMarkets.js'
import { solve } from './solve.js'

const E18 = 10n ** 18n

describe('numerics', () => {
  const anyReserve = fc.integer({ min: 0, max: 111 }).map((bits) => 1n << BigInt(bits))
  it('neither throw nor return NaN for reserves of 1 to 2^112 and any amount', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyEnds, fc.tuple(anyReserve, anyReserve)), {
          minLength: 1,
          maxLength: 10,
        }),
        anyEnds,
        fc.integer({ min: 0, max: 130 }),
        (list, [a, b], bits) => {
          const pools = list.map(([ends, reserves], i) => pair(i, ends, reserves))
          const order = { tokenIn: token(a), tokenOut: token(b), amountIn: 1n << BigInt(bits) }
          const solution = solve(buildGraph(snapshotOf(pools, 1n)), order)
          if (!solution) return
          expect(solution.amountOut).toBeGreaterThan(0n)
          expect(Number.isFinite(solution.net)).toBe(true)
        },
      ),
      { numRuns: 1500, endOnFailure: true },
    )
  })

  it('route dust around a token of which it buys less than a wei', () => {
    const coarse = [
      pair(1, [0, 1], [E18 * 10n ** 6n, 10n ** 12n]),
      pair(2, [1, 3], [10n ** 12n, E18]),
    ]
    const fine = [pair(3, [0, 2], [E18, E18], 9000), pair(4, [2, 3], [E18, 10n ** 12n], 9000)]
    const graph = buildGraph(snapshotOf([...coarse, ...fine]))
    const order = { tokenIn: token(0), tokenOut: token(3), amountIn: 10n ** 8n }
    const solution = solve(graph, order)
    expect(solution?.hops.map(({ pool }) => pool.id)).toEqual(fine.map(({ id }) => id))
    expect(solution?.amountOut).toBe(98n)
  })

  it('take the price of a token from pools that trade in both directions', () => {
    // At the end of its range: the pool accepts only token 1, at a thousand times the market price.
    const exhausted: Pool = {
      ...{ family: 'uniswapV3', id: toHex(0x1001, 20), venue: 'test', feePpm: 3000 },
      ...{ tokens: [token(0), token(1)], tickSpacing: 60, tick: 69_120, liquidity: 0n },
      sqrtPriceX96: 2510900000000000000000000000000n,
      ticks: [
        { index: -60, liquidityNet: 10n ** 24n },
        { index: 69_060, liquidityNet: -(10n ** 24n) },
      ],
    }
    const market = [exhausted, pair(2, [1, 2], [E18, E18]), pair(3, [0, 2], [E18, E18])]
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 10n ** 12n }
    for (const [tokenIn, tokenOut] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const graph = buildGraph(snapshotOf(market))
      const swap = { ...order, tokenIn: token(tokenIn), tokenOut: token(tokenOut) }
      expect(solve(graph, swap)?.amountOut, `${tokenIn} → ${tokenOut}`).toBeGreaterThan(0n)
    }
    const graph = buildGraph(snapshotOf(market))
    expect(solve(graph, { ...order, tokenOut: token(0) })?.amountOut).toBeGreaterThan(0n)
  })

  it('send no more through a deep pool than the thin one behind it can use', () => {
    const deep = pair(1, [0, 1], [10n ** 33n, 10n ** 33n], 100)
    const thin = pair(2, [1, 2], [10n ** 19n, 10n ** 19n])
    const main = pair(3, [0, 2], [10n ** 23n, 10n ** 23n])
    const graph = buildGraph(snapshotOf([deep, thin, main]))
    const order = { tokenIn: token(0), tokenOut: token(2), amountIn: 10n ** 23n }
    const { net, bound } = solve(graph, order)!
    expect(1 - net / Number(bound!.amount)).toBeLessThan(1e-6)
  })
})

describe('a core too large to solve whole', () => {
  const hubs = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      pair(2 * i, [0, i + 1], [3000n * E18, 3000n * E18]),
      pair(2 * i + 1, [i + 1, ((i + 1) % count) + 1], [1000n * E18, 1000n * E18]),
    ]).flat()
  const order = { tokenIn: token(200), tokenOut: token(201), amountIn: E18 / 10n }

  it('bounds the short path through a token outside the subgraph', () => {
    const ends = Array.from({ length: 10 }, (_, i) => [
      pair(1000 + i, [200, i + 1], [500n * E18, 500n * E18]),
      pair(1100 + i, [201, i + 51], [500n * E18, 500n * E18]),
    ]).flat()
    const short = [
      pair(1200, [200, 210], [100n * E18, 100n * E18], 30_000),
      pair(1201, [210, 201], [100n * E18, 100n * E18], 30_000),
    ]
    const snapshot = snapshotOf([...hubs(100), ...ends, ...short], 10n ** 11n)
    const { net, bound } = solve(buildGraph(snapshot), order)!
    const walked = replay(
      short.map((pool) => ({
        pool,
        direction: {
          in: pool.tokens.indexOf(pool === short[0] ? token(200) : token(210)),
          out: pool.tokens.indexOf(pool === short[0] ? token(210) : token(201)),
        },
        share: 0,
      })),
      order,
    )!
    const shortNet = Number(walked.amountOut) - bound!.gasCost * transactionGasOf(walked.route)
    expect(shortNet).toBeLessThanOrEqual(Number(bound!.amount))
    expect(net).toBeGreaterThanOrEqual(shortNet)
    expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount + 2n)
  })

  it('finds the path through tokens with the lowest rank', () => {
    const chain = [200, 202, 203, 204, 205, 201]
    const links = chain
      .slice(1)
      .flatMap((k, i) => [
        pair(2000 + 2 * i, [chain[i]!, k], [E18, E18]),
        pair(2001 + 2 * i, [chain[i]!, 300 + i], [E18 / 100n, E18 / 100n]),
        pair(2100 + 2 * i, [300 + i, k], [E18 / 100n, E18 / 100n]),
      ])
    const solution = solve(buildGraph(snapshotOf([...hubs(100), ...links])), order)
    expect(solution?.amountOut).toBeGreaterThan(0n)
  })

  it('prices a long thin chain to its end', () => {
    const chain = Array.from({ length: 60 }, (_, i) =>
      pair(3000 + i, [i === 0 ? 1 : 299 + i, 300 + i], [E18, E18]),
    )
    const closed = [...chain, pair(3100, [359, 0], [E18, E18])]
    const snapshot = snapshotOf([...hubs(100), ...closed])
    const across = { tokenIn: token(2), tokenOut: token(9), amountIn: E18 }
    const { bound } = solve(buildGraph(snapshot), across)!
    expect(Object.values(bound!.prices).some(Number.isNaN)).toBe(false)
    expect(recomputeBound(snapshot, across, bound!)).toBeLessThanOrEqual(bound!.amount + 2n)
  })
})

it('the bound keeps its margin if vaults trade far more than the order', () => {
  let solved = 0
  fc.assert(
    fc.property(
      anyCleanMarket,
      anyEnds,
      fc.bigInt({ min: 10n ** 6n, max: 10n ** 30n }),
      fc.bigInt({ min: 1n, max: 10n ** 6n }),
      (pools, ends, totalSupply, surplus) => {
        const vault: Pool = {
          ...{
            family: 'erc4626',
            id: toHex(0x2000, 20),
            venue: 'test',
            tokens: [token(1), token(2)],
          },
          ...{ totalAssets: totalSupply + surplus, totalSupply, virtuals: [1n, 1n] },
        }
        const snapshot = snapshotOf([...pools, vault])
        const order = orderOf(pools, ends, 1000n)
        const bound = solve(buildGraph(snapshot), order)?.bound
        if (!bound) return
        solved++
        expect(Number(recomputeBound(snapshot, order, bound) - bound.amount)).toBeLessThanOrEqual(0)
      },
    ),
    { numRuns: 500, endOnFailure: true },
  )
  expect(solved).toBeGreaterThan(100)
})
