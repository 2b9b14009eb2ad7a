import { SHARE_ONE } from '@braid-swap/core'
import { describe, expect, it } from 'vitest'
import { onGrid, outOf, polish, toContinuous } from './continuous.js'
import { toMarket } from './market.js'
import { madeAddress, makePair, toSnapshot } from './markets/build.js'
import { ANY_LEGS, toRequest } from './request.js'

const tokens = [0, 1].map((n) => ({ address: madeAddress('token', n), decimals: 18, price: 1 }))
const [from, to] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
const depths = [613, 271, 116]
const pools = depths.map((depth, n) => makePair({ n, ends: [from, to], depth, feePpm: 3000 }))
const market = toMarket('parallel', toSnapshot(tokens, pools), to.address)
const order = { tokenIn: from.address, tokenOut: to.address, amountIn: 10n ** 20n }
const request = toRequest(market, { id: 'p', label: 'p', order, gwei: 0, maxLegs: ANY_LEGS })
const edges = market.edges.from.get(from.address)!

describe('a continuous route', () => {
  it('converts shares of the remaining balance to parts', () => {
    const hops = edges.map(({ pool, direction }, i) => ({
      pool,
      direction,
      share: i === 2 ? 0 : Math.round(SHARE_ONE / 2),
    }))
    const { parts } = toContinuous(market, hops)!
    for (const [i, part] of [0.5, 0.25, 0.25].entries()) expect(parts[i]).toBeCloseTo(part, 6)
  })

  it('is polished to the known optimum, the split by depth', () => {
    const best = polish({ edges, parts: [0.2, 0.2, 0.6] }, request)
    for (const [i, depth] of depths.entries()) expect(best.parts[i]).toBeCloseTo(depth / 1000, 5)
  })

  it('loses more on a coarser grid', () => {
    const best = polish({ edges, parts: [0.2, 0.2, 0.6] }, request)
    const lossAt = (one: number) => 1 - outOf(onGrid(best, one), request) / outOf(best, request)
    expect(lossAt(10)).toBeGreaterThan(1e-6)
    expect(lossAt(0xffff)).toBeLessThan(1e-9)
    expect(onGrid(best, 7).parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 12)
  })
})
