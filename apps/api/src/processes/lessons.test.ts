// What one process learns from a revert, the others know.

import { createLedger, type Lessons } from '@braid-swap/chain'
import { connectRedis } from '@braid-swap/feed'
import { describeWithRedis, type RedisServer, startRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { LiveMarket } from '../market/liveMarket.js'
import { createRedisLessons, hearDoubts, withDoubts } from './lessons.js'

const POOL = `0x${'11'.repeat(20)}` as const
const TOKEN = `0x${'22'.repeat(20)}` as const
const CHARGE = { depth: 0, by: 'key' }

/** Lessons that every other list hears at once. */
function between(count: number): readonly Lessons[] {
  const learners: ((lesson: Parameters<Lessons['tell']>[0]) => void)[] = []
  return Array.from({ length: count }, (_, own) => ({
    tell: (lesson) => {
      for (const [n, learn] of learners.entries()) if (n !== own) learn(lesson)
    },
    listen: (learn) => {
      learners[own] = learn
    },
  }))
}

it('is one pause where two processes find the same fault, and twice as long after it', () => {
  let now = 0
  const [one, other] = between(2).map((lessons) => createLedger(() => now, lessons))
  one!.decide({ ...CHARGE, subject: POOL, reason: 'K' })
  now = 1_000
  expect(other!.current().get(POOL)).toMatchObject({ reason: 'K', untilMs: 120_000 })
  now = 121_000
  expect(other!.current().size).toBe(0)
  other!.decide({ ...CHARGE, subject: POOL, reason: 'K' })
  for (const each of [one!, other!]) expect(each.current().get(POOL)?.untilMs).toBe(361_000)
})

/** Doubts of a process that only reads the market, as the one that follows it hears them. */
function doubtsBetween(reader: Lessons, follower: Lessons) {
  const doubted: string[] = []
  hearDoubts(follower, { doubt: (pools) => doubted.push(...pools) })
  const { current } = createLedger(() => 0, follower)
  const market: LiveMarket = { current: () => null }
  withDoubts(market, reader).doubt!([POOL, TOKEN])
  return { doubted, current }
}

describeWithRedis('lessons in Redis', () => {
  let server: RedisServer
  const stop = new AbortController()
  const closing: (() => void)[] = []
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    stop.abort()
    for (const close of closing) close()
    await server.stop()
  })
  const connect = () => {
    const redis = connectRedis(server.url)
    closing.push(redis.close)
    return redis
  }
  const start = (chainId = 999, now = () => performance.now()) => {
    const { signal } = stop
    return createLedger(now, createRedisLessons(connect(), { chainId, signal }))
  }

  it('reach processes that run, and those that start later, of the same chain alone', async () => {
    const [one, other, foreign] = [start(), start(), start(998)]
    const flaw = { address: TOKEN, code: 'TOKEN_PAUSED', message: 'paused' } as never
    one.decide({ ...CHARGE, subject: POOL, reason: 'K' })
    other.decide({ ...CHARGE, subject: TOKEN, reason: 'paused', flaw })
    const know = [other, one, start()]
    await vi.waitFor(() => {
      for (const each of know) expect([...each.current().keys()].toSorted()).toEqual([POOL, TOKEN])
    }, 5_000)
    expect(one.current().get(TOKEN)).toMatchObject({ reason: 'paused', flaw })
    expect(foreign.current().size).toBe(0)
  })

  it('have venues asked by the process that follows the market, and leave no pool out without a reason', async () => {
    const [reader, follower] = [0, 1].map(() =>
      createRedisLessons(connect(), { chainId: 995, signal: stop.signal }),
    ) as [Lessons, Lessons]
    const { doubted, current } = doubtsBetween(reader, follower)
    await vi.waitFor(() => expect(doubted).toEqual([POOL, TOKEN]), 5_000)
    expect(current().size).toBe(0)
  })

  it('are learnt beside one that cannot be read, and where something else was in their place', async () => {
    const redis = connect()
    await redis.send(['SET', 'braid:{997}:lessons', 'text'])
    start(997).decide({ ...CHARGE, subject: TOKEN, reason: 'paused' })
    await vi.waitFor(async () => {
      expect(await redis.send(['TYPE', 'braid:{997}:lessons'])).toBe('stream')
    })
    const wrong = ['{', 'null', '[]', '{"subject":"0x12","reason":"K"}', '{"reason":"K"}']
    const right = JSON.stringify({ subject: POOL, reason: 'K' })
    for (const text of [...wrong, right]) {
      await redis.send(['XADD', 'braid:{997}:lessons', '*', 'lesson', text])
    }
    await redis.send(['XADD', 'braid:{997}:lessons', '*', 'other', 'field'])
    const { current } = start(997)
    await vi.waitFor(() => expect([...current().keys()]).toEqual([TOKEN, POOL]), 5_000)
  })

  it('are each one pause, also where the clock of Redis was set back after they were told', async () => {
    const redis = connect()
    const ahead = `${Date.now() + 3_600_000}-0`
    const told = JSON.stringify({ subject: POOL, reason: 'K' })
    await redis.send(['XADD', 'braid:{996}:lessons', ahead, 'lesson', told])
    let now = 0
    const [one, other] = [start(996, () => now), start(996)]
    await vi.waitFor(() => expect(one.current().size).toBe(1), 5_000)
    now = 121_000
    other.decide({ ...CHARGE, subject: TOKEN, reason: 'paused' })
    await vi.waitFor(() => expect(one.current().size).toBeGreaterThan(0), 5_000)
    expect([...one.current().keys()]).toEqual([TOKEN])
  })
})
