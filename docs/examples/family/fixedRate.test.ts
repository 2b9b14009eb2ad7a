import {
  type Address,
  buildGraph,
  families,
  type Pool,
  quote,
  quoteExactOut,
  stringifySnapshot,
  swapCallOf,
  withFamilies,
} from '@braid-swap/core'
import { describeConformance } from '@braid-swap/core/testing'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as fixedRate from './fixedRate.js'

const tokenA: Address = '0x00000000000000000000000000000000000000aa'
const tokenB: Address = '0x00000000000000000000000000000000000000bb'
const wrappedNative: Address = '0x5555555555555555555555555555555555555555'
const router: Address = '0x00000000000000000000000000000000000000ee'

/** An integer of any size up to so many bits. */
const anyBits = (bits: number) =>
  fc
    .integer({ min: 1, max: bits })
    .chain((n) => fc.bigInt({ min: 1n, max: (1n << BigInt(n)) - 1n }))

const anyPool: fc.Arbitrary<fixedRate.FixedRatePool> = fc.record({
  family: fc.constant('fixedRate' as const),
  id: fc.constant('0x0000000000000000000000000000000000000abc' as const),
  venue: fc.constant('test'),
  tokens: fc.constant([tokenA, tokenB] as const),
  rate: anyBits(100),
  reserves: fc.tuple(anyBits(111), anyBits(111)),
  feePpm: fc.integer({ min: 0, max: 100_000 }),
})

// The curve has a slight bend, because the solver determines amounts by prices; each of two swaps
// rounds down by less than a wei.
describeConformance('fixedRate', fixedRate, anyPool, anyBits(111), {
  relative: 1e-7,
  wei: () => 2,
})

const market = withFamilies({ ...families, fixedRate })

const common = { venue: 'test', tokens: [tokenA, tokenB] as const, feePpm: 500 }
const snapshot = market.checkSnapshot({
  chainId: 999,
  block: {
    ...{ number: 1n, hash: `0x${'01'.repeat(32)}`, timestamp: 1_800_000_000n },
    ...{ gasPrice: 100_000_000n, gasLimit: 30_000_000n },
  },
  wrappedNative,
  tokens: [
    { address: tokenA, decimals: 18 },
    { address: tokenB, decimals: 18 },
  ],
  pools: [
    {
      ...{ ...common, family: 'fixedRate', id: '0x00000000000000000000000000000000000000f1' },
      ...{ rate: 2n * 10n ** 18n, reserves: [0n, 150n * 10n ** 18n] },
    },
    {
      ...{ ...common, family: 'uniswapV2', id: '0x00000000000000000000000000000000000000f2' },
      reserves: [1_000n * 10n ** 18n, 2_000n * 10n ** 18n],
    },
  ],
})

const order = { tokenIn: tokenA, tokenOut: tokenB, amountIn: 100n * 10n ** 18n }
const graph = market.buildGraph(snapshot)

describe('a market with a family from outside', () => {
  const best = quote(graph, order)

  it('is quoted: the route uses both pools, and no route is worth more than the bound', () => {
    expect(best.route.map(({ pool }) => pool.family).sort()).toEqual(['fixedRate', 'uniswapV2'])
    const without = { ...snapshot, pools: snapshot.pools.slice(1) }
    expect(best.amountOut).toBeGreaterThan(quote(buildGraph(without), order).amountOut)
    const bound = market.recomputeBound(snapshot, order, best.bound!)
    expect(bound).toBeGreaterThanOrEqual(best.amountOut)
  })

  it('is replayed to the wei, from the file that it was saved to as well', () => {
    expect(market.replay(best.route, order)?.amountOut).toBe(best.amountOut)
    const saved = market.parseSnapshot(stringifySnapshot(snapshot))
    expect(quote(market.buildGraph(saved), order).amountOut).toBe(best.amountOut)
  })

  it('is quoted for an exact output', () => {
    const least = quoteExactOut(graph, { ...order, amountOut: 10n ** 18n })
    expect(least.amountOut).toBeGreaterThanOrEqual(10n ** 18n)
  })

  it('is encoded, and the calldata reads back as the same swap', () => {
    const terms = { wrappedNative, slippagePpm: 5_000n, deadline: 1_800_000_060n }
    const tx = swapCallOf(router, market.routerCallOf(best, terms))
    const wanted = { tokenIn: tokenA, amountIn: order.amountIn, tokenOut: tokenB }
    expect(market.findMismatches(tx, { router, wrappedNative, wanted })).toEqual([])
    const intent = market.readIntent(tx.data, wrappedNative)
    expect(market.replayIntent(intent, snapshot)).toEqual({ amountOut: best.amountOut })
  })

  it('refuses a damaged pool by its field, and is refused without the family', () => {
    const [pool, other] = snapshot.pools
    const damaged = { ...snapshot, pools: [{ ...pool!, rate: 0n }, other!] }
    expect(() => market.checkSnapshot(damaged)).toThrow('rate is 0')
    expect(() => buildGraph(snapshot)).toThrow('which is not given')
  })

  it('has pools that are a part of the type `Pool`', () => {
    expectTypeOf<fixedRate.FixedRatePool>().toExtend<Pool>()
    const [hop] = best.route.filter(({ pool }) => pool.family === 'fixedRate')
    if (hop?.pool.family === 'fixedRate') expectTypeOf(hop.pool.rate).toEqualTypeOf<bigint>()
  })
})
