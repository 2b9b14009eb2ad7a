import fc from 'fast-check'
import { type Address, toHex } from '../hex.js'
import type { Order } from '../order.js'
import type { Pool } from '../pools/index.js'
import type { Snapshot } from '../snapshot.js'

/** The wrapped native token of these markets: token 0. */
export const WRAPPED: Address = '0x5555555555555555555555555555555555555555'
/** The n-th token. */
export const token = (n: number): Address => (n === 0 ? WRAPPED : toHex(n, 20))

/** A constant-product pool of two tokens given by number. */
export function pair(
  id: number,
  [a, b]: readonly [number, number],
  reserves: readonly [bigint, bigint],
  feePpm = 3000,
): Pool {
  const tokens = [token(a), token(b)] as const
  return {
    family: 'uniswapV2',
    id: toHex(0x1000 + id, 20),
    venue: 'test',
    tokens,
    reserves,
    feePpm,
  }
}

/** A snapshot with the given pools. */
export function snapshotOf(pools: readonly Pool[], gasPrice = 0n): Snapshot {
  const addresses = [...new Set(pools.flatMap((pool) => pool.tokens))]
  return {
    chainId: 999,
    block: { number: 1n, hash: toHex(1, 32), timestamp: 1n, gasPrice, gasLimit: 30_000_000n },
    wrappedNative: WRAPPED,
    tokens: addresses.map((address) => ({ address, decimals: 18 })),
    pools,
  }
}

/** Markets whose pools agree within their fees: the reserves follow one price per token. */
export const anyCleanMarket: fc.Arbitrary<readonly Pool[]> = fc
  .record({
    prices: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 5, maxLength: 5 }),
    pools: fc.array(
      fc.record({
        ends: fc.tuple(fc.nat(4), fc.nat(4)).filter(([a, b]) => a !== b),
        depth: fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }),
        noisePpm: fc.integer({ min: -2_000, max: 2_000 }),
      }),
      { minLength: 3, maxLength: 14 },
    ),
  })
  .map(({ prices, pools }) =>
    pools.map(({ ends, depth, noisePpm }, i) => {
      const [a, b] = ends
      const reserveB = (depth * BigInt(prices[a]!) * BigInt(1_000_000 + noisePpm)) / 1_000_000n
      return pair(i, ends, [depth * BigInt(prices[b]!), reserveB])
    }),
  )

/** Two of the five tokens. */
export const anyEnds: fc.Arbitrary<[number, number]> = fc
  .tuple(fc.nat(4), fc.nat(4))
  .filter(([a, b]) => a !== b)

/** An order for 1/`part` of the pools' total reserve of the token in. */
export function orderOf(
  pools: readonly Pool[],
  [a, b]: readonly [number, number],
  part: bigint,
): Order {
  const reserves = pools.flatMap((pool) => {
    const i = pool.tokens.indexOf(token(a))
    return pool.family === 'uniswapV2' && i >= 0 ? [pool.reserves[i as 0 | 1]] : []
  })
  const depth = reserves.reduce((sum, reserve) => sum + reserve, 0n)
  return { tokenIn: token(a), tokenOut: token(b), amountIn: depth / part + 1n }
}
