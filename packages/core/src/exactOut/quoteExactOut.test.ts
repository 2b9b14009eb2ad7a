import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionGasOf } from '../advanced.js'
import { type InputBound, recomputeInputBound } from '../certificate/recomputeInputBound.js'
import { buildGraph } from '../graph.js'
import { NATIVE } from '../hex.js'
import type { ExactOutOrder } from '../order.js'
import type { Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import { parseSnapshot } from '../snapshotFile.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
  token,
  WRAPPED,
} from '../testing/arbitraryMarkets.js'
import { anyExactOutCase, checkExactOut, tryQuote } from '../testing/checkExactOut.js'
import { inputGapBpsOf } from './inputBound.js'
import { quoteExactOut } from './quoteExactOut.js'

const E18 = 10n ** 18n
const A = token(1)
const B = token(2)
const C = token(3)
const wrap: Pool = { family: 'wrap', id: WRAPPED, tokens: [NATIVE, WRAPPED], venue: 'whype' }
const graphOf = (pools: readonly Pool[]) => buildGraph(snapshotOf([wrap, ...pools]))

describe('an exact-output quote', () => {
  it('pays at least the wanted amount, and with one wei less input does not', () => {
    let answered = 0
    fc.assert(
      fc.property(anyExactOutCase, ({ pools, gasPrice, order }) => {
        const checked = checkExactOut(buildGraph(snapshotOf(pools, gasPrice)), order)
        if (typeof checked !== 'string') answered++
      }),
      { numRuns: 100, endOnFailure: true },
    )
    expect(answered).toBeGreaterThan(20)
  })

  it('needs no more input than an exact-input quote that pays as much', () => {
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        fc.constantFrom(5n, 100n, 10_000n),
        (pools, ends, part) => {
          const graph = buildGraph(snapshotOf(pools))
          const sold = tryQuote(graph, orderOf(pools, ends, part))
          if (!sold) return
          const { tokenIn, tokenOut, amountIn } = sold.order
          const answer = quoteExactOut(graph, { tokenIn, tokenOut, amountOut: sold.amountOut })
          const excess = Number(answer.order.amountIn - amountIn)
          // The output of a drained pool hardly tells how much goes in, so the split before it is known to a few ppm:
          // one of 6,000 markets needs 3 ppm more, of 120,000 none 10.
          expect(excess).toBeLessThanOrEqual(1e-5 * Number(amountIn) + 2)
        },
      ),
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('is the least input of one pool, by the formula of a constant product', () => {
    const [reserveIn, reserveOut] = [7n * E18, 5_000_000n]
    const graph = graphOf([pair(1, [1, 2], [reserveIn, reserveOut])])
    const wanted = 1_234_567n
    const net = (reserveIn * wanted * 1000n) / ((reserveOut - wanted) * 997n) + 1n
    const answer = quoteExactOut(graph, { tokenIn: A, tokenOut: B, amountOut: wanted })
    expect(answer.order.amountIn).toBe(net)
    expect(answer.amountOut).toBe(wanted)
    expect(inputGapBpsOf({ ...answer, amountIn: net })).toBeLessThan(0.05)
  })

  it('pays more than wanted only if one wei of input buys several wei', () => {
    const graph = graphOf([pair(1, [1, 2], [5_000_000n, 7n * E18])])
    const order = { tokenIn: A, tokenOut: B, amountOut: E18 }
    const { amountOut, order: asked, wanted } = quoteExactOut(graph, order)
    expect(wanted).toBe(E18)
    expect(amountOut).toBeGreaterThan(E18)
    const less = quote(graph, { ...asked, amountIn: asked.amountIn - 1n })
    expect(less.amountOut).toBeLessThan(E18)
  })

  it('splits over two equal pools in halves', () => {
    const graph = graphOf([pair(1, [1, 2], [E18, E18]), pair(2, [1, 2], [E18, E18])])
    const { route, order } = quoteExactOut(graph, { tokenIn: A, tokenOut: B, amountOut: E18 })
    expect(route).toHaveLength(2)
    // Half of each pool bought costs its whole reserve, and the fee.
    expect(Number(order.amountIn) / 2e18).toBeCloseTo(1 / 0.997, 6)
  })

  it('wraps and unwraps one to one', () => {
    for (const [tokenIn, tokenOut] of [
      [NATIVE, WRAPPED],
      [WRAPPED, NATIVE],
    ] as const) {
      const answer = quoteExactOut(graphOf([]), { tokenIn, tokenOut, amountOut: 5n })
      expect([answer.order.amountIn, answer.amountOut, answer.route.length]).toEqual([5n, 5n, 1])
      expect(answer.inputBound).toBeUndefined()
    }
  })

  it('begins with a wrap and ends with an unwrap if the ends of the order are native', () => {
    const graph = graphOf([pair(1, [0, 1], [E18, E18])])
    const families = (tokenIn: typeof A, tokenOut: typeof A) =>
      quoteExactOut(graph, { tokenIn, tokenOut, amountOut: 1000n }).route.map(
        (hop) => hop.pool.family,
      )
    expect(families(NATIVE, A)).toEqual(['wrap', 'uniswapV2'])
    expect(families(A, NATIVE)).toEqual(['uniswapV2', 'wrap'])
  })

  it('says why there is none, with the codes of an exact-input quote', () => {
    const graph = graphOf([pair(1, [1, 2], [1000n * E18, E18]), pair(2, [3, 4], [E18, E18])])
    const ask = (tokenIn: typeof A, tokenOut: typeof A, amountOut: bigint) => () =>
      quoteExactOut(graph, { tokenIn, tokenOut, amountOut })
    const code = (name: string) => expect.objectContaining({ code: name })
    expect(ask(A, C, 1n)).toThrow(code('NO_ROUTE'))
    expect(ask(A, B, 0n)).toThrow(code('AMOUNT_TOO_SMALL'))
    expect(ask(A, B, E18)).toThrow(code('INSUFFICIENT_LIQUIDITY'))
    expect(ask(A, B, 1n << 200n)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ amountOut: `${1n << 200n}` }),
      }),
    )
    const excludedPools = new Set([pair(1, [1, 2], [1n, 1n]).id])
    expect(() =>
      quoteExactOut(graph, { tokenIn: A, tokenOut: B, amountOut: 1n }, { excludedPools }),
    ).toThrow(code('NO_ROUTE'))
  })

  it.each([10n, 100n, 900n])('buys all but 1/%s of what a pool holds', (part) => {
    const graph = graphOf([pair(1, [1, 2], [10n ** 12n, E18])])
    const order = { tokenIn: A, tokenOut: B, amountOut: E18 - E18 / part }
    expect(checkExactOut(graph, order)).toMatchObject({ gapBps: expect.any(Number) })
  })

  it.each(['net', 'gross'] as const)('answers %s without a limit of gas', (objective) => {
    const pools = [pair(1, [1, 2], [10n ** 12n, E18]), pair(2, [0, 1], [E18, E18])]
    const graph = buildGraph(snapshotOf([wrap, ...pools], 10n ** 9n))
    const options = { objective, maxGas: Number.POSITIVE_INFINITY }
    for (const amountOut of [E18 / 2n, E18 - E18 / 900n, E18]) {
      const order = { tokenIn: A, tokenOut: B, amountOut }
      const checked = checkExactOut(graph, order, options)
      expect(typeof checked === 'string' ? checked : 'answered').toBe(
        amountOut === E18 ? 'INSUFFICIENT_LIQUIDITY' : 'answered',
      )
    }
  })

  it('minimises the input alone if gas does not count', () => {
    const pools = [
      pair(1, [1, 2], [E18, E18]),
      pair(2, [1, 2], [E18, E18]),
      pair(3, [0, 1], [E18, E18]),
    ]
    const graph = buildGraph(snapshotOf([wrap, ...pools], 10n ** 9n))
    const order = { tokenIn: A, tokenOut: B, amountOut: E18 / 1000n }
    const [net, gross] = (['net', 'gross'] as const).map((objective) =>
      quoteExactOut(graph, order, { objective }),
    )
    expect(net!.route).toHaveLength(1)
    expect(gross!.route).toHaveLength(2)
    expect(gross!.order.amountIn).toBeLessThan(net!.order.amountIn)
    expect(gross!.inputBound!.gasCost).toBe(0)
    expect(net!.gas).toBe(transactionGasOf(net!.route))
  })
})

