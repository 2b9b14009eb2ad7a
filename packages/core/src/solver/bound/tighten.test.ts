import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../../certificate/recomputeBound.js'
import { buildGraph } from '../../graph.js'
import { gapBpsOf, quote } from '../../quote.js'
import { parseSnapshot } from '../../snapshotFile.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
  token,
} from '../../testing/arbitraryMarkets.js'
import type { Options } from '../terms.js'

const vectors = new URL('../../../../vectors/', import.meta.url)
const devnet = parseSnapshot(readFileSync(new URL('snapshots/999-79.json', vectors), 'utf8'))
const graph = buildGraph(devnet)
const [USDH, SINK]: readonly `0x${string}`[] = [
  '0x111111a1a0667d36bd57c0a9f569b98057111111',
  '0xfd739d4e423301ce9385c1fb8850539d657c296d',
]
const sell = (order: Parameters<typeof quote>[1], options: Options = {}) => {
  const answer = quote(graph, order, options)
  expect(recomputeBound(devnet, order, answer.bound!)).toBeLessThanOrEqual(answer.bound!.amount)
  return { ...answer, gap: gapBpsOf(answer)! }
}

describe('the certificate over simple paths', () => {
  it('does not count money earned around cycles that no acyclic route has', () => {
    const E = 10n ** 24n
    // Pools between 2 and 3 disagree by 4 %; the order passes only one of them.
    const pools = [
      pair(1, [1, 2], [E, E]),
      ...[pair(2, [2, 3], [E, E]), pair(3, [2, 3], [E, (E * 104n) / 100n])],
    ]
    const snapshot = snapshotOf(pools)
    const order = { tokenIn: token(1), tokenOut: token(3), amountIn: 10n ** 18n }
    const at = (certificate: 'fast' | 'paths') => {
      const answer = quote(buildGraph(snapshot), order, { certificate })
      expect(recomputeBound(snapshot, order, answer.bound!)).toBeLessThanOrEqual(
        answer.bound!.amount,
      )
      return gapBpsOf(answer)!
    }
    expect(at('paths')).toBeLessThan(0.05)
    expect(at('paths')).toBeLessThanOrEqual(at('fast'))
  })

  it('is within a basis point for 100 dollars on a market with arbitrages of 10 %', () => {
    const order = { tokenIn: USDH!, tokenOut: SINK!, amountIn: 99_961_678n }
    expect(sell(order, { certificate: 'fast' }).gap).toBeGreaterThan(900)
    expect(sell(order).gap).toBeLessThan(1)
  })

  it('finds the path of six hops that the search for single paths does not try', () => {
    const order = { tokenIn: USDH!, tokenOut: SINK!, amountIn: 99_961_678n }
    const { amountOut, route } = sell(order)
    expect(amountOut).toBeGreaterThanOrEqual(2_663_823_751_957_250_329n)
    expect(route.length).toBe(6)
    const shorter = sell(order, { maxHops: 5 })
    expect(shorter.amountOut).toBeLessThan(amountOut)
    expect(shorter.route.length).toBeLessThanOrEqual(5)
  })

  // The tightest bound closes edges of the path that pays; grown by the path it leaves, the answer stayed at
  // two pools and 117 bp.
  it('grows the answer by the best path of all edges that earn', () => {
    const [tokenIn, tokenOut] = [
      '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb',
      '0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2',
    ] as const
    const { amountOut, gap } = sell({ tokenIn, tokenOut, amountIn: 1_024_033_803n })
    expect(amountOut).toBeGreaterThanOrEqual(863_338_970_319_222_046_519n)
    expect(gap).toBeLessThan(0.01)
  })

  it('is never above the fast one, nor below the answer or what the checker confirms', () => {
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        fc.constantFrom(5n, 100n, 10_000n),
        fc.constantFrom(0n, 10n ** 9n),
        fc.record({
          maxLegs: fc.constantFrom(1, 2, 3, 24),
          maxGas: fc.constantFrom(2e5, 4e5, 2e7),
        }),
        (pools, ends, part, gasPrice, options) => {
          const snapshot = snapshotOf(pools, gasPrice)
          const market = buildGraph(snapshot)
          const order = orderOf(pools, ends, part)
          const ask = (certificate: 'fast' | 'paths') => {
            try {
              return quote(market, order, { ...options, certificate })
            } catch {
              return undefined
            }
          }
          const [fast, paths] = [ask('fast'), ask('paths')]
          if (!fast || !paths) return
          expect(paths.bound!.amount).toBeLessThanOrEqual(fast.bound!.amount)
          expect(gapBpsOf(paths)).not.toBeNull()
          for (const { bound } of [fast, paths]) {
            expect(recomputeBound(snapshot, order, bound!)).toBeLessThanOrEqual(bound!.amount)
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
  })
})
