import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '@braid-swap/chain'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { expect, it, vi } from 'vitest'
import { useRedis } from '../testing/useRedis.js'
import { createLimiter } from './rateLimiter.js'
import { createSharedLimiter } from './redisLimiter.js'

const chainId = 999

describeWithRedis('limits in Redis', () => {
  const { server, testSignal, open } = useRedis()
  const limiters = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      createSharedLimiter(open(), {
        ...{ chainId, process: `${n}`, signal: testSignal(), now: steadyMs },
      }),
    )

  it('allow a burst exactly once over four processes', async () => {
    // So slow a rate gives nothing back while the test runs.
    const limits = { rate: 0.0001, burst: 50 }
    const shared = limiters(4)
    const taken = await Promise.all(
      Array.from({ length: 400 }, (_, i) => shared[i % 4]!.take('burst', 1, limits)),
    )
    expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(50)
    const costs = [1, 2, 3, 0.1, 1, 2]
    const mixed = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const cost = costs[i % costs.length]!
        const { isAllowed } = await shared[i % 4]!.take('mixed', cost, limits)
        return isAllowed ? cost : 0
      }),
    )
    // The smallest requests fit in what the others leave.
    expect(mixed.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(50, 3)
  })

  it('count as the buckets in memory do', async () => {
    const limits = { rate: 0.001, burst: 10 }
    const [shared] = limiters(1)
    const local = createLimiter(() => 0)
    for (const [cost, isBack, isOwed] of [
      [3],
      [1],
      [0.9, true],
      [20],
      [6],
      [2],
      [1],
      [5, true],
      [4],
      [14, false, true],
      [1],
      [500, false, true],
      [1],
    ] as const) {
      const kind = isOwed ? 'charge' : isBack ? 'giveBack' : 'take'
      const [got, wanted] = [
        await shared![kind]('same', cost, limits),
        local[kind]('same', cost, limits),
      ]
      expect([cost, got.isAllowed, got.remaining]).toEqual([
        cost,
        wanted.isAllowed,
        wanted.remaining,
      ])
      // Redis counts real time, of which some passes here.
      expect(Math.abs(got.fullInS - wanted.fullInS)).toBeLessThan(60)
      expect(Math.abs(got.retryAfterS - wanted.retryAfterS)).toBeLessThan(60)
    }
  })

  it('refuse no longer than for what is asked when the clock of Redis was set back by an hour', async () => {
    const limits = { rate: 20, burst: 40 }
    const [shared] = limiters(1)
    const inAnHour = `${Date.now() + 3_600_000}.0000`
    await open().send(['SET', 'braid:{999}:limits:back', inAnHour])
    const { isAllowed, retryAfterS } = await shared!.take('back', limits.rate, limits)
    expect([isAllowed, retryAfterS]).toEqual([false, 1])
    const isAllowedNow = async () =>
      expect(await shared!.take('back', 1, limits)).toMatchObject({ isAllowed: true })
    await vi.waitFor(isAllowedNow, 5_000)
  })

  it('are shared again although a hand wrote something else in their place', async () => {
    const limits = { rate: 0.001, burst: 4 }
    const redis = open()
    await redis.send(['SET', 'braid:{999}:limits:text', 'text'])
    await redis.send(['RPUSH', 'braid:{999}:limits:list', 'text'])
    await redis.send(['DEL', 'braid:{999}:limits:processes'])
    await redis.send(['RPUSH', 'braid:{999}:limits:processes', 'text'])
    const shared = limiters(3)
    for (const name of ['text', 'list']) {
      const taken = []
      for (let n = 0; n < 6; n++) taken.push(await shared[n % 3]!.take(name, 1, limits))
      expect(taken.map(({ isAllowed }) => isAllowed)).toEqual([
        true,
        true,
        true,
        true,
        false,
        false,
      ])
    }
    while (shared.some(({ processes }) => processes() !== 3)) await sleep(20)
  })

  it('allow each process its part while Redis is away, and all together again afterwards', async () => {
    const limits = { rate: 0.001, burst: 20 }
    const shared = limiters(4)
    while (shared.some(({ processes }) => processes() !== 4)) await sleep(20)
    await server().kill()
    const taken = await Promise.all(
      shared.flatMap((one) => Array.from({ length: 20 }, () => one.take('away', 1, limits))),
    )
    expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(20)
    // A process always allows one request, even if that is more than its part.
    const small = { rate: 0.001, burst: 2 }
    const asked = [...shared, ...shared].map((one) => one.take('small', 1, small))
    expect((await Promise.all(asked)).filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
    expect(shared.map((one) => one.isShared())).toEqual([false, false, false, false])
    await server().restart()
    const isShared = async () => {
      await shared[0]!.take('back', 0.001, limits)
      return shared[0]!.isShared()
    }
    while (!(await isShared())) await sleep(50)
  })
})
