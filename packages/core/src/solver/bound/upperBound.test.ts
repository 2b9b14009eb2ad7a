import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../../certificate/recomputeBound.js'
import { buildGraph } from '../../graph.js'
import { toHex } from '../../hex.js'
import type { Order } from '../../order.js'
import { getAmountOut, type Pool, toCurve } from '../../pools/index.js'
import { quote } from '../../quote.js'
import {
  anyAdaptiveFeePool,
  anyBits,
  anyErc4626Pool,
  anyUniswapV2Pool,
  anyUniswapV3Pool,
} from '../../testing/arbitrary.js'
import { pair, snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import { anyCamelotPool, anySolidlyPool } from '../../testing/arbitraryPairs.js'
import { anyBoundCase, checkBound } from '../../testing/checkBound.js'
import { tryQuote } from '../../testing/checkExactOut.js'
import { deepEdgePool } from '../../testing/deepEdges.js'
import { problemOf, requestFor } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { relaxOrder } from '../network/subgraph.js'
import { solveInputOf } from '../terms.js'
import { boundAt, boundBetween, certificateOf, roundBoundUp } from './upperBound.js'

const [A, B] = [token(1), token(2)]

/** A quote over the pools, its bound, and that bound recomputed by the checker; `undefined` if it is refused. */
function certified(pools: readonly Pool[], order: Order) {
  const snapshot = snapshotOf(pools)
  const answer = tryQuote(buildGraph(snapshot), order)
  return (
    answer && {
      amountOut: answer.amountOut,
      bound: answer.bound!.amount,
      proved: recomputeBound(snapshot, order, answer.bound!),
    }
  )
}

type Certified = NonNullable<ReturnType<typeof certified>>

function expectWithin({ amountOut, bound, proved }: Certified): void {
  expect(bound).toBeGreaterThanOrEqual(amountOut)
  expect(proved).toBeGreaterThanOrEqual(amountOut)
  expect(bound).toBeGreaterThanOrEqual(proved)
}

it('is the worth of the one pool between two tokens that no route of several hops connects', () => {
  const E18 = 10n ** 18n
  const pools = [pair(0, [1, 2], [E18, E18]), pair(1, [0, 2], [10n ** 24n, 10n ** 24n])]
  const snapshot = snapshotOf(pools, 10n ** 7n)
  const order = { tokenIn: A!, tokenOut: B!, amountIn: 10n ** 13n }
  const graph = buildGraph(snapshot)
  const { amountOut, gas, bound } = quote(graph, order, { certificate: 'fast' })
  const net = Number(amountOut) - solveInputOf(graph, order).terms.gasCost * gas
  expect(net).toBeLessThan(0.95 * Number(amountOut))
  expect(Number(bound!.amount) / net).toBeCloseTo(1, 6)
  expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount)
})

