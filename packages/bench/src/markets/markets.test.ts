import { stringify } from '@braid-swap/core/advanced'
import { getAmountOut } from '@braid-swap/core/families'
import { describeReferenceVectors } from '@braid-swap/vectors/testing'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../evaluate.js'
import { referenceRequests } from '../requests/requests.js'
import { bestSinglePath } from '../routers/singlePath.js'
import { adversarialCases } from './adversarial.js'
import { generateBlockDiff } from './blockDiff.js'
import { loadEthereum } from './ethereum.js'
import { generateMarket, generateSnapshot } from './generated.js'

describe('the generator', () => {
  it('gives equal markets for equal seeds and different ones otherwise', () => {
    const text = (seed: number) => stringify(generateSnapshot(300, seed))
    expect(text(1)).toBe(text(1))
    expect(text(1)).not.toBe(text(2))
  })

  it('makes the requested number of distinct valid pools, with all tokens priced', () => {
    const market = generateMarket(1000, 3)
    const { pools, tokens } = market.snapshot
    expect(pools).toHaveLength(1000)
    expect(new Set(pools.map(({ id }) => id)).size).toBe(1000)
    expect(market.prices.priceOf.size).toBe(tokens.length)
    for (const pool of pools) {
      expect(pool.tokens[0]! < pool.tokens[1]!).toBe(true)
      if (pool.family !== 'uniswapV3') continue
      const inRange = pool.ticks
        .filter(({ index }) => index <= pool.tick)
        .reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n)
      expect(inRange).toBe(pool.liquidity)
      expect(pool.ticks.reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n)).toBe(0n)
      expect(pool.ticks.every(({ index }) => index % pool.tickSpacing === 0)).toBe(true)
    }
  })

  it('prices pools so that every cycle loses money', () => {
    const { snapshot } = generateMarket(200, 4)
    for (const pool of snapshot.pools) {
      const there = getAmountOut(pool, { in: 0, out: 1 }, 10n ** 12n)
      expect(getAmountOut(pool, { in: 1, out: 0 }, there)).toBeLessThan(10n ** 12n)
    }
  })
})

describe('a block', () => {
  it('moves the requested number of pools, the same each time', () => {
    const snapshot = generateSnapshot(800, 5)
    const moved = generateBlockDiff(snapshot, 200, 1)
    const before = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
    expect(moved).toHaveLength(200)
    expect(stringify(moved)).toBe(stringify(generateBlockDiff(snapshot, 200, 1)))
    expect(moved.every((pool) => stringify(pool) !== stringify(before.get(pool.id)))).toBe(true)
  })
})

describe('the adversarial cases', () => {
  it('are the same each time, and each has a route', () => {
    const text = () =>
      stringify(adversarialCases(2, 7).map(({ market, request }) => [market.snapshot, request]))
    expect(text()).toBe(text())
    for (const { market, request } of adversarialCases(3, 7)) {
      expect(bestSinglePath(market, request), request.id).toBeDefined()
    }
  })
})

describeReferenceVectors('the reference market', () => {
  it('is complete, and its best single paths are the known ones', () => {
    const ethereum = loadEthereum()
    expect(ethereum.whole.snapshot.pools).toHaveLength(1350)
    expect(ethereum.clean.snapshot.pools).toHaveLength(1302)
    for (const [i, request] of referenceRequests(ethereum, { gwei: 0 }).entries()) {
      const known = Number(ethereum.trades[i]!.bestSinglePath)
      const got = evaluate(request, bestSinglePath(ethereum.clean, request))!
      expect(Math.abs(Number(got.gross) / known - 1), request.label).toBeLessThan(1e-6)
    }
  })
})
