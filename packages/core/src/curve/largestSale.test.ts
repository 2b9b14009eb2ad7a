/** The end of a market, on the market of the devnet in blocks of 3 million gas and on markets made for it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { quoteExactOut } from '../exactOut/quoteExactOut.js'
import { buildGraph } from '../graph.js'
import { type Hex, NATIVE } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import { referenceOf } from '../reference/referencePrices.js'
import { parseSnapshot } from '../snapshotFile.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { tryQuote } from '../testing/checkExactOut.js'
import { prng } from '../testing/prng.js'
import { nearestSales } from './nearestSales.js'

const E18 = 10n ** 18n
const file = new URL('../../../vectors/snapshots/999-79.json', import.meta.url)
const snapshot = parseSnapshot(readFileSync(file, 'utf8'))
const graph = buildGraph({ ...snapshot, block: { ...snapshot.block, gasLimit: 3_000_000n } })
const named = (start: string): Hex =>
  snapshot.tokens.find(({ address }) => address.startsWith(start))!.address

describe('the end of the market', () => {
  it('is before an amount that pays less than a smaller one', () => {
    const ends = { tokenIn: snapshot.wrappedNative, tokenOut: named('0x94e8') }
    const amounts = [12_000n, 14_400n, 16_000n, 20_000n, 24_000n, 28_000n, 40_000n, 10n ** 9n]
    const paid = amounts.map(
      (hype) => tryQuote(graph, { ...ends, amountIn: hype * E18 })?.amountOut,
    )
    const answered = paid.filter((one) => one !== undefined)
    expect(answered).toEqual(answered.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(paid.map((one) => one !== undefined)).toEqual([
      ...[true, true, true, false, false, false, false, false],
    ])
    const { order, amountOut } = nearestSales(graph, ends).most!
    expect(Number(order.amountIn) / 1e18).toBeGreaterThan(15_000)
    expect(Number(order.amountIn) / 1e18).toBeLessThan(20_000)
    expect(quote(graph, order).amountOut).toBe(amountOut)
    expect(amountOut).toBeGreaterThan((answered.at(-1)! * 995n) / 1000n)
  })

  it('is found where sales that grow by four times pass it', () => {
    const ends = { tokenIn: named('0x94e8'), tokenOut: named('0x5d3a') }
    const paid = [6_000n, 7_800n, 13_300n, 17_300n].map(
      (amount) => tryQuote(graph, { ...ends, amountIn: amount * E18 })?.amountOut,
    )
    expect(paid.map((one) => one !== undefined)).toEqual([true, true, false, false])
  })

  it('is beyond the largest sale that a refusal names, in a market of pairs', () => {
    const graph = buildGraph(
      snapshotOf([pair(1, [1, 2], [E18, E18]), pair(2, [1, 2], [E18, 9n * E18])]),
    )
    const ends = { tokenIn: token(1), tokenOut: token(2) }
    const { order, amountOut } = nearestSales(graph, ends).most!
    expect(quote(graph, order).amountOut).toBe(amountOut)
    expect(Number(amountOut) / 1e18).toBeGreaterThan(9.9)
    expect(tryQuote(graph, { ...order, amountIn: 3n * order.amountIn })).toBeUndefined()
    const refusal = expect.objectContaining({
      details: expect.objectContaining({ largestAmountOut: `${amountOut}` }),
    })
    expect(() => quoteExactOut(graph, { ...ends, amountOut: 11n * E18 })).toThrow(refusal)
  })

  it('is found where the depth of a pool buys less than a unit', () => {
    const graph = buildGraph(snapshotOf([pair(1, [1, 2], [E18, 50n])]))
    const { amountOut } = nearestSales(graph, { tokenIn: token(1), tokenOut: token(2) }).most!
    expect(Number(amountOut)).toBeGreaterThan(40)
  })

  it('is not nearer beside a pool that pays well', () => {
    const million = 10n ** 12n
    const liquidity = BigInt(Math.floor(1e12 / (1 - 1.0001 ** -2.5)))
    const deep: Pool = {
      ...{ family: 'uniswapV3', id: `0x${'aa'.repeat(20)}`, venue: 'v3', feePpm: 100 },
      ...{ tokens: [token(1), token(2)], tickSpacing: 1, tick: 0, sqrtPriceX96: 2n ** 96n },
      liquidity,
      ticks: [
        { index: -5, liquidityNet: liquidity },
        { index: 5, liquidityNet: -liquidity },
      ],
    }
    const sell = (reserve: bigint, part: bigint, pools: readonly Pool[] = [deep]) => {
      const dust = pair(2, [1, 2], [reserve, reserve])
      const order = { tokenIn: token(1), tokenOut: token(2), amountIn: (million * part) / 1000n }
      return tryQuote(buildGraph(snapshotOf([...pools, dust])), order)
    }
    for (const [dollars, part] of [
      [10n, 1001n],
      [100n, 1010n],
      [1100n, 1050n],
    ] as const)
      expect(Number(sell(dollars * 10n ** 6n, part)?.amountOut)).toBeGreaterThan(0.99e12)
    expect(sell(1100n * 10n ** 6n, 1050n, [])).toBeUndefined()
  })
})

describe('an exact output up to the end of the market', () => {
  const costs = (order: { tokenIn: Hex; tokenOut: Hex; amountIn: bigint }) => {
    const sold = tryQuote(graph, order)
    if (!sold) return undefined
    const bought = quoteExactOut(graph, { ...order, amountOut: sold.amountOut })
    const gasCost = (sold.bound!.gasCost * Number(order.amountIn)) / Number(sold.amountOut)
    const cost = (amountIn: bigint, gas: number) => Number(amountIn) + gas * gasCost
    return cost(bought.order.amountIn, bought.gas) / cost(order.amountIn, sold.gas)
  }

  // They took 144 bp more, 3.8 times as much, were refused, and took 22 bp more.
  it.each([
    ['0x9fdb', '0x5555', 1_655_271_831n],
    ['0x9fdb', '0x1111', 583_651_112n],
    ['0x94e8', '0xfd73', 20_835_669_308_812_491_227_136n],
    ['0xf4d9', '0x5555', 556_844_155n],
  ] as const)('from %s to %s costs no more than a sale that pays it', (from, to, amountIn) => {
    const order = { tokenIn: named(from), tokenOut: named(to), amountIn }
    expect(costs(order)).toBeLessThan(1 + 1e-4)
  })

  it('costs no more than a sale that pays it, and is not refused, for random orders', () => {
    const { price } = referenceOf(graph)
    const priceOf = (one: Hex) => price[graph.tokenNumber.get(one)!]!
    const tokens = snapshot.tokens
      .map(({ address }) => address)
      .filter((one) => one !== NATIVE && priceOf(one) > 0)
    const random = prng(31)
    const any = () => tokens[Math.floor(random() * tokens.length)]!
    // Three of 400 further draws find the noise of the search where the market ends: they are refused.
    for (let answered = 0; answered < 60; ) {
      const [tokenIn, tokenOut] = [any(), any()]
      const worth = 10 ** (7 + 5.3 * random()) * priceOf(named('0xb883'))
      const amountIn = BigInt(Math.ceil(worth / priceOf(tokenIn)))
      const ratio = tokenIn === tokenOut ? undefined : costs({ tokenIn, tokenOut, amountIn })
      if (ratio === undefined) continue
      expect(`${tokenIn} ${tokenOut} ${amountIn} ${ratio < 1 + 1e-4}`).toMatch(/true$/)
      answered++
    }
  })
})
