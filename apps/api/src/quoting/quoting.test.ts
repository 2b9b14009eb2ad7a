import {
  type Address,
  type Bound,
  buildGraph,
  type Direction,
  type Order,
  type Pool,
  priceImpactBps,
} from '@braid-swap/core'
import { quoteHops, toHex } from '@braid-swap/core/advanced'
import { divUp, feeRate } from '@braid-swap/core/families'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observeGap } from '../answers/meta.js'
import { createMetrics } from '../http/metrics.js'
import { frozenSnapshot, PURR, USDC, WHYPE } from '../testing/frozenMarket.js'
import { exactAnswer, figuresOf, gapOf, type QuoteAnswer } from './quoting.js'

const E18 = 10n ** 18n
const options = { numRuns: 1_000, endOnFailure: true }
const forward: Direction = { in: 0, out: 1 }
const base = (n: number, tokens: readonly [Address, Address]) =>
  ({ id: toHex(0x7000 + n, 20), venue: 'test', tokens }) as const

const reserve = fc.bigInt(10n ** 12n, 10n ** 27n)
const reserves = fc.tuple(reserve, reserve)
const feePpm = fc.integer({ min: 0, max: 50_000 })
/** Pairs of WHYPE with USDC, whose maths do not matter here. */
const firstPool: fc.Arbitrary<Pool> = fc
  .oneof(
    fc.record({
      ...{ family: fc.constant('uniswapV2' as const), reserves, feePpm },
    }),
    fc.record({
      ...{ family: fc.constant('camelot' as const), reserves, stableSwap: fc.constant(false) },
      feePercents: fc.tuple(fc.nat(5_000), fc.nat(5_000)),
      precisionMultipliers: fc.constant([E18, 10n ** 6n] as const),
      ownerFeeShare: fc.constant(0),
    }),
  )
  .map((pool) => ({ ...base(1, [WHYPE, USDC]), ...pool }) as Pool)
/** A second hop, from USDC to PURR. */
const secondPool: fc.Arbitrary<Pool> = fc
  .record({ reserves, feePpm })
  .map((pool) => ({ family: 'uniswapV2', ...base(2, [USDC, PURR]), ...pool }))
const pools: fc.Arbitrary<readonly Pool[]> = fc.oneof(
  fc.tuple(firstPool),
  fc.tuple(firstPool, secondPool),
)

/** Swaps an amount through pools one after the other; `undefined` where they cannot take it. */
function answerOf(chain: readonly Pool[], amountIn: bigint) {
  const graph = buildGraph({ ...frozenSnapshot, pools: chain })
  const order: Order = { tokenIn: WHYPE, tokenOut: chain.at(-1)!.tokens[1]!, amountIn }
  const hops = chain.map((pool) => ({ pool, direction: forward, share: 0 }))
  const found = quoteHops(graph, order, hops)
  return found && { order, answer: exactAnswer({ ...found }) }
}

/** A part of what the first pool holds, so small or large that rounding does not matter. */
const partOf = ([pool]: readonly Pool[], ppm: number) =>
  divUp(
    (pool as { readonly reserves: readonly [bigint, bigint] }).reserves[0] * BigInt(ppm),
    10n ** 6n,
  )
const isCoarse = ({ answer }: { readonly answer: QuoteAnswer }) =>
  answer.route!.some(({ amountOut }) => amountOut < 10n ** 7n)

