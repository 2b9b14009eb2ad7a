import { describe, expect, it } from 'vitest'
import { evaluate } from '../evaluate.js'
import { type Market, toMarket } from '../market.js'
import { adversarialCases } from '../markets/adversarial.js'
import { madeAddress, makePair, toSnapshot } from '../markets/build.js'
import { ANY_LEGS, type Request, toRequest } from '../request.js'
import { kyber, splitByChunks } from './kyber.js'
import { bestPaths } from './paths.js'
import type { Router } from './router.js'
import { singlePath } from './singlePath.js'
import { allocate, splitByProgramme, sqs } from './sqs.js'
import { fillCoarse, fillFine, waterFill } from './waterFill.js'

const tokens = [1, 1, 1, 1 / 2000].map((price, n) => ({
  address: madeAddress('token', n),
  decimals: 18,
  price,
}))
type Made = (typeof tokens)[0]
const [from, to, middle, dollar] = tokens as [Made, Made, Made, Made]

/** Parallel pools of the given depths, and one pool that prices the dollar. */
function parallel(depths: readonly number[]): Market {
  const pools = depths.map((depth, n) => makePair({ n, ends: [from, to], depth, feePpm: 3000 }))
  const pricing = makePair({ n: depths.length, ends: [from, dollar], depth: 1, feePpm: 3000 })
  return toMarket('parallel', toSnapshot(tokens, [...pools, pricing]), dollar.address)
}

function ask(market: Market, whole: number, gwei = 0): Request {
  const order = {
    tokenIn: from.address,
    tokenOut: to.address,
    amountIn: BigInt(Math.round(whole * 1e6)) * 10n ** 12n,
  }
  return toRequest(market, { id: 'known', label: 'known', order, gwei, maxLegs: ANY_LEGS })
}

async function netOf(router: Router, market: Market, request: Request) {
  const ready = await router.ready(market)
  return evaluate(request, (await ready.quote(request))?.hops)!
}

/** The parts of the order, summed by the depth of the first pool. */
function partsOf(flows: readonly { path: readonly { pool: { id: string } }[]; amount: number }[]) {
  const total = flows.reduce((sum, { amount }) => sum + amount, 0)
  const parts = new Map<string, number>()
  for (const { path, amount } of flows) {
    const { id } = path[0]!.pool
    parts.set(id, (parts.get(id) ?? 0) + amount / total)
  }
  return parts
}

describe('known answers on parallel pools, where the optimum splits by depth', () => {
  const market = parallel([700, 200, 100])
  const request = ask(market, 100)
  const ids = market.snapshot.pools.slice(0, 3).map(({ id }) => id)

  it('SQS finds the best tenths', () => {
    const parts = partsOf(splitByProgramme(market, request, 1))
    expect(ids.map((id) => parts.get(id))).toEqual([0.7, 0.2, 0.1])
  })

  it('Kyber finds the best hundredths', () => {
    const uneven = parallel([683, 217, 100])
    const parts = partsOf(splitByChunks(uneven, ask(uneven, 100)))
    const got = uneven.snapshot.pools.map(({ id }) => parts.get(id)!)
    for (const [i, best] of [0.683, 0.217, 0.1].entries()) {
      expect(Math.abs(got[i]! - best)).toBeLessThanOrEqual(0.0101)
    }
  })

  it('water filling finds the best twentieths, and finer ones with more chunks', () => {
    const coarse = fillCoarse(market, request)
    const parts = partsOf(coarse)
    for (const [i, best] of [0.7, 0.2, 0.1].entries()) {
      expect(parts.get(ids[i]!)).toBeCloseTo(best, 9)
    }
    const uneven = parallel([683, 217, 100])
    const fine = partsOf(fillFine(fillCoarse(uneven, ask(uneven, 100)), ask(uneven, 100), 256))
    for (const [i, best] of [0.683, 0.217, 0.1].entries()) {
      expect(Math.abs(fine.get(ids[i]!)! - best)).toBeLessThanOrEqual(1 / 512)
    }
  })

  it('water filling is within 0.1 % of the analytic optimum of two pools', async () => {
    const two = parallel([613, 387])
    // With a split by depth, two pools equal one pool of their total depth.
    const one = parallel([1000])
    const best = await netOf(singlePath, one, ask(one, 250))
    const got = await netOf(waterFill(20), two, ask(two, 250))
    const gap = 1 - Number(got.gross) / Number(best.gross)
    expect(gap).toBeGreaterThanOrEqual(-1e-12)
    expect(gap).toBeLessThanOrEqual(1e-3)
  })
})

