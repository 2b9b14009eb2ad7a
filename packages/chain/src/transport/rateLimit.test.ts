import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rateLimit.js'

describe('createBudget', () => {
  it('never allows more than its limit in any minute, whatever the arrival times', () => {
    const perMinute = fc.integer({ min: 1, max: 300 })
    const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(perMinute, gaps, (limit, pauses) => {
        let now = 0
        const budget = createRateLimit(limit, () => now)
        const went = pauses.map((pause) => {
          now += pause
          const at = now + budget.waitMs()
          budget.take()
          return at
        })
        went.forEach((start, i) => {
          expect(went.slice(i).filter((at) => at < start + 60_000).length).toBeLessThanOrEqual(
            limit,
          )
        })
      }),
      { endOnFailure: true },
    )
  })

  it('serves waiting requests in order and loses none', () => {
    let now = 0
    const budget = createRateLimit(100, () => now)
    const turns = Array.from({ length: 110 }, () => {
      const wait = budget.waitMs()
      budget.take()
      return wait
    })
    expect(turns.slice(0, 5)).toEqual(new Array(5).fill(0))
    expect(turns).toEqual([...turns].sort((a, b) => a - b))
    // 95 in a minute after the burst.
    expect(turns[99]).toBe(60_000)
    expect(turns[100]).toBeGreaterThan(60_000)
    now = 200_000
    expect(budget.waitMs()).toBe(0)
  })
})
