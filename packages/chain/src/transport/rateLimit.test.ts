import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimits, type RateLimit } from './rateLimit.js'

/** Parts of a limit that sum to 1. */
const SHARES = [0.75, 0.1, 0.15]

describe('a rate limit', () => {
  it('never allows more than its limit in any minute, whatever the arrival times', () => {
    const perMinute = fc.integer({ min: 1, max: 300 })
    const asked = fc.record({
      gap: fc.integer({ min: 0, max: 5_000 }),
      user: fc.integer({ min: 0, max: 2 }),
    })
    const requests = fc.array(asked, { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(perMinute, fc.boolean(), requests, (limit, isShared, list) => {
        fc.pre(!isShared || limit >= 10)
        let now = 0
        const users = createRateLimits(limit, isShared ? SHARES : [1], () => now)
        const went = list.map(({ gap, user }) => {
          now += gap
          const budget = users[isShared ? user : 0]!
          const at = now + budget.waitMs()
          budget.take()
          return at
        })
        for (const start of went) {
          const inMinute = went.filter((at) => at >= start && at < start + 60_000)
          expect(inMinute.length).toBeLessThanOrEqual(limit)
        }
      }),
      { endOnFailure: true },
    )
  })

  it('serves waiting requests in order and loses none', () => {
    let now = 0
    const [budget] = createRateLimits(100, [1], () => now) as [RateLimit]
    now = 60_000
    const turns = Array.from({ length: 110 }, () => {
      const wait = budget.waitMs()
      budget.take()
      return wait
    })
    expect(turns.slice(0, 10)).toEqual(new Array(10).fill(0))
    expect(turns).toEqual([...turns].sort((a, b) => a - b))
    // 90 in a minute after the burst.
    expect(turns[99]).toBe(60_000)
    expect(turns[100]).toBeGreaterThan(60_000)
    now = 260_000
    expect(budget.waitMs()).toBe(0)
  })

  /** The requests of a user that asks as soon as its wait allows. */
  const sentBy = (user: RateLimit, tick: (ms: number) => void, ms: number) => {
    let sent = 0
    for (let at = 0; at < ms; at += 50) {
      if (user.waitMs() === 0) {
        user.take()
        sent += 1
      }
      tick(50)
    }
    return sent
  }

  it('lends to one user what the others leave unused', () => {
    let now = 0
    const [follower] = createRateLimits(100, SHARES, () => now) as [RateLimit]
    const tick = (ms: number) => {
      now += ms
    }
    // 90 a minute, less what fills the bursts of the others.
    expect(sentBy(follower, tick, 600_000)).toBeGreaterThan(895)
  })

  it('says when a burst is there, at the rate of all users while the others send nothing', () => {
    let now = 0
    const [follower, reader] = createRateLimits(100, SHARES, () => now) as [RateLimit, RateLimit]
    now = 60_000
    const refill = () => [2, 7, 100].map((requests) => follower.refillMs(requests))
    expect(refill()).toEqual([0, 0, 0])
    for (let i = 0; i < 6; i++) follower.take()
    // 1.5 of 7.5 are left, and 90 come in a minute.
    const whole = refill()
    expect(whole).toEqual([0.5, 5.5, 6].map((missing) => Math.ceil((missing * 60_000) / 90)))
    now += whole[0]!
    expect(refill()[0]).toBe(0)
    expect(follower.waitMs()).toBe(0)
    for (let i = 0; i < 8; i++) reader.take()
    now += whole[1]! - whole[0]!
    expect(refill()[1]).toBeGreaterThan(0)
  })

  it('gives each user its share while all are busy', () => {
    let now = 0
    const users = createRateLimits(100, SHARES, () => now)
    const sent = users.map(() => 0)
    for (; now < 600_000; now += 50) {
      for (const [i, user] of users.entries()) {
        if (user.waitMs() > 0) continue
        user.take()
        sent[i]! += 1
      }
    }
    for (const [i, share] of SHARES.entries()) {
      expect(sent[i]).toBeGreaterThanOrEqual(Math.floor(0.895 * 1000 * share))
    }
  })

  it('does not begin with a burst, because the process before may have used the minute', () => {
    const [budget] = createRateLimits(100, [1], () => 0) as [RateLimit]
    budget.take()
    expect(budget.waitMs()).toBeGreaterThan(500)
  })
})
