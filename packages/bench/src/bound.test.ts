import { describe, expect, it } from 'vitest'
import { upperBound } from './bound.js'
import { evaluate } from './evaluate.js'
import { adversarialCases } from './markets/adversarial.js'
import { createPrng } from './prng.js'
import { waterFill } from './routers/waterFill.js'

describe('upperBound', () => {
  it('holds at any prices whatever: no route of a rival is worth more', async () => {
    const prng = createPrng(3)
    for (const { market, request } of adversarialCases(2, 21)) {
      const ready = await waterFill(256).ready(market)
      const worth = evaluate(request, (await ready.quote(request))?.hops)
      if (!worth) continue
      const out = market.prices.priceOf.get(request.order.tokenOut)
      for (const noise of [0, 0.01, 1]) {
        const prices = new Map(
          [...market.prices.priceOf].map(([token, price]) => [
            token,
            (price / (out ?? 1)) * Math.exp(noise * prng.normal()),
          ]),
        )
        const bound = upperBound(market, request, prices)
        expect(Number(worth.net), `${request.id} at noise ${noise}`).toBeLessThanOrEqual(bound)
      }
    }
  })

  it('is tight for one pool at the price that the order leaves behind', () => {
    const [one] = adversarialCases(1, 5).filter(({ kind }) => kind === 'identical pools')
    const { request } = one!
    const pool = one!.market.snapshot.pools[0]!
    if (pool.family !== 'uniswapV2') throw new Error('wanted a pair')
    const market = { ...one!.market, snapshot: { ...one!.market.snapshot, pools: [pool] } }
    const side = pool.tokens[0] === request.order.tokenIn ? 0 : 1
    const X = Number(pool.reserves[side])
    const Y = Number(pool.reserves[side === 0 ? 1 : 0])
    const x = Number(request.order.amountIn)
    // h′(x) = γXY/(X + γx)² is the dual optimum of a single pool.
    const marginal = (0.997 * X * Y) / (X + 0.997 * x) ** 2
    const bound = upperBound(market, request, new Map([[request.order.tokenIn, marginal]]))
    const direction = { in: side, out: 1 - side }
    const worth = evaluate(request, [{ pool, direction, share: 0 }])!
    expect(bound / Number(worth.gross) - 1).toBeGreaterThanOrEqual(0)
    expect(bound / Number(worth.gross) - 1).toBeLessThan(1e-6)
  })

  it('counts no more pools than legs are allowed', () => {
    const [one] = adversarialCases(1, 5).filter(({ kind }) => kind === 'identical pools')
    const prices = new Map([[one!.request.order.tokenIn, 0]])
    const bounds = [1, 2, 4].map((maxLegs) =>
      upperBound(one!.market, { ...one!.request, maxLegs }, prices),
    )
    expect(bounds[1]!).toBeGreaterThanOrEqual(bounds[0]!)
    expect(bounds[2]!).toBeGreaterThanOrEqual(bounds[1]!)
  })
})