describe('the knapsack of SQS', () => {
  it('equals the best of all allocations of ten increments', () => {
    const gains = [
      [0, 5, 9, 12, 14, 15, 15, 15, 15, 15, 15],
      [0, 4, 8, 11, 13, 14, 15, 16, 16, 16, 16],
      [0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
    ]
    let best = 0
    for (let i = 0; i <= 10; i++) {
      for (let j = 0; i + j <= 10; j++) {
        best = Math.max(best, gains[0]![i]! + gains[1]![j]! + gains[2]![10 - i - j]!)
      }
    }
    const parts = allocate(gains)
    expect(parts.reduce((sum, p) => sum + p, 0)).toBe(10)
    expect(parts.reduce((sum, p, route) => sum + gains[route]![p]!, 0)).toBe(best)
  })
})

describe('gas', () => {
  const market = parallel([500, 500])

  it('prevents a split that does not pay for it, and allows one that does', async () => {
    for (const router of [kyber, sqs, waterFill(20), waterFill(256)]) {
      expect((await netOf(router, market, ask(market, 0.5, 1000))).legs, router.name).toBe(1)
      expect((await netOf(router, market, ask(market, 200, 1))).legs, router.name).toBe(2)
    }
  })
})

describe('never below the best single path', () => {
  it('on every adversarial case', async () => {
    for (const { market, request } of adversarialCases(2, 11)) {
      const single = await singlePath.ready(market)
      const floor = evaluate(request, (await single.quote(request))?.hops)
      if (!floor) continue
      for (const router of [sqs, kyber, waterFill(20), waterFill(256)]) {
        const got = evaluate(request, (await (await router.ready(market)).quote(request))?.hops)
        const isBelow = got === undefined || got.net < floor.net - floor.gross / 100_000n
        expect(isBelow, `${router.name} on ${request.id}`).toBe(false)
      }
    }
  })
})

describe('bestPaths', () => {
  it('finds the best of all simple paths', () => {
    const pools = [
      makePair({ n: 0, ends: [from, to], depth: 10, feePpm: 3000 }),
      makePair({ n: 1, ends: [from, middle], depth: 1000, feePpm: 3000 }),
      makePair({ n: 2, ends: [middle, to], depth: 1000, feePpm: 3000 }),
    ]
    const { edges } = toMarket('detour', toSnapshot(tokens, pools), to.address)
    const query = { from: from.address, to: to.address, maxHops: 3, count: 5 }
    const small = bestPaths(edges, { ...query, amount: 1e15 })
    const large = bestPaths(edges, { ...query, amount: 1e19 })
    expect(small.map(({ path }) => path.length)).toEqual([1, 2])
    expect(large.map(({ path }) => path.length)).toEqual([2, 1])
  })
})

describe('instances whose optimum merges at an intermediate token', () => {
  it('are solved worse by disjoint paths than by a router that merges', async () => {
    const cases = adversarialCases(4, 31).filter(({ kind }) => kind === 'fan-in only')
    expect(cases).toHaveLength(4)
    for (const { market, request } of cases) {
      const disjoint = await netOf(sqs, market, request)
      const merging = await netOf(waterFill(256), market, request)
      expect(merging.net, request.id).toBeGreaterThan(disjoint.net)
    }
  })
})