describe('on the market of the devnet', () => {
  const file = new URL('../../../vectors/snapshots/999-79.json', import.meta.url)
  const snapshot = parseSnapshot(readFileSync(file, 'utf8'))
  const graph = buildGraph(snapshot)
  const { wrappedNative } = snapshot
  const others = snapshot.tokens.map(({ address }) => address).filter((t) => t !== wrappedNative)

  // Orders that drain pools take longest, so fewer tokens are asked for.
  it.each([
    [1n, others],
    [100n, others],
    [10_000n, others.filter((_, n) => n % 3 === 0)],
  ] as const)('sells as little as it takes to buy what %s HYPE buy', (hype, bought) => {
    let answered = 0
    for (const tokenOut of bought) {
      const order = { tokenIn: wrappedNative, tokenOut, amountIn: hype * E18 }
      const sold = tryQuote(graph, order)
      if (!sold) continue
      const wanted = { tokenIn: wrappedNative, tokenOut, amountOut: sold.amountOut }
      const checked = checkExactOut(graph, wanted)
      if (typeof checked !== 'string') answered++
    }
    expect(answered).toBeGreaterThan(bought.length / 3)
  })

  it('buys what a sale near the end of the market pays, though larger sales pay less', () => {
    const tokenIn = '0x94e8396e0869c9f2200760af0621afd240e1cf38'
    const tokenOut = '0x27ec642013bcb3d80ca3706599d3cda04f6f4452'
    const sold = tryQuote(graph, { tokenIn, tokenOut, amountIn: 8_000n * E18 })!
    const bought = quoteExactOut(graph, { tokenIn, tokenOut, amountOut: sold.amountOut })
    expect(bought.order.amountIn).toBeLessThan(8_001n * E18)
  })
})

