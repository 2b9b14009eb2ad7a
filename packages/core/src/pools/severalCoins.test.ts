import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { encodeProgram } from '../encoder/program.js'
import { buildGraph, edgesFrom } from '../graph.js'
import { toHex } from '../hex.js'
import { quote } from '../quote.js'
import { replay } from '../replay.js'
import { anyBits } from '../testing/arbitrary.js'
import {
  anyStableBalancerV2Pool,
  anyWeightedBalancerV2Pool,
} from '../testing/arbitraryBalancerV2.js'
import {
  anyStableBalancerV3Pool,
  anyWeightedBalancerV3Pool,
} from '../testing/arbitraryBalancerV3.js'
import { anyTricryptoPool } from '../testing/arbitraryCrypto.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { anyCurveStableSwapPool } from '../testing/arbitraryStableSwap.js'
import { anyDirectionOf } from '../testing/conformance.js'
import type { CurveStableSwapPool } from './curveStableSwap/index.js'
import { applySwap, encodeSwap, getAmountOut, type Pool, toCurve } from './index.js'

// A pool of n tokens is an edge for each ordered pair of them, and all of these edges are one pool.

const E18 = 10n ** 18n
const options = { numRuns: Number(process.env['BRAID_FUZZ_RUNS'] ?? 60), endOnFailure: true }

const three: CurveStableSwapPool = {
  ...{ family: 'curveStableSwap', id: toHex(0xc3, 20), venue: 'test', isNg: true },
  tokens: [token(3), token(1), token(2)],
  balances: [1_000_000n * E18, 900_000n * E18, 1_100_000n * E18],
  rates: [E18, E18, E18],
  ...{ A: 200_00n, aPrecision: 100n, rounding: 'once', fee: 4_000_000n },
  ...{ offpegFeeMultiplier: 0n, adminFee: 5_000_000_000n },
}

describe('a pool of three tokens', () => {
  it('is one edge for each ordered pair, each with its reverse', () => {
    const graph = buildGraph(snapshotOf([three]))
    expect(graph.from.length).toBe(6)
    for (const from of three.tokens) {
      const reached = edgesFrom(graph, from).map(({ tokenOut }) => tokenOut)
      expect(new Set(reached)).toEqual(new Set(three.tokens.filter((other) => other !== from)))
    }
    for (let e = 0; e < 6; e++) {
      const back = graph.reverse[e]!
      expect([graph.from[back], graph.to[back]]).toEqual([graph.to[e], graph.from[e]])
    }
  })

  it('sees its second hop in the state after its first', () => {
    const [first, second] = [
      { in: 0, out: 1 },
      { in: 1, out: 2 },
    ]
    const amountIn = 200_000n * E18
    const hops = [first!, second!].map((direction) => ({ pool: three, direction, share: 0 }))
    const ends = { tokenIn: token(3), tokenOut: token(2) }
    const middle = getAmountOut(three, first!, amountIn)
    const expected = getAmountOut(applySwap(three, first!, amountIn), second!, middle)
    expect(replay(hops, { ...ends, amountIn })?.amountOut).toBe(expected)
    expect(expected).not.toBe(getAmountOut(three, second!, middle))
    expect(encodeProgram(hops, ends)).toContain(encodeSwap(three, first!).slice(2))
    expect(encodeSwap(three, second!).slice(-2)).toBe('12')
  })

  it('is entered by two pairs in one route, whose bound holds and whose replay is exact', () => {
    // Token 4 has pairs to both other coins of the pool, so an order splits and enters it twice.
    const pools = [
      three,
      pair(1, [4, 3], [400_000n * E18, 400_000n * E18]),
      pair(2, [4, 1], [400_000n * E18, 400_000n * E18]),
    ]
    const snapshot = snapshotOf(pools)
    const order = { tokenIn: token(4), tokenOut: token(2), amountIn: 100_000n * E18 }
    const found = quote(buildGraph(snapshot), order)
    const through = found.route.filter(({ pool }) => pool.id === three.id)
    expect(through.length).toBe(2)
    const hops = found.route.map(({ pool, direction, share }) => ({ pool, direction, share }))
    expect(replay(hops, order)?.amountOut).toBe(found.amountOut)
    expect(found.amountOut).toBeLessThanOrEqual(found.bound!.amount)
    const recomputed = recomputeBound(snapshot, order, found.bound!)
    expect(recomputed).toBeGreaterThanOrEqual(found.amountOut)
    expect(recomputed).toBeLessThanOrEqual(found.bound!.amount)
  })
})

describe('hops in a row through one pool', () => {
  it('are worth no more than all of its edges together, at any prices', () => {
    // The bound adds up the most that each edge alone could gain. So it holds for routes that enter a
    // pool several times only if these gains cover what such hops gain together.
    const property = fc.property(
      fc.oneof(
        anyCurveStableSwapPool,
        anyWeightedBalancerV3Pool,
        anyStableBalancerV3Pool,
        anyWeightedBalancerV2Pool,
        anyStableBalancerV2Pool,
        anyTricryptoPool,
      ),
      fc.array(fc.tuple(fc.nat(), anyBits(1, 100)), { minLength: 2, maxLength: 4 }),
      fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 8, maxLength: 8 }),
      (pool, drawn, noise) => {
        // Prices near those at which the pool trades nothing, so that gains are small and visible.
        const prices = pool.tokens.map((_, k) => {
          const spot = k === 0 ? 1 : toCurve(pool, { in: k, out: 0 }).price(0)
          return spot * (1 + noise[k]!)
        })
        let state: Pool = pool
        let gained = 0
        let traded = 0
        for (const [n, bits] of drawn) {
          const direction = anyDirectionOf(pool, n)
          const amountIn: bigint = bits % (balancesOf(state)[direction.in]! / 2n + 1n)
          const amountOut = getAmountOut(state, direction, amountIn)
          if (amountOut === 0n) continue
          state = applySwap(state, direction, amountIn)
          gained += prices[direction.out]! * Number(amountOut)
          gained -= prices[direction.in]! * Number(amountIn)
          traded += prices[direction.in]! * Number(amountIn)
        }
        const covered = pool.tokens.flatMap((_, i) =>
          pool.tokens.map((_, o) => (i === o ? 0 : mostGain(pool, { in: i, out: o }, prices))),
        )
        const most = covered.reduce((sum, gain) => sum + gain, 0)
        expect(gained).toBeLessThanOrEqual(most + traded * 1e-9 + 1e-9)
      },
    )
    fc.assert(property, options)
  })
})

function balancesOf(pool: Pool): readonly bigint[] {
  if (pool.family === 'balancerV3') return pool.balancesRaw
  return 'balances' in pool ? pool.balances : []
}

/** The most that an edge alone gains at these prices: at the input where its price is theirs. */
function mostGain(
  pool: Pool,
  direction: { readonly in: number; readonly out: number },
  prices: readonly number[],
): number {
  const curve = toCurve(pool, direction)
  const [νIn, νOut] = [prices[direction.in]!, prices[direction.out]!]
  const x = curve.inputAt(νIn / νOut)
  const extra = curve.extraIn ?? 0
  return Math.max(0, νOut * curve.out(x + extra) - νIn * x)
}