describe('price impact', () => {
  it('is of no order negative: no route pays more than the rates before it', () => {
    fc.assert(
      fc.property(pools, fc.bigInt(1n, 10n ** 26n), (chain, amountIn) => {
        const found = answerOf(chain, amountIn)
        if (!found) return
        const { spotDstAmount } = figuresOf(found.answer, found.order)
        const spot = Number(spotDstAmount)
        // A float of wei, floored.
        expect(Number(found.answer.amountOut)).toBeLessThanOrEqual(spot * (1 + 1e-12) + 1)
        expect(priceImpactBps(found.answer, found.order) ?? 0).toBeGreaterThanOrEqual(0)
      }),
      options,
    )
  })

  it('of a small order is next to none, whatever the fees', () => {
    fc.assert(
      fc.property(pools, (chain) => {
        const found = answerOf(chain.slice(0, 1), partOf(chain, 1))
        if (!found || isCoarse(found)) return
        // A millionth of the pool moves its price by a hundredth of a basis point.
        expect(priceImpactBps(found.answer, found.order)).toBeLessThanOrEqual(0.03)
      }),
      options,
    )
  })

  it('grows with the amount over the same pools', () => {
    const parts = fc.tuple(fc.integer({ min: 100, max: 10 ** 6 }), fc.integer({ min: 2, max: 9 }))
    fc.assert(
      fc.property(pools, parts, (chain, [ppm, times]) => {
        const [less, more] = [ppm, ppm * times].map((part) => answerOf(chain, partOf(chain, part)))
        if (!less || !more || isCoarse(less)) return
        const [small, large] = [less, more].map((each) => priceImpactBps(each.answer, each.order))
        // Near 100 %, the rounding to hundredths of a basis point is too coarse.
        if (small! < 9_000) expect(large!).toBeGreaterThan(small!)
        else expect(large!).toBeGreaterThanOrEqual(small!)
      }),
      options,
    )
  })

  it('is the same with a fee of 5 % as without one, of the same net amount', () => {
    const poolOf = (fee: number): Pool => ({
      ...{ family: 'uniswapV2', ...base(1, [WHYPE, USDC]), feePpm: fee },
      reserves: [1_000_000n * E18, 40_000_000n * E18],
    })
    const net = 19_000n * E18
    const [free, taxed] = [
      answerOf([poolOf(0)], net)!,
      answerOf([poolOf(50_000)], (net * 100n) / 95n)!,
    ]
    const impact = priceImpactBps(free.answer, free.order)!
    // 19,000 into a million: 1 − 1/1.019.
    expect(impact).toBeCloseTo(186.46, 1)
    expect(priceImpactBps(taxed.answer, taxed.order)).toBeCloseTo(impact, 1)
  })

  it('of a pool that has a rate and a fee, and no curve, is none: the fee may rise with the amount', () => {
    const pool: Pool = {
      ...{ family: 'stex', ...base(1, [WHYPE, USDC]), reserves: [0n, 10_000n * E18], rate: E18 },
      ...{ amountToken0PendingUnstaking: 0n, amountToken1PendingLPWithdrawal: 0n },
      ...{ amountToken1LendingPool: 0n, poolManagerFeeBips: 0, isPaused: false },
      fee: {
        ...{ kind: 'ratio', minThresholdRatioBips: 0, maxThresholdRatioBips: 10_000 },
        ...{ feeMinBips: 5, feeMaxBips: 500 },
      },
      ...{ sampledAt: 9n, quotedAt: 10n },
    }
    const { answer, order } = answerOf([pool], 8_000n * E18)!
    const fees = [1n, order.amountIn].map((amount) => feeRate(pool, forward, amount)!)
    expect(fees[1]! - fees[0]!).toBeGreaterThan(0.03)
    expect(priceImpactBps(answer, order)).toBeLessThan(0.05)
    expect(answer.isSampled).toBe(true)
  })

  it('of a vault at its rate is none', () => {
    const vault: Pool = {
      ...{ family: 'erc4626', ...base(1, [WHYPE, USDC]), virtuals: [1n, 1n] },
      ...{ totalAssets: 3_000n * E18, totalSupply: 2_000n * E18 },
    }
    const { answer, order } = answerOf([vault], 1_000n * E18)!
    expect(priceImpactBps(answer, order)).toBe(0)
  })

  it('is null, not none, where there is no route to look at', () => {
    const { order, answer } = answerOf(
      [{ family: 'uniswapV2', ...base(1, [WHYPE, USDC]), reserves: [E18, E18], feePpm: 3000 }],
      E18,
    )!
    const { route: _, ...sum } = answer
    expect(priceImpactBps(sum, order)).toBeNull()
  })
})

describe('the gap to the bound', () => {
  const bound = (amount: bigint, gasCost: number): Bound => ({
    ...{ amount, gasCost, objective: gasCost > 0 ? 'net' : 'gross', maxLegs: 24, maxGas: 1e7 },
    ...{ prices: {}, setAside: [], excluded: [] },
  })
  const answer = (amountOut: bigint, gas: bigint): QuoteAnswer => ({
    ...{ mode: 'exact', amountOut, gas, isSampled: false },
  })

  it('is unknown and not 0 for an answer above its bound, which is left out', () => {
    const unknown = { gapBps: null, method: 'dual' }
    expect(gapOf({ ...answer(E18 + 1n, 0n), bound: bound(E18, 0) })).toEqual(unknown)
    expect(gapOf({ ...answer(10_000n, 100n), bound: bound(8_999n, 10) })).toEqual(unknown)
    expect(gapOf({ ...answer(10_000n, 2_000n), bound: bound(-10_001n, 10) })).toEqual(unknown)
  })

  it('is the distance from what an answer is worth to a bound that holds', () => {
    const one = { method: 'dual', maxDstAmount: '10000', gapBps: 1 }
    expect(gapOf({ ...answer(9_999n, 0n), bound: bound(10_000n, 0) })).toEqual(one)
    const none = { method: 'dual', maxNetDstAmount: '9000', gapBps: 0 }
    expect(gapOf({ ...answer(10_000n, 100n), bound: bound(9_000n, 10) })).toEqual(none)
    expect(gapOf(answer(1n, 0n))).toBeUndefined()
    expect(gapOf({ ...answer(10n, 100n), bound: bound(-900n, 10) })).toBeUndefined()
  })

  it('is counted where it is unknown, and not among the gaps', async () => {
    const metrics = createMetrics({ current: () => null }, () => 0)
    observeGap({ metrics }, { ...answer(11n, 0n), bound: bound(10n, 0) })
    observeGap({ metrics }, { ...answer(10n, 0n), bound: bound(10n, 0) })
    const text = await metrics.registry.metrics()
    expect(text).toContain('braid_bound_exceeded_total 1')
    expect(text).toContain('braid_optimality_gap_bps_count 1')
  })
})
