import { expect, it } from 'vitest'
import { buildGraph } from './graph.js'
import { priceImpactBps } from './priceImpact.js'
import { quote } from './quote.js'
import { pair, snapshotOf, token } from './testing/arbitraryMarkets.js'

const UNIT = 10n ** 18n
const MILLION = 1_000_000n * UNIT
const market = [
  pair(0, [1, 2], [MILLION, MILLION]),
  pair(1, [1, 3], [MILLION, MILLION]),
  pair(2, [3, 2], [MILLION, MILLION]),
]

it.each([
  ['a hundredth of a unit', UNIT / 100n],
  ['50 units', 50n * UNIT],
  ['500 units', 500n * UNIT],
])('is not moved by a pool that sells 1,000 units for %s', (_, price) => {
  for (const tokens of [
    [1, 2],
    [1, 3],
    [3, 2],
  ] as const) {
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 20_000n * UNIT }
    const impacts = [market, [...market, pair(3, [...tokens], [price, 1_000n * UNIT])]].map(
      (pools) => priceImpactBps(quote(buildGraph(snapshotOf(pools)), order), order)!,
    )
    expect(impacts[0]).toBeGreaterThan(100)
    // What the pool gives away makes the rest of the order smaller: a twentieth of it at most.
    expect(impacts[1]).toBeLessThanOrEqual(impacts[0]! * 1.001)
    expect(impacts[1]).toBeGreaterThan(impacts[0]! * 0.9)
  }
})