describe('the lower bound on the input', () => {
  const anyGasPrice = fc.constantFrom(0n, 10n ** 8n, 10n ** 11n)
  const anyShift = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), {
    minLength: 5,
    maxLength: 5,
  })

  it('is not above the cost of any exact-input quote that pays as much, at any prices', () => {
    let compared = 0
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        anyGasPrice,
        anyShift,
        (pools, ends, gasPrice, shifts) => {
          const snapshot = snapshotOf(pools, gasPrice)
          const graph = buildGraph(snapshot)
          const order = orderOf(pools, ends, 50n)
          const sold = tryQuote(graph, order)
          if (!sold) return
          const { tokenIn, tokenOut } = order
          const wanted = { tokenIn, tokenOut, amountOut: sold.amountOut }
          const { inputBound } = quoteExactOut(graph, wanted)
          if (!inputBound) return
          compared++
          const costAt = ({ gasCost }: InputBound) =>
            Number(sold.order.amountIn) + sold.gas * gasCost
          expect(Number(inputBound.amount)).toBeLessThanOrEqual(costAt(inputBound))
          const shifted = withPrices(inputBound, wanted, shifts)
          const proved = Number(recomputeInputBound(snapshot, wanted, shifted))
          expect(proved).toBeLessThanOrEqual(costAt(shifted))
        },
      ),
      { numRuns: 100, endOnFailure: true },
    )
    expect(compared).toBeGreaterThan(30)
  })

  /** The certificate with other prices, and the gas cost that follows from them. */
  function withPrices(inputBound: InputBound, order: ExactOutOrder, shifts: readonly number[]) {
    const { bound } = inputBound
    const prices = Object.fromEntries(
      Object.entries(bound.prices).map(([address, u]) => {
        const n = address === WRAPPED ? 0 : Number(BigInt(address))
        return [address, address === order.tokenOut ? u : u + shifts[n]!]
      }),
    )
    const gasCost = bound.gasCost / Math.exp(prices[order.tokenIn]! - prices[order.tokenOut]!)
    return { ...inputBound, gasCost, bound: { ...bound, prices } }
  }

  it('detects a bound that is too high, and a gas cost that does not follow', () => {
    const snapshot = snapshotOf(
      [pair(1, [1, 2], [E18, E18]), pair(2, [0, 2], [E18, E18])],
      10n ** 9n,
    )
    const order = { tokenIn: A, tokenOut: B, amountOut: E18 / 10n }
    const answer = quoteExactOut(buildGraph(snapshot), order)
    const inputBound = answer.inputBound!
    const proved = recomputeInputBound(snapshot, order, inputBound)
    expect(proved).toBeGreaterThanOrEqual(inputBound.amount)
    expect(proved).toBeLessThan((inputBound.amount * 1_000_001n) / 1_000_000n)
    const forged = { ...inputBound, gasCost: inputBound.gasCost * 1.001 }
    expect(() => recomputeInputBound(snapshot, order, forged)).toThrow('gas cost')
    const tooCheap = { ...answer, amountIn: (inputBound.amount * 999n) / 1000n, gas: 0 }
    expect(inputGapBpsOf(tooCheap)).toBeNull()
  })
})
