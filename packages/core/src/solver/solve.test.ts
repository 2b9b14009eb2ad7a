import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { buildGraph } from '../graph.js'
import { type Address, type Hex, toHex } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { type PlannedHop, replay, transactionGasOf } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
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

describe('the bound', () => {
  it('is recomputed by the independent checker, and no answer exceeds it', () => {
    let solved = 0
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        fc.constantFrom(2n, 50n, 10_000n, 10n ** 9n),
        fc.constantFrom(0n, 10n ** 6n, 10n ** 9n),
        (pools, ends, part, gasPrice) => {
          const snapshot = snapshotOf(pools, gasPrice)
          const order = orderOf(pools, ends, part)
          const solution = solve(buildGraph(snapshot), order)
          if (!solution?.bound) return
          solved++
          const recomputed = recomputeBound(snapshot, order, solution.bound)
          const slack = Number(solution.amountOut) * 1e-9 + 2
          // The checker may find fewer usable edges, so its bound may be lower, never higher.
          expect(Number(recomputed - solution.bound.amount)).toBeLessThanOrEqual(slack)
          expect(solution.net).toBeLessThanOrEqual(Number(solution.bound.amount))
        },
      ),
      { numRuns: 500, endOnFailure: true },
    )
    expect(solved).toBeGreaterThan(100)
  })

  it('keeps its margin if gas costs far more than the output', () => {
    const pools = [pair(1, [0, 1], [E18, E18]), pair(2, [0, 1], [E18, E18 - 12_345n])]
    const snapshot = snapshotOf(pools, 10n ** 14n + 7n)
    const order = { tokenIn: token(0), tokenOut: token(1), amountIn: 12_345_678_901n }
    const { bound, net } = solve(buildGraph(snapshot), order)!
    expect(net).toBeLessThan(0)
    expect(net).toBeLessThan(Number(bound!.amount))
    const size = Math.abs(Number(bound!.amount)) * 1e-9
    const slack = Number(bound!.amount - recomputeBound(snapshot, order, bound!))
    expect(slack).toBeGreaterThanOrEqual(0)
    expect(slack).toBeLessThan(size)
  })

  it('is valid at any prices', () => {
    const anyShift = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), {
      minLength: 5,
      maxLength: 5,
    })
    fc.assert(
      fc.property(anyCleanMarket, anyEnds, anyShift, (pools, ends, shifts) => {
        const snapshot = snapshotOf(pools)
        const order = orderOf(pools, ends, 20n)
        const solution = solve(buildGraph(snapshot), order)
        if (!solution?.bound) return
        const prices = Object.fromEntries(
          Object.entries(solution.bound.prices).map(([address, u]) => {
            const isSink = address === order.tokenOut
            return [address, isSink ? u : u + shifts[Number(BigInt(address) % 5n)]!]
          }),
        )
        const shifted = recomputeBound(snapshot, order, { ...solution.bound, prices })
        expect(solution.net).toBeLessThanOrEqual(Number(shifted))
      }),
      { numRuns: 300, endOnFailure: true },
    )
  })

  it('rejects prices without a token that a route could pass', () => {
    const pools = [
      pair(1, [1, 2], [E18, E18]),
      pair(2, [2, 3], [E18, E18]),
      pair(3, [1, 3], [E18, E18]),
    ]
    const snapshot = snapshotOf(pools)
    const order = { tokenIn: token(1), tokenOut: token(3), amountIn: E18 }
    const { bound } = solve(buildGraph(snapshot), order)!
    const { [token(2)]: _, ...prices } = bound!.prices
    expect(() => recomputeBound(snapshot, order, { ...bound!, prices })).toThrow(
      'the ln of its worth',
    )
  })
})

