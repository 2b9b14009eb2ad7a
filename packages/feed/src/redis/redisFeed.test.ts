import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from '@braid-swap/core/advanced'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { describeFeed, emptyChange } from '../testing/feedConformance.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { createRedisFeed } from './redisFeed.js'
import { createRedisLease } from './redisLease.js'

const DAY_MS = 86_400_000

describeWithRedis('Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  const open = async () => {
    const { url } = server
    const reader = createRedisFeed({ url, chainId: 999 })
    await reader.redis.send(['FLUSHALL'])
    // A test that waits for the processor must not lose it.
    const lease = createRedisLease(reader.redis, { chainId: 999, ttlMs: 60_000 })
    const publisher = createRedisFeed({ url, chainId: 999, holder: lease.holder })
    return {
      ...{ publisher, reader, lease },
      trim: async () => {
        await reader.redis.send(['XTRIM', 'braid:{999}:market:changes', 'MAXLEN', '1'])
      },
      close: async () => {
        publisher.close()
        reader.close()
      },
    }
  }
  describeFeed('Redis', open)

  it('lets a reader wait that has the newest change, until it leaves', async () => {
    const { publisher, reader, lease, close } = await open()
    const epoch = (await lease.take())!
    await publisher.publish(emptyChange({ sequence: epoch, epoch, block: 1 }))
    const stop = new AbortController()
    const changes = reader.follow(epoch, stop.signal)[Symbol.asyncIterator]()
    const next = changes.next()
    const before = reader.commands()
    // A read that waits in vain, the look at the end of the stream, and another read.
    while (reader.commands() < before + 3) await sleep(20)
    await lease.take()
    await publisher.publish(emptyChange({ sequence: epoch + 1, epoch, block: 2, parent: 1 }))
    expect((await next).value?.head.sequence).toBe(epoch + 1)
    const last = changes.next().catch(() => {})
    const commands = reader.commands()
    stop.abort()
    await last
    // The read was cut off: it got no answer, not even that there is nothing new.
    expect(reader.commands()).toBe(commands)
    await close()
  })

  it('counts the time in which a change waited for Redis in its age', async () => {
    const { publisher, reader, lease, close } = await open()
    const epoch = (await lease.take())!
    await publisher.publish(emptyChange({ sequence: epoch, epoch, block: 1 }))
    process.kill(server.pid(), 'SIGSTOP')
    const from = performance.now()
    const publication = publisher.publish(
      emptyChange({ sequence: epoch + 1, epoch, block: 2, parent: 1 }),
    )
    await sleep(200)
    process.kill(server.pid(), 'SIGCONT')
    await publication
    const asked = performance.now()
    // The two clocks, the one here and the one of Redis, agree to a millisecond.
    expect((await reader.last())!.ageMs).toBeGreaterThanOrEqual(asked - from - 1)
    await close()
  })

  it('is given a large market in parts, and all of it', async () => {
    const { publisher, reader, lease, close } = await open()
    const epoch = (await lease.take())!
    const change = emptyChange({ sequence: epoch, epoch, block: 1 })
    const set = Array.from({ length: 7 }, (_, n) => [`0x${n}`, 'x'.repeat(600_000)] as const)
    const sizes: number[] = []
    const { send } = publisher.redis
    Object.assign(publisher.redis, {
      send: (words: readonly string[], limitMs?: number) => {
        if (words[0] === 'HSET') sizes.push(words.length / 2 - 1)
        return send(words, limitMs)
      },
    })
    await publisher.publish({ ...change, set })
    expect(sizes).toEqual([2, 2, 2, 1])
    // What nobody publishes any more goes after a week, and no sooner.
    for (const name of ['lease', 'pools', 'changes']) {
      const leftMs = Number(await reader.redis.send(['PTTL', `braid:{999}:market:${name}`]))
      expect(leftMs).toBeGreaterThan(6.9 * DAY_MS)
      expect(leftMs).toBeLessThanOrEqual(7 * DAY_MS)
    }
    const read: (readonly [string, string])[] = []
    for await (const part of reader.records()) {
      for (const [key, text, sequence] of part) {
        expect(sequence).toBe(epoch)
        read.push([key, text])
      }
    }
    expect(stringify(read.sort())).toBe(stringify(set))
    await close()
  })
})
