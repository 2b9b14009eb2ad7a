import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { type Hex, NATIVE } from '../hex.js'
import type { Order } from '../order.js'
import { quote, quoteHops } from '../quote.js'
import { referenceOf } from '../reference/referencePrices.js'
import { parseSnapshot } from '../snapshotFile.js'
import { pair, token } from '../testing/arbitraryMarkets.js'
import { tryQuote } from '../testing/checkExactOut.js'
import { prng } from '../testing/prng.js'
import type { Options } from './terms.js'

const vectors = new URL('../../../vectors/snapshots/', import.meta.url)
const snapshot = parseSnapshot(readFileSync(new URL('999-79.json', vectors), 'utf8'))
const graph = buildGraph(snapshot)
const inBlockOf3M = buildGraph({ ...snapshot, block: { ...snapshot.block, gasLimit: 3_000_000n } })

/** Orders of $100 to $6,000 that paid up to 2 % less, each where a search began from other routes. */
const orders: readonly Order[] = (
  [
    ['0x068f', '0x52e4', 2_449_557_800n],
    ['0x211c', '0x9fdb', 385_711_433_228_790_136_832n],
    ['0x02c6', '0xbe67', 299_026_374_337_451_720_704n],
    ['0xfd73', '0x9fdb', 35_231_151_859_391_934_464n],
    ['0x9fdb', '0x068f', 5_766_130n],
    ['0xbe67', '0x9fdb', 2_388_675_565_339_840_512n],
  ] as const
).map(([from, to, amountIn]) => ({ tokenIn: address(from), tokenOut: address(to), amountIn }))

function address(start: string): Hex {
  return snapshot.tokens.find((one) => one.address.startsWith(start))!.address
}

const netOf = (order: Order, options: Options, market = graph): number => {
  const { amountOut, gas, bound } = quote(market, order, options)
  return Number(amountOut) - gas * bound!.gasCost
}

/** Pairs of $50 a side between random tokens of the market, at its price. */
function dust(seed: number) {
  const { price } = referenceOf(graph)
  const priceOf = (one: Hex) => price[graph.tokenNumber.get(one)!]!
  const some = snapshot.tokens.map((one) => one.address)
  const tokens = some.filter((one) => one !== NATIVE && priceOf(one) > 0)
  const random = prng(seed)
  const worth = 50e6 * priceOf(address('0xb883'))
  const reserve = (one: Hex) => BigInt(Math.max(1000, Math.floor(worth / priceOf(one))))
  return Array.from({ length: 20 }, (_, n) => {
    let ends: Hex[] = []
    while (ends[0] === ends[1])
      ends = [0, 1].map(() => tokens[Math.floor(random() * tokens.length)]!)
    const [a, b] = ends.sort() as [Hex, Hex]
    const id: Hex = `0x${(0xcccc0000 + n).toString(16).padStart(40, '0')}`
    return { ...pair(n, [1, 2], [reserve(a), reserve(b)]), id, tokens: [a, b] as const }
  })
}

// Two routes of the same worth can be cut to other wei.
const ROUNDING = 1e-9
// What a neighbouring amount may know better: a basis point.
const NEIGHBOUR = 1e-4
// The same where an order has drained its pools and loses nine tenths of its value.
const DRAINED = 1e-3

describe('an order pays no less', () => {
  it.each([
    ['gas', [1e6, 2e6, 3e6, 6e6, 30e6].map((limit) => ({ maxGas: 0.8 * limit }))],
    ['legs', [4, 8, 16, 24, 40].map((maxLegs) => ({ maxLegs }))],
    ['hops', [4, 5, 6, 8, 10].map((maxHops) => ({ maxHops }))],
  ] as const)('with more %s', (_, caps) => {
    for (const order of orders) {
      const nets = caps.map((options) => netOf(order, options))
      for (const [n, net] of nets.slice(1).entries())
        expect(net).toBeGreaterThanOrEqual(nets[n]! * (1 - ROUNDING))
    }
  })

  it('with another certificate, or beside pools that no route of it can pass', () => {
    const strangers = Array.from({ length: 200 }, (_, n) =>
      pair(n, [901, 902], [10n ** 20n, 10n ** 20n]),
    )
    const tokens = [901, 902].map((n) => ({ address: token(n), decimals: 18 }))
    const larger = buildGraph({
      ...snapshot,
      tokens: [...snapshot.tokens, ...tokens],
      pools: [...snapshot.pools, ...strangers],
    })
    for (const order of orders) {
      const net = netOf(order, {})
      expect(netOf(order, { certificate: 'fast' })).toBe(net)
      expect(netOf(order, { certificate: 'paths' })).toBe(net)
      expect(netOf(order, {}, larger)).toBe(net)
    }
  })

  it('beside twenty pools of $50 at the price of the market', () => {
    // They paid 481, 418, 357, 303, 247 and 351 bp less. The best paths of the last four have up to eight hops.
    for (const [seed, from, to, amountIn] of [
      [1234, '0xbd6d', '0x94e8', 274_376_014_518_097_379_328n],
      [1234, '0xbe67', '0x94e8', 5_579_957_529_946_760n],
      [1236, '0x5748', '0x3b45', 366_453_828_768_667_584n],
      [1236, '0xf4d9', '0x211c', 23_389n],
      [1237, '0x1111', '0x0000', 35_706_335n],
      [1240, '0x0000', '0x3b45', 503_134_544_642_650_341_376n],
    ] as const) {
      const larger = buildGraph({
        ...inBlockOf3M.snapshot,
        pools: [...snapshot.pools, ...dust(seed)],
      })
      const order = { tokenIn: address(from), tokenOut: address(to), amountIn }
      expect(netOf(order, {}, larger)).toBeGreaterThan(
        netOf(order, {}, inBlockOf3M) * (1 - NEIGHBOUR),
      )
    }
  })

  it('for more, up to the end of the market', () => {
    // The first fell to a quarter, and rose again.
    for (const [from, to, first] of [
      ['0x1111', '0x211c', 10n ** 7n],
      ['0x9fdb', '0x02c6', 10n ** 5n],
      ['0x94e8', '0xfd73', 10n ** 18n],
    ] as const) {
      const ends = { tokenIn: address(from), tokenOut: address(to) }
      const amounts = Array.from(
        { length: 40 },
        (_, n) => (first * 9n ** BigInt(n)) / 5n ** BigInt(n),
      )
      const found = amounts.map(
        (amountIn) => tryQuote(inBlockOf3M, { ...ends, amountIn })?.amountOut,
      )
      const paid = found.filter((one) => one !== undefined).map(Number)
      expect(paid.length).toBeGreaterThan(10)
      expect(paid.length).toBeLessThan(amounts.length)
      expect(found.at(-1)).toBeUndefined()
      for (const [n, one] of paid.slice(1).entries())
        expect(one).toBeGreaterThan(paid[n]! * (1 - DRAINED))
    }
  })

  it('than the shares of a neighbouring amount give it', () => {
    for (const order of orders) {
      const { amountOut } = quote(graph, order)
      for (const percent of [70n, 85n, 95n, 105n, 130n]) {
        const { route } = quote(graph, { ...order, amountIn: (order.amountIn * percent) / 100n })
        const neighbour = quoteHops(graph, order, route)
        expect(Number(amountOut)).toBeGreaterThan(
          Number(neighbour?.amountOut ?? 0n) * (1 - NEIGHBOUR),
        )
      }
    }
  })
})