describe('the bound next to the edge of a deep position', () => {
  const near = { edge: -253_039, isAbove: false, halfWidth: 2000 }

  it('is not exceeded a millionth of a tick before it: liquidity 1e24 in 1e15', () => {
    const shape = deepEdgePool({ ...near, shift: 20, deepBits: 0, thinBits: 0 })
    const [deep, thin] = [10n ** 24n, 10n ** 15n]
    const changes = [thin, deep, -deep, -thin]
    const ticks = shape.ticks.map(({ index }, n) => ({ index, liquidityNet: changes[n]! }))
    const pool = { ...shape, liquidity: deep + thin, ticks }
    const found = certified([pool], { tokenIn: B, tokenOut: A, amountIn: 244_841_028n })!
    expect(found.amountOut).toBe(23_598_319_938_257_155_297n)
    expectWithin(found)
  })

  it('is not exceeded a 2^36th of a tick before it: liquidity 2^100 in 2^46', () => {
    const pool = deepEdgePool({ ...near, shift: 36, deepBits: 100, thinBits: 46 })
    const found = certified([pool], { tokenIn: B, tokenOut: A, amountIn: 560_000_000n })!
    expect(found.amountOut).toBe(54_546_328_430_389_877_365n)
    expectWithin(found)
  })

  it('is not exceeded at any distance from the edge, in either direction, alone or in a split', () => {
    let solved = 0
    fc.assert(
      fc.property(
        fc.record({
          edge: fc.integer({ min: -300_000, max: 300_000 }),
          shift: fc.integer({ min: 10, max: 90 }),
          isAbove: fc.boolean(),
          deepBits: fc.integer({ min: 60, max: 120 }),
          thinBits: fc.integer({ min: 30, max: 70 }),
          halfWidth: fc.integer({ min: 2, max: 3000 }),
        }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 1100 }),
        (position, zeroForOne, isAlone, part) => {
          const pool = deepEdgePool(position)
          const direction = zeroForOne ? { in: 0, out: 1 } : { in: 1, out: 0 }
          const { pieces } = toCurve(pool, direction)
          const price = 1.0001 ** position.edge
          const beside = pair(9, [1, 2], [10n ** 24n, BigInt(Math.ceil(price * 1e24))])
          const [tokenIn, tokenOut] = zeroForOne ? [A, B] : [B, A]
          for (const end of pieces!.startIn.slice(1)) {
            const amountIn = BigInt(Math.ceil((part / 1000) * end))
            // Curves end a few wei before the range does.
            if (amountIn < 1000n) continue
            const pools = isAlone ? [pool] : [pool, beside]
            if (pools.every((one) => getAmountOut(one, direction, amountIn) === 0n)) continue
            // Orders beyond the end of the market are refused.
            const found = certified(pools, { tokenIn, tokenOut, amountIn })
            if (!found) continue
            solved++
            expectWithin(found)
          }
        },
      ),
      { numRuns: 400, endOnFailure: true },
    )
    expect(solved).toBeGreaterThan(300)
  })
})

describe('the bound over pairs that floor their fee', () => {
  const volatile = (feePpm: number): Pool => ({
    ...{ family: 'solidly', id: toHex(0x50, 20), venue: 'test', tokens: [A, B], feePpm },
    ...{ variant: 'solidly', stable: false, units: [10n ** 6n, 10n ** 18n] },
    reserves: [10n ** 15n, 10n ** 27n],
  })

  it('covers the wei that a floored fee can lose, for some hundred dollars', () => {
    // 3,000 ppm of it are 999,999.999 wei.
    const found = certified([volatile(3000)], { tokenIn: A, tokenOut: B, amountIn: 333_333_333n })!
    expectWithin(found)
  })

  it('is not exceeded at any amount, nor by two such pairs in a row', () => {
    let solved = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000 }),
        anyBits(1, 36),
        fc.boolean(),
        (feePpm, amountIn, isLong) => {
          const next: Pool = {
            ...volatile(feePpm),
            id: toHex(0x51, 20),
            tokens: [B, token(3)],
          } as Pool
          const pools = isLong ? [volatile(feePpm), next] : [volatile(feePpm)]
          const order = { tokenIn: A, tokenOut: isLong ? token(3) : B, amountIn }
          const found = certified(pools, order)
          if (!found) return
          solved++
          expectWithin(found)
        },
      ),
      { numRuns: 500, endOnFailure: true },
    )
    expect(solved).toBeGreaterThan(250)
  })

  it('is not exceeded by stable pairs either', () => {
    let solved = 0
    fc.assert(
      fc.property(
        fc.oneof(
          anySolidlyPool.filter(({ stable }) => stable),
          anyCamelotPool.filter(({ stableSwap }) => stableSwap),
        ),
        fc.boolean(),
        anyBits(1, 90),
        (pool, isFirst, amountIn) => {
          const direction = isFirst ? { in: 0, out: 1 } : { in: 1, out: 0 }
          if (getAmountOut(pool, direction, amountIn) === 0n) return
          if (Number(amountIn) > toCurve(pool, direction).limit) return
          const [tokenIn, tokenOut] = [pool.tokens[direction.in]!, pool.tokens[direction.out]!]
          const found = certified([pool], { tokenIn, tokenOut, amountIn })
          if (!found) return
          solved++
          expectWithin(found)
        },
      ),
      { numRuns: 500, endOnFailure: true },
    )
    expect(solved).toBeGreaterThan(100)
  })
})

