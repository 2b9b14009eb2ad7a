import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followFeed, type ReadMarket } from '../followFeed.js'
import { createPublisher } from '../publishMarket.js'
import type { PublishedMarket } from '../records.js'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { canonical, emptyChange, publicationOf } from '../testing/feedConformance.js'
import { createMovingMarket } from '../testing/movingMarket.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { createRedisFeed } from './redisFeed.js'
import { createRedisLease } from './redisLease.js'

const TTL_MS = 800

describeWithRedis('indexers that share Redis', () => {
  let server: RedisServer
  let stop: AbortController
  const closing: (() => void)[] = []
  const startServer = async (options?: { persists: boolean }) => {
    server = await startRedis(options)
  }
  beforeEach(() => {
    stop = new AbortController()
  })
  afterEach(async () => {
    stop.abort()
    await sleep(10)
    for (const close of closing.splice(0)) close()
    await server.stop()
  })

  const openFeed = () => {
    const redis = createRedisFeed({ url: server.url, chainId: 999 })
    const lease = createRedisLease(redis.redis, { chainId: 999, ttlMs: TTL_MS })
    const feed = createRedisFeed({ url: server.url, chainId: 999, holder: lease.holder })
    closing.push(redis.close, feed.close)
    return { feed, lease }
  }
  const startIndexer = ({ publishMs = 0 } = {}) => {
    const { feed, lease } = openFeed()
    let isFrozen = false
    let loads = 0
    const errors: unknown[] = []
    const publisher = createPublisher({
      ...{ maxAgeMs: 3_600_000, signal: stop.signal, onError: (error) => errors.push(error) },
      feed: {
        ...feed,
        publish: async (change) => {
          await sleep(publishMs)
          await feed.publish(change)
        },
        records: () => {
          loads += 1
          return feed.records()
        },
      },
      lease: {
        ...lease,
        // A process that is stopped renews nothing.
        take: async () => (isFrozen ? new Promise(() => {}) : lease.take()),
      },
    })
    const freeze = () => {
      isFrozen = true
    }
    return { ...publisher, feed, lease, errors, freeze, loads: () => loads }
  }
  const startReader = () => {
    const { feed } = openFeed()
    const read: ReadMarket[] = []
    void followFeed(feed, {
      ...{ signal: stop.signal, retryMs: 20, onError: () => {} },
      onMarket: (market) => read.push(market),
    })
    return { read, until: (wanted: PublishedMarket) => until(() => has(read, wanted)) }
  }
  const has = (read: readonly ReadMarket[], wanted: PublishedMarket) => {
    const last = read.at(-1)
    return last !== undefined && canonical(last) === canonical(wanted)
  }

  it('follow one leader, and another one when it ends', async () => {
    await startServer()
    const [a, b] = [startIndexer(), startIndexer()]
    const { read, until: readUntil } = startReader()
    const market = createMovingMarket(6)
    a.update(publicationOf(market.current()))
    await until(() => a.epoch() !== undefined)
    b.update(publicationOf(market.current()))
    await readUntil(market.current())
    a.freeze()
    // Only the standby has this block.
    b.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
    await readUntil(market.current())
    expect(b.epoch()).toBeGreaterThan(a.epoch()!)
    expect(read.at(-1)!.epoch).toBe(b.epoch())
    // The difference was published, not the whole market.
    expect(read.at(-1)!.sequence).toBe(read[0]!.sequence + 1)
  })

  it('take over without loading the whole market again', async () => {
    await startServer()
    const [a, b] = [startIndexer(), startIndexer()]
    const { until: readUntil } = startReader()
    const market = createMovingMarket(6)
    a.update(publicationOf(market.current()))
    await until(() => a.epoch() !== undefined)
    b.update(publicationOf(market.current()))
    await until(() => b.loads() === 1)
    a.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 8n })))
    await readUntil(market.current())
    a.freeze()
    b.update(publicationOf(market.move({ kind: 'swap', pool: 2, amount: 9n })))
    await readUntil(market.current())
    expect(b.epoch()).toBeDefined()
    expect(b.loads()).toBe(1)
  })

  it('publish a market that takes longer to write than the lease lasts', async () => {
    await startServer()
    const indexer = startIndexer({ publishMs: 1.5 * TTL_MS })
    const { until: readUntil } = startReader()
    const market = createMovingMarket(6)
    indexer.update(publicationOf(market.current()))
    await readUntil(market.current())
    expect(indexer.errors).toEqual([])
  })

  it('refuse what a deposed leader writes, even as the next change', async () => {
    await startServer()
    const [a, b] = [openFeed(), openFeed()]
    const epoch = (await a.lease.take())!
    await a.feed.publish(emptyChange({ sequence: epoch, epoch, block: 1 }))
    expect(await b.lease.take()).toBeUndefined()
    await sleep(TTL_MS + 50)
    expect(await b.lease.take()).toBeGreaterThan(epoch)
    const next = emptyChange({ sequence: epoch + 1, epoch, block: 2, parent: 1 })
    await expect(a.feed.publish(next)).rejects.toMatchObject({ details: { reason: 'lease' } })
    expect(await a.lease.take()).toBeUndefined()
  })

  it('hand the lead over at once when the leader stops', async () => {
    await startServer()
    const [a, b] = [openFeed(), openFeed()]
    const epoch = (await a.lease.take())!
    await a.lease.release()
    expect(await b.lease.take()).toBeGreaterThan(epoch)
  })

  it('leave the lead when their own market is old', async () => {
    await startServer()
    const { feed, lease } = openFeed()
    const { signal } = stop
    const publisher = createPublisher({ feed, lease, maxAgeMs: 100, signal, onError: () => {} })
    publisher.update(publicationOf(createMovingMarket(2).current()))
    await until(() => publisher.epoch() !== undefined)
    await until(() => publisher.epoch() === undefined)
    expect(await openFeed().lease.take()).toBeDefined()
  })

  it.each([false, true])(
    'publish again after a crash of Redis, persistent: %s',
    async (persists) => {
      await startServer({ persists })
      const a = startIndexer()
      const { until: readUntil } = startReader()
      const market = createMovingMarket(6)
      a.update(publicationOf(market.current()))
      await readUntil(market.current())
      await server.kill()
      a.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
      await until(() => a.errors.length > 0)
      await server.restart()
      await readUntil(market.current())
      a.update(publicationOf(market.move({ kind: 'remove', pool: 2 })))
      await readUntil(market.current())
    },
  )
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}