describe('the split', () => {
  it('is as good as a fine grid over up to four pools of a pair', () => {
    const anyPools = fc.array(fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n }), {
      minLength: 2,
      maxLength: 4,
    })
    fc.assert(
      fc.property(anyPools, fc.constantFrom(3n, 30n, 300n), (depths, part) => {
        const pools = depths.map((depth, i) => pair(i, [1, 2], [depth, depth], 500 * (i + 1)))
        const total = depths.reduce((a, b) => a + b, 0n)
        const order = { tokenIn: token(1), tokenOut: token(2), amountIn: total / part }
        const { amountOut } = solve(buildGraph(snapshotOf(pools)), order)!
        expect(amountOut).toBeGreaterThanOrEqual(bestOfGrid(pools, order))
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  it('equalises marginal prices over the pools it uses, and leaves no better one unused', () => {
    fc.assert(
      fc.property(anyCleanMarket, anyEnds, (pools, ends) => {
        const snapshot = snapshotOf(pools)
        const order = orderOf(pools, ends, 10n)
        const solution = solve(buildGraph(snapshot), order, { maxLegs: 1000 })
        if (!solution?.bound || order.amountIn < 10n ** 9n) return
        // Optimality by duality: the gap closes only if both conditions are true.
        const best = Number(solution.bound.amount)
        const gap = best - solution.net
        const freeMoney = surplusWithoutOrder(snapshot, order)
        // Half a basis point: the share grid, and flows too small for a share.
        expect(gap).toBeLessThanOrEqual(5e-5 * best + freeMoney + 10)
      }),
      { numRuns: 300, endOnFailure: true },
    )
  })

  it('respects the caps on legs, hops and gas', () => {
    fc.assert(
      fc.property(anyCleanMarket, anyEnds, fc.integer({ min: 1, max: 5 }), (pools, ends, cap) => {
        const order = orderOf(pools, ends, 5n)
        const graph = buildGraph(snapshotOf(pools))
        const few = solve(graph, order, { maxLegs: cap })
        expect(few?.hops.length ?? 0).toBeLessThanOrEqual(cap)
        const short = solve(graph, order, { maxHops: cap })
        if (short) expect(longestPath(short.hops, order.tokenIn)).toBeLessThanOrEqual(cap)
        const maxGas = 200_000 + 130_000 * cap
        const light = solve(graph, order, { maxGas })
        if (light)
          expect(transactionGasOf(replay(light.hops, order)!.route)).toBeLessThanOrEqual(maxGas)
      }),
      { numRuns: 200, endOnFailure: true },
    )
  })

  it('finds a path that fits the block if the paths with the highest output cross too many ticks', () => {
    const ticks = Array.from({ length: 41 }, (_, i) => ({
      index: 60 * (i - 40),
      liquidityNet: i === 40 ? -(E18 * 1000n) : i === 0 ? E18 * 1000n : i % 2 === 1 ? 1n : -1n,
    }))
    const ticked = (id: number, [a, b]: readonly [number, number]): Pool => ({
      ...{ family: 'uniswapV3', id: toHex(0x1000 + id, 20), venue: 'test', feePpm: 500 },
      ...{ tokens: [token(a), token(b)], tickSpacing: 60, tick: -1, liquidity: E18 * 1000n },
      ...{ sqrtPriceX96: (1n << 96n) - (1n << 60n), ticks },
    })
    const many = [1, 2, 3, 4].map((id) => ticked(id, [0, 1]))
    const plain = pair(9, [0, 1], [E18 * 100n, E18 * 100n])
    const order = { tokenIn: token(0), tokenOut: token(1), amountIn: E18 * 60n }
    const graph = buildGraph(snapshotOf([...many, plain]))
    const solution = solve(graph, order, { maxGas: 300_000 })!
    expect(transactionGasOf(replay(solution.hops, order)!.route)).toBeLessThanOrEqual(300_000)
    expect(solution.amountOut).toBeGreaterThan(0n)
  })

  it('stops at every stage on request, with a valid route', () => {
    const pools = Array.from({ length: 12 }, (_, i) =>
      pair(
        i,
        [i % 4, (i * 7 + 1) % 4 === i % 4 ? (i + 1) % 4 : (i * 7 + 1) % 4],
        [E18 * 100n, E18 * 100n],
      ),
    )
    const order = { tokenIn: token(0), tokenOut: token(1), amountIn: 50n * E18 }
    const graph = buildGraph(snapshotOf(pools))
    const whole = solve(graph, order)!
    for (let stage = 1; stage <= 4; stage++) {
      let polls = 0
      const early = solve(graph, order, { shouldStop: () => ++polls >= stage })!
      expect(replay(early.hops, order)?.amountOut).toBe(early.amountOut)
      expect(early.net).toBeLessThanOrEqual(whole.net)
    }
  })
})

describe('replay records', () => {
  it('give the same bytes for any order of the pools', () => {
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        fc.infiniteStream(fc.nat(1000)),
        (pools, ends, random) => {
          const shuffled = pools
            .map((pool) => ({ pool, key: random.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ pool }) => pool)
          const order = orderOf(pools, ends, 7n)
          const [one, two] = [pools, shuffled].map((list) =>
            solve(buildGraph(snapshotOf(list)), order),
          )
          const bytes = (hops: readonly PlannedHop[] | undefined) =>
            hops?.map((hop) => [hop.pool.id, hop.direction.in, hop.share])
          expect(bytes(two?.hops)).toEqual(bytes(one?.hops))
          expect(two?.bound).toEqual(one?.bound)
        },
      ),
      { numRuns: 200, endOnFailure: true },
    )
  })

  it('still satisfy the bound after a warm start', () => {
    const pools = [
      pair(1, [1, 2], [E18, E18]),
      pair(2, [1, 3], [E18, E18]),
      pair(3, [3, 2], [E18, E18]),
    ]
    const graph = buildGraph(snapshotOf(pools))
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: E18 }
    const cold = solve(graph, order)!
    const warm = solve(graph, { ...order, amountIn: (E18 * 11n) / 10n }, { start: cold.prices })!
    expect(warm.net).toBeLessThanOrEqual(Number(warm.bound!.amount))
    expect(1 - warm.net / Number(warm.bound!.amount)).toBeLessThan(1e-8)
  })
})

function bestOfGrid(
  pools: readonly Pool[],
  order: { amountIn: bigint; tokenIn: Hex; tokenOut: Hex },
) {
  const steps = 40n
  let best = 0n
  const share = (i: number, left: bigint, out: bigint): void => {
    const pool = pools[i]!
    const take = (part: bigint) => {
      const amountIn = (order.amountIn * part) / steps
      const hops = [{ pool, direction: { in: 0, out: 1 }, share: 0 }]
      return amountIn === 0n ? 0n : (replay(hops, { ...order, amountIn })?.amountOut ?? 0n)
    }
    if (i === pools.length - 1) {
      const total = out + take(left)
      if (total > best) best = total
      return
    }
    for (let part = 0n; part <= left; part++) share(i + 1, left - part, out + take(part))
  }
  share(0, steps, 0n)
  return best
}

/** The bound of an order of one wei: free money that no route can collect. */
function surplusWithoutOrder(
  snapshot: Snapshot,
  order: { amountIn: bigint; tokenIn: Hex; tokenOut: Hex },
): number {
  const none = solve(buildGraph(snapshot), { ...order, amountIn: 1n }, { maxLegs: 1000 })
  return Number(none?.bound?.amount ?? 0)
}

function longestPath(hops: readonly PlannedHop[], start: Address): number {
  const depth = new Map<Address, number>([[start, 0]])
  for (const { pool, direction } of hops) {
    const [from, to] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
    depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1))
  }
  return Math.max(...depth.values())
}
