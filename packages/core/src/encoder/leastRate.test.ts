import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { toHex } from '../hex.js'
import { isMovable } from '../pools/index.js'
import { quoteHops } from '../quote.js'
import { WRAPPED } from '../testing/arbitraryMarkets.js'
import { anyMarketOfEveryFamily } from '../testing/everyFamily.js'
import { propertyRuns } from '../testing/propertyRuns.js'
import { findMismatches, readIntent, replayIntent } from './intent.js'
import { leastOut, leastRateOf } from './leastRate.js'
import { routerCallOf, swapCallOf } from './swapCall.js'

const anyWei = fc.bigInt({ min: 1n, max: (1n << 190n) - 1n })

describe('a least rate', () => {
  it('is never above the quote, and below it by less than a part in 10^15 and a wei', () => {
    fc.assert(
      fc.property(anyWei, anyWei, (amountOut, amountIn) => {
        const rate = leastRateOf(amountOut, amountIn)!
        const least = leastOut(rate, amountIn)
        expect(least).toBeLessThanOrEqual(amountOut)
        expect(amountOut - least).toBeLessThanOrEqual(amountOut / 10n ** 15n + 1n)
      }),
    )
  })

  it('scales with the amount', () => {
    fc.assert(
      fc.property(anyWei, anyWei, anyWei, (amountOut, amountIn, other) => {
        const least = leastOut(leastRateOf(amountOut, amountIn)!, other)
        expect(least * amountIn).toBeLessThanOrEqual(amountOut * other)
      }),
    )
  })

  it.each<readonly [string, bigint, bigint, string]>([
    ['one', 1n, 1n, '0x2386f26fc10000f0'],
    ['a third', 1n, 3n, '0x766c7d74835555ef'],
    ['the most that a mantissa holds', (1n << 56n) - 1n, 1n, '0xffffffffffffff00'],
    ['more than it holds', 10n ** 30n, 1n, '0x2386f26fc100000e'],
  ])('of %s has these bytes', (_, amountOut, amountIn, bytes) => {
    expect(leastRateOf(amountOut, amountIn)).toBe(bytes)
  })

  it('of nothing does not exist', () => {
    expect(leastRateOf(0n, 1n)).toBeUndefined()
    expect(leastRateOf(1n, 0n)).toBeUndefined()
  })
})

describe('a swap through a pool of any family', () => {
  const [ROUTER, EXECUTOR] = [toHex(0xffff, 20), toHex(0xeee, 20)]

  it('names a least rate if somebody may move what the pool pays, and is sound and replays to its quote', () => {
    const seen = { rated: new Set<string>(), plain: new Set<string>() }
    fc.assert(
      fc.property(
        anyMarketOfEveryFamily,
        fc.bigInt({ min: 1n, max: 10n ** 21n }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (snapshot, amountIn, slippage) => {
          const graph = buildGraph(snapshot)
          for (const pool of snapshot.pools) {
            if (pool.family === 'wrap') continue
            const [tokenIn, tokenOut] = [pool.tokens[0]!, pool.tokens[1]!]
            const order = { tokenIn, tokenOut, amountIn }
            const quoted = quoteHops(graph, order, [
              { pool, direction: { in: 0, out: 1 }, share: 0 },
            ])
            if (!quoted) continue
            const call = routerCallOf(quoted, {
              ...{ wrappedNative: WRAPPED, executor: EXECUTOR },
              ...{ slippagePpm: BigInt(slippage), deadline: 1_700_000_000n },
            })
            const tx = swapCallOf(ROUTER, call)
            const known = { router: ROUTER, executors: [EXECUTOR], wrappedNative: WRAPPED }
            expect(findMismatches(tx, { ...known, wanted: order })).toEqual([])
            const intent = readIntent(tx.data, WRAPPED)
            expect(replayIntent(intent, snapshot)).toEqual({ amountOut: quoted.amountOut })
            const { leastRate } = intent.hops[0]!
            expect(leastRate !== undefined).toBe(isMovable(pool))
            if (leastRate) {
              // Room for a hop that gets a little more, as behind a sampled pool, without any slippage.
              const most = quoted.amountOut - (quoted.amountOut * 10n) / 1_000_000n
              const least = leastOut(leastRate, amountIn)
              expect(least).toBeLessThanOrEqual(call.minAmountOut < most ? call.minAmountOut : most)
            }
            seen[leastRate ? 'rated' : 'plain'].add(pool.family)
          }
        },
      ),
      { numRuns: propertyRuns(20) },
    )
    expect(seen.rated.size).toBeGreaterThanOrEqual(4)
    expect(seen.plain.size).toBeGreaterThanOrEqual(4)
  })
})
