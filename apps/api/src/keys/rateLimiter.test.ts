import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLimiter } from './rateLimiter.js'

describe('the limiter', () => {
  it('allows a burst, then the rate', () => {
    let nowMs = 0
    const limits = { rate: 20, burst: 40 }
    const limiter = createLimiter(() => nowMs)
    const allowed = (count: number) =>
      Array.from({ length: count }, () => limiter.take('a', 1, limits)).filter((t) => t.isAllowed)
        .length
    expect(allowed(100)).toBe(40)
    nowMs = 49
    expect(allowed(1)).toBe(0)
    nowMs = 50
    expect(allowed(2)).toBe(1)
    nowMs = 1_050
    expect(allowed(100)).toBe(20)
    nowMs = 100_000
    expect(allowed(100)).toBe(40)
  })

  it('separates names and reports when to retry', () => {
    const limits = { rate: 2, burst: 3 }
    const limiter = createLimiter(() => 0)
    expect(limiter.take('a', 3, limits)).toEqual({
      ...{ isAllowed: true, remaining: 0, fullInS: 2, retryAfterS: 0 },
    })
    expect(limiter.take('a', 3, limits)).toMatchObject({ isAllowed: false, retryAfterS: 2 })
    expect(limiter.take('b', 1, limits)).toMatchObject({ isAllowed: true, remaining: 2 })
  })

  it('takes a tenth of a request without drifting', () => {
    const limits = { rate: 1, burst: 1 }
    const limiter = createLimiter(() => 0)
    for (let i = 0; i < 10; i++) {
      if (i < 9) expect(limiter.take('a', 0.1, limits).isAllowed).toBe(true)
      else expect(limiter.take('a', 0.1, limits)).toMatchObject({ isAllowed: true, remaining: 0 })
    }
    expect(limiter.take('a', 0.1, limits).isAllowed).toBe(false)
    expect(limiter.giveBack('a', 0.1, limits).remaining).toBe(0)
    expect(limiter.take('a', 0.1, limits).isAllowed).toBe(true)
  })

  it('lets a request through that costs more than the burst, when the bucket is full', () => {
    const limiter = createLimiter(() => 0)
    expect(limiter.take('a', 3, { rate: 1, burst: 1 }).isAllowed).toBe(true)
    expect(limiter.take('a', 3, { rate: 1, burst: 1 })).toMatchObject({ retryAfterS: 1 })
  })

  it('lets a bucket owe four bursts, and no more', () => {
    const limiter = createLimiter(() => 0)
    expect(limiter.charge('a', 1_000, { rate: 1, burst: 2 })).toMatchObject({ fullInS: 10 })
  })

  it('never allows more than the burst and the rate, over any time, and never one less', () => {
    const requests = fc.array(
      fc.record({ waitMs: fc.nat(500), cost: fc.constantFrom(0.1, 1, 2, 3) }),
      { maxLength: 100 },
    )
    const limits = fc.record({ rate: fc.integer({ min: 1, max: 50 }), burst: fc.nat(97) })
    fc.assert(
      fc.property(requests, limits, (sent, { rate, burst }) => {
        let nowMs = 0
        const limiter = createLimiter(() => nowMs)
        // The same rule in other words: the work ahead of a request drains at the rate.
        let backlog = 0
        for (const { waitMs, cost } of sent) {
          nowMs += waitMs
          backlog = Math.max(0, backlog - waitMs * rate)
          const { isAllowed } = limiter.take('a', cost, { rate, burst: burst + 3 })
          expect(isAllowed).toBe(backlog + cost * 1_000 <= (burst + 3) * 1_000)
          if (isAllowed) backlog += cost * 1_000
        }
      }),
      { endOnFailure: true },
    )
  })

  it('forgets full buckets, and no other, when there are many names', () => {
    let nowMs = 0
    const limits = { rate: 1, burst: 2 }
    const limiter = createLimiter(() => nowMs)
    for (let i = 0; i < 9_999; i++) limiter.take(`old ${i}`, 1, limits)
    nowMs = 1_500
    limiter.take('busy', 2, limits)
    limiter.take('newcomer', 1, limits)
    expect(limiter.take('busy', 1, limits)).toMatchObject({ isAllowed: false, remaining: 0 })
    expect(limiter.take('old 0', 2, limits)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(limiter.size()).toBeLessThan(5)
  })
})