describe('the margin of the bound', () => {
  const anyPool: fc.Arbitrary<Pool> = fc.oneof(
    ...[anyUniswapV2Pool, anyUniswapV3Pool, anySolidlyPool, anyCamelotPool],
    ...[anyAdaptiveFeePool, anyErc4626Pool],
  )

  it('counts the terms of one hop alone where one hop is the bound', () => {
    const position = { index: -122_915, liquidityNet: 15_178_009_686_895_513n }
    const pools: readonly Pool[] = [
      pair(
        1,
        [0, 1],
        [351_193_525_879_788_461_827_726_062_927n, 73_625_240_221_868_392_369_099_003_539n],
      ),
      {
        ...{ family: 'uniswapV3', id: toHex(0x53, 20), venue: 'test', tokens: [token(0), A] },
        ...{ feePpm: 100, tickSpacing: 1, liquidity: position.liquidityNet },
        ...{ sqrtPriceX96: 183_312_169_108_557_148_889_185_836n, tick: -121_384 },
        ticks: [position, { index: -109_758, liquidityNet: -position.liquidityNet }],
      },
    ]
    const order = { tokenIn: A, tokenOut: token(0), amountIn: 1n }
    // A wei is worth much less than gas: the bound is far below zero.
    const snapshot = snapshotOf(pools, 10n ** 11n)
    const { bound } = quote(buildGraph(snapshot), order, { certificate: 'fast' })
    expect(bound!.amount).toBeLessThan(0n)
    expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount)
  })

  it('is at least 1e-12 of the value traded, more than a curve loses in floats', () => {
    expect(roundBoundUp(0, 0, 1e18)).toBeGreaterThanOrEqual(1_000_000n)
    fc.assert(
      fc.property(anyPool, fc.boolean(), anyBits(1, 110), (pool, isFirst, amountIn) => {
        const direction = isFirst ? { in: 0, out: 1 } : { in: 1, out: 0 }
        const curve = toCurve(pool, direction)
        if (Number(amountIn) > curve.limit) return
        const exact = Number(getAmountOut(pool, direction, amountIn))
        const promised = curve.out(Number(amountIn) + (curve.extraIn ?? 0))
        expect(promised * (1 + 1e-12)).toBeGreaterThanOrEqual(exact)
      }),
      { numRuns: 5000, endOnFailure: true },
    )
  })
})

it('is above every route found, and the checker confirms it, in random markets', () => {
  // `bound.fuzz.ts` draws many more.
  fc.assert(
    fc.property(anyBoundCase, (one) => {
      checkBound(one)
    }),
    { numRuns: 200, endOnFailure: true },
  )
})

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const pools = [pair(0, [1, 2], deep(100n)), pair(1, [1, 3], deep(300n)), pair(2, [3, 2], deep(80n))]

/** The log prices at the dual's minimum, that of the source moved by `shift`. */
function pricedAt(shift: number) {
  const problem = problemOf(pools, [1, 2, 7n * E18])
  minimiseDual(problem, problem.all)
  problem.u[problem.source]! += shift
  return problem.u
}

const request = requestFor(pools, [1, 2, 7n * E18])
const relaxation = relaxOrder(request)!

it('is lowest at the minimum of the dual if gas is free, and has its prices by address', () => {
  const atBest = boundAt(relaxation, pricedAt(0))
  for (const shift of [-0.02, 0.02]) {
    expect(boundAt(relaxation, pricedAt(shift)).amount).toBeGreaterThan(atBest.amount)
  }
  const { prices } = certificateOf(relaxation, atBest, request)
  expect(Object.keys(prices).length).toBe(3)
  expect(prices[request.order.tokenOut]).toBe(0)
})

it('finds prices on a line that are better than both ends', () => {
  const [low, high] = [boundAt(relaxation, pricedAt(-0.02)), boundAt(relaxation, pricedAt(0.03))]
  const between = boundBetween(relaxation, low, high)
  for (const end of [low, high]) expect(between.amount).toBeLessThan(end.amount)
  const excess = Number(between.amount) / Number(boundAt(relaxation, pricedAt(0)).amount) - 1
  expect(excess).toBeLessThan(1e-4)
})
