import { buildGraph, type Graph, type Hex, NATIVE, type Pool, quote } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { UniswapV2Pool } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { isSafer, unsteadyPools } from './steadiness.js'

const E18 = 10n ** 18n
const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: E18 }
const FALL_BPS = 100

/** A pair of so many HYPE, at a price in dollars. */
function pair(n: number, hype: number, price: number): UniswapV2Pool {
  const reserves = [BigInt(hype) * E18, BigInt(Math.round(hype * price * 1e6))] as const
  const base = { family: 'uniswapV2', venue: 'test', tokens: [WHYPE, USDC] } as const
  return { ...base, id: toHex(n, 20), reserves, feePpm: 0 }
}

const graphOf = (...pools: readonly Pool[]): Graph => buildGraph({ ...frozenSnapshot, pools })
const fillOf = (graph: Graph, without: ReadonlySet<Hex> = new Set()) => {
  const { route } = quote(graph, order, { gasPrice: 0n, excludedPools: without })
  return { order, route }
}

/** The pools that a swap does without in the last of the states. */
function leftOut(...states: readonly Graph[]): readonly Hex[] {
  const graph = states.at(-1)!
  const best = fillOf(graph)
  const earlier = states.toReversed()
  const unsteady = unsteadyPools(graph, best.route, earlier, FALL_BPS)
  if (unsteady.size === 0) return []
  const other = fillOf(graph, unsteady)
  return isSafer(graph, { best, other }, earlier, FALL_BPS) ? [...unsteady] : []
}

const steady = pair(1, 100_000, 40)
const shown = pair(2, 100_000, 40.2)

describe('a swap does without a pool', () => {
  it('that was empty or absent within the last minute, in whatever rhythm', () => {
    const out = graphOf(steady)
    const isIn = graphOf(steady, shown)
    expect(leftOut(isIn, out, isIn)).toEqual([shown.id])
    expect(leftOut(out, isIn, isIn, isIn)).toEqual([shown.id])
    expect(leftOut(graphOf(steady, { ...shown, reserves: [0n, 0n] }), isIn)).toEqual([shown.id])
  })

  it('whose price or liquidity was worse twice, and as good between', () => {
    const isIn = graphOf(steady, shown)
    for (const low of [pair(2, 100_000, 39.5), pair(2, 30, 40.2)]) {
      const isOut = graphOf(steady, low)
      expect(leftOut(isOut, isIn, isOut, isIn)).toEqual([shown.id])
      expect(leftOut(isOut, isOut, isOut, isIn)).toEqual([])
    }
  })

  it('together with all of its pair that come and go', () => {
    const others = [3, 4, 5, 6, 7].map((n) => pair(n, 100_000, 40.2 - n / 100))
    const isIn = graphOf(steady, shown, ...others)
    expect(leftOut(graphOf(steady), isIn)).toHaveLength(6)
  })
})

describe('a swap keeps a pool', () => {
  it('that a trade moved by less than a fall from the others', () => {
    expect(leftOut(graphOf(steady, pair(2, 100_000, 39.8)), graphOf(steady, shown))).toEqual([])
  })

  it('that moved with the market', () => {
    const [before, graph] = [
      graphOf(pair(1, 100_000, 30), pair(2, 100_000, 30.2)),
      graphOf(steady, shown),
    ]
    const fills = { best: fillOf(graph), other: fillOf(graph, new Set([shown.id])) }
    const states = [before, graph, before]
    expect(unsteadyPools(graph, fills.best.route, states, FALL_BPS).size).toBe(2)
    expect(isSafer(graph, fills, states, FALL_BPS)).toBe(false)
  })

  it('that fell twice in a minute, if others pay 11 bp less', () => {
    const isIn = graphOf(steady, shown)
    const isOut = graphOf(steady, pair(2, 100_000, 39))
    const minute = (isMoved: (n: number) => boolean) =>
      Array.from({ length: 60 }, (_, n) => (isMoved(n) ? isOut : isIn))
    expect(leftOut(...minute((n) => n === 10 || n === 30))).toEqual([])
    expect(leftOut(...minute((n) => n > 54 && n % 2 === 1), isIn)).toEqual([shown.id])
  })

  it('without which an order gets over 3 % less, or nothing', () => {
    expect(leftOut(graphOf(steady), graphOf(steady, pair(2, 100_000, 42)))).toEqual([])
    const alone = graphOf(shown)
    const best = fillOf(alone)
    expect(unsteadyPools(alone, best.route, [graphOf()], FALL_BPS)).toEqual(new Set([shown.id]))
  })

  it('that only wraps', () => {
    const graph = buildGraph(frozenSnapshot)
    const { route } = quote(graph, { ...order, tokenIn: NATIVE, tokenOut: WHYPE }, { gasPrice: 0n })
    expect(unsteadyPools(graph, route, [graph, buildGraph({ ...frozenSnapshot })], 0).size).toBe(0)
  })
})
