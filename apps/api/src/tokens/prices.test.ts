import { type Address, buildGraph, type Pool } from '@braid-swap/core'
import { getSqrtPriceAtTick } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { findPrices } from './prices.js'

const USDT: Address = `0x${'d7'.repeat(20)}`
const COIN: Address = `0x${'c0'.repeat(20)}`
const E6 = 10n ** 6n
const E18 = 10n ** 18n

/** COIN at 2 USD, with so many USD in its pools with USDC and with USDT. */
function graphOf({ usdc, usdt }: { readonly usdc: bigint; readonly usdt: bigint }) {
  const pool = (usd: Address, depth: bigint, n: number): readonly Pool[] =>
    depth === 0n
      ? []
      : [
          {
            ...{ family: 'uniswapV2', id: `0x${`a${n}`.repeat(20)}`, venue: 'test-v2' },
            ...{ tokens: [usd, COIN], reserves: [depth * E6, (depth * E18) / 2n], feePpm: 3000 },
          },
        ]
  return buildGraph({
    ...frozenSnapshot,
    tokens: [
      { address: USDC, decimals: 6 },
      { address: USDT, decimals: 6 },
      { address: COIN, decimals: 18 },
    ],
    pools: [...pool(USDC, usdc, 1), ...pool(USDT, usdt, 2)],
  })
}

const terms = { usdTokens: [USDC, USDT], trusted: new Set([WHYPE]) }
const prices = (depths: { readonly usdc: bigint; readonly usdt: bigint }) =>
  findPrices(graphOf(depths), { token: COIN, ...terms }, {})

describe('a price', () => {
  it('is from buying for 1,000 USD and selling the result', () => {
    const { buyPriceUsd, sellPriceUsd } = prices({ usdc: 1_000_000n, usdt: 0n })
    // A thousandth of the pool is bought, at its price, 0.3 % and a thousandth more.
    expect(buyPriceUsd).toBeCloseTo((2 * 1.001) / 0.997, 4)
    expect(sellPriceUsd).toBeCloseTo(2 * 0.997 * 0.999, 2)
  })

  it('comes from the second stablecoin if the first is too shallow', () => {
    const { buyPriceUsd } = prices({ usdc: 5_000n, usdt: 1_000_000n })
    expect(buyPriceUsd).toBeCloseTo((2 * 1.001) / 0.997, 4)
  })

  it('is null where both are', () => {
    const none = { buyPriceUsd: null, sellPriceUsd: null }
    expect(prices({ usdc: 5_000n, usdt: 5_000n })).toEqual(none)
    expect(prices({ usdc: 0n, usdt: 0n })).toEqual(none)
  })
})

describe('a price that somebody wants to move', () => {
  const PHANTOM: Address = `0x${'f0'.repeat(20)}`
  /** HYPE at 40 USD in a pool of 4,000,000 USD, and what an attacker adds. */
  const hypeAt = (...added: readonly Pool[]) =>
    findPrices(
      buildGraph({
        ...frozenSnapshot,
        tokens: [...frozenSnapshot.tokens, { address: PHANTOM, decimals: 18 }],
        pools: [...frozenSnapshot.pools, ...added],
      }),
      { token: WHYPE, ...terms },
      {},
    )
  const pool = (
    n: number,
    tokens: readonly [Address, Address],
    reserves: readonly [bigint, bigint],
  ): Pool => ({
    ...{ family: 'uniswapV2', id: `0x${`b${n}`.repeat(20)}`, venue: 'test-v2', feePpm: 3000 },
    ...{ tokens, reserves },
  })

  it.each([0.5, 0.91, 0.98, 1.02, 1.09, 2])(
    'stays beside a pool of 1,000 USD at %d of the price',
    (ratio) => {
      const hype = BigInt(Math.round((12.5 / ratio) * 1e18))
      expect(hypeAt(pool(1, [WHYPE, USDC], [hype, 500n * E6]))).toEqual(hypeAt())
    },
  )

  it('stays beside a pool of 1,000 USD whose liquidity is all at one tick', () => {
    const tick = -239_231
    const v3: Pool = {
      ...{ family: 'uniswapV3', id: `0x${'b3'.repeat(20)}`, venue: 'test-v3' },
      ...{ tokens: [WHYPE, USDC], feePpm: 100, tickSpacing: 1, tick },
      ...{ sqrtPriceX96: getSqrtPriceAtTick(tick), liquidity: 80_000_000_000_000_000n },
      ticks: [
        { index: tick - 20, liquidityNet: 80_000_000_000_000_000n },
        { index: tick + 20, liquidityNet: -80_000_000_000_000_000n },
      ],
    }
    expect(hypeAt(v3)).toEqual(hypeAt())
  })

  it('stays beside pools of a token of nobody, however large they are', () => {
    const hype = pool(1, [WHYPE, PHANTOM], [100_000n * E18, 4_000_000n * E18])
    const usd = pool(2, [PHANTOM, USDC], [4_000_000n * E18, 4_200_000n * E6])
    expect(hypeAt(hype, usd)).toEqual(hypeAt())
  })
})
