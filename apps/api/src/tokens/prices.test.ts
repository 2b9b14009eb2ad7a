import { type Address, buildGraph, type Pool } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC } from '../testing/frozenMarket.js'
import { createPriceBook } from './prices.js'

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

const prices = (depths: { readonly usdc: bigint; readonly usdt: bigint }) =>
  createPriceBook([USDC, USDT], () => 0).exact(graphOf(depths), COIN)

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
