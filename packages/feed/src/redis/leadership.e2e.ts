import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followFeed, type ReadMarket } from '../followFeed.js'
import { createPublisher } from '../publishMarket.js'
import type { PublishedMarket } from '../records.js'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { canonical, emptyChange, publicationOf } from '../testing/feedConformance.js'
import { createMovingMarket } from '../testing/movingMarket.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { connectRedis } from './connection.js'
import { deploymentOf } from './keys.js'
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

  const openFeed = (deployment = 'market', ttlMs = TTL_MS) => {
    const of = { url: server.url, chainId: 999, deployment }
    const redis = createRedisFeed(of)
    const lease = createRedisLease(redis.redis, { ...of, ttlMs })
    const feed = createRedisFeed({ ...of, holder: lease.holder })
    closing.push(redis.close, feed.close)
    return { feed, lease }
  }
  const startIndexer = ({ publishMs = 0, verifyMs = 30_000, deployment = 'market' } = {}) => {
    const { feed, lease } = openFeed(deployment)
    let isFrozen = false
    let loads = 0
    const errors: unknown[] = []
    const publisher = createPublisher({
      ...{ maxAgeMs: 3_600_000, signal: stop.signal, onError: (error) => errors.push(error) },
      verifyMs,
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
  const startReader = (deployment?: string) => {
    const { feed } = openFeed(deployment)
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

  /** An indexer that has published a market, and a reader that has it. */
  const startPublished = async (options = {}, redis?: { persists: boolean }) => {
    await startServer(redis)
    const a = startIndexer(options)
    const { read, until: readUntil } = startReader()
    const market = createMovingMarket(6)
    a.update(publicationOf(market.current()))
    await readUntil(market.current())
    return { a, read, readUntil, market }
  }

  it('follow one leader, and another one when it ends, which loads no market again', async () => {
    const { a, read, readUntil, market } = await startPublished()
    const b = startIndexer()
    b.update(publicationOf(market.current()))
    await until(() => b.loads() === 1)
    a.update(publicationOf(market.move({ kind: 'swap', pool: 2, amount: 8n })))
    await readUntil(market.current())
    a.freeze()
    // Only the standby has this block.
    b.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
    await readUntil(market.current())
    expect(b.epoch()).toBeGreaterThan(a.epoch()!)
    expect(read.at(-1)!.epoch).toBe(b.epoch())
    // The difference was published, not the whole market.
    expect(read.at(-1)!.sequence).toBe(read[0]!.sequence + 2)
    expect(b.loads()).toBe(1)
  })

  it('publish a market that takes longer to write than the lease lasts', async () => {
    const { a } = await startPublished({ publishMs: 1.5 * TTL_MS })
    expect(a.errors).toEqual([])
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

  it('hand the lead over at once when the leader stops, and renew a lease of two seconds ten times', async () => {
    expect(createRedisLease(connectRedis(''), { chainId: 999 }).renewMs).toBe(200)
    await startServer()
    const [a, b] = [openFeed(), openFeed()]
    const epoch = (await a.lease.take())!
    await a.lease.release()
    expect(await b.lease.take()).toBeGreaterThan(epoch)
    await b.lease.release()
    const publisher = startIndexer()
    publisher.update(publicationOf(createMovingMarket(2).current()))
    await until(() => publisher.epoch() !== undefined)
    stop.abort()
    await publisher.ended
    expect(publisher.epoch()).toBeUndefined()
    expect(await openFeed().lease.take()).toBeDefined()
  })

  it('leave the lead when their own market is old', async () => {
    await startServer()
    // A lease that does not end by itself.
    const { feed, lease } = openFeed('market', 3_600_000)
    const { signal } = stop
    const publisher = createPublisher({ feed, lease, maxAgeMs: 100, signal, onError: () => {} })
    publisher.update(publicationOf(createMovingMarket(2).current()))
    await until(() => publisher.epoch() !== undefined)
    await until(() => publisher.epoch() === undefined)
    const other = openFeed().lease
    await expect.poll(other.take).toBeDefined()
  })

  it.each([
    ['the records are deleted', ['DEL', 'braid:{999}:market:pools']],
    ['the records are of another type', ['SET', 'braid:{999}:market:pools', 'x']],
    ['the changes are deleted', ['DEL', 'braid:{999}:market:changes']],
    ['the changes are of another type', ['SET', 'braid:{999}:market:changes', 'x']],
    [
      'a foreign change has a huge number',
      [
        ...['XADD', 'braid:{999}:market:changes', `${2 ** 53}-0`, 'block', '0x', 'at', '1'],
        ...['head', '{}', 'records', ''],
      ],
    ],
    ['the lease is of another type', ['SET', 'braid:{999}:market:lease', 'x']],
    ['a record is cut', ['HSET', 'braid:{999}:market:pools']],
  ])('repair what is published without a hand when %s', async (_, damage) => {
    const { a, readUntil, market } = await startPublished({ verifyMs: 50 })
    if (damage[0] === 'SET') await a.feed.redis.send(['DEL', damage[1]!])
    const random = ['HRANDFIELD', damage[1]!, '1', 'WITHVALUES']
    const [id = '', text = ''] =
      damage[0] === 'HSET' ? ((await a.feed.redis.send(random)) as string[]) : []
    await a.feed.redis.send([...damage, ...(id === '' ? [] : [id, text.slice(0, -9)])])
    // No block comes: the leader looks by itself.
    const later = startReader()
    await later.until(market.current())
    a.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
    await Promise.all([readUntil(market.current()), later.until(market.current())])
  })

  it('lead again at once when the clock of Redis was set back while nobody led', async () => {
    await startServer()
    const { feed, lease } = openFeed()
    const until = `${Date.now() + 3_600_000}`
    const held = ['holder', 'gone', 'epoch', '7', 'until', until]
    await feed.redis.send(['HSET', 'braid:{999}:market:lease', ...held])
    expect(await lease.take()).toBeGreaterThan(7)
    // A lease that can still last is another's.
    expect(await openFeed().lease.take()).toBeUndefined()
  })

  it('of two deployments on one Redis do not mix, whatever differs', async () => {
    await startServer()
    const base = {
      router: '0x01',
      wrappedNative: '0x02',
      venues: [{ id: 'a', fromBlock: 1n }],
    } as const
    const others = [
      { ...base, router: '0x03' },
      { ...base, wrappedNative: '0x03' },
      { ...base, venues: [{ id: 'a', fromBlock: 2n }] },
      { ...base, venues: [] },
      { ...base, format: 2 },
    ] as const
    const names = [base, ...others].map(deploymentOf)
    expect(new Set(names).size).toBe(names.length)
    expect(names[0]).toMatch(/^[0-9a-f]{12}$/)
    expect(deploymentOf({ ...base, venues: [{ fromBlock: 1n, id: 'a' }] })).toBe(names[0])
    const [ours, theirs] = [
      startIndexer({ deployment: names[0]! }),
      startIndexer({ deployment: names[5]! }),
    ]
    const reader = startReader(names[0])
    const [market, other] = [createMovingMarket(6), createMovingMarket(3)]
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push((error as Error).message)
    const { feed } = openFeed('third')
    void followFeed(feed, { signal: stop.signal, onError, onMarket: () => {} })
    ours.update(publicationOf(market.current()))
    theirs.update(publicationOf(other.current()))
    await until(() => ours.epoch() !== undefined && theirs.epoch() !== undefined)
    await reader.until(market.current())
    const known = new Set([canonical(market.current())])
    for (let pool = 0; pool < 5; pool++) {
      theirs.update(publicationOf(other.move({ kind: 'swap', pool: 1, amount: 9n })))
      ours.update(publicationOf(market.move({ kind: 'swap', pool, amount: 9n })))
      known.add(canonical(market.current()))
      await reader.until(market.current())
    }
    for (const one of reader.read) expect(known).toContain(canonical(one))
    // A reader of neither says what is there instead.
    const published = [names[0], names[5]].toSorted().join(', ')
    await until(() => told.some((message) => `${message}`.includes(published)))
  })

  it.each([false, true])(
    'publish again after a crash of Redis, persistent: %s',
    async (persists) => {
      const { a, readUntil, market } = await startPublished({}, { persists })
      await server.kill()
      a.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
      await until(() => a.errors.length > 0)
      await server.restart()
      await readUntil(market.current())
      a.update(publicationOf(market.move({ kind: 'remove', pool: 2 })))
      await readUntil(market.current())
    },
  )

  it.each([
    [
      'a changed password',
      'CONFIG SET requirepass other, CLIENT KILL TYPE normal',
      'CONFIG SET requirepass ',
    ],
    ['the role of a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
    ['a full memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    [
      'one client too many',
      'CONFIG SET maxclients 1, CLIENT KILL TYPE normal',
      'CONFIG SET maxclients 99',
    ],
  ])('publish the next change when Redis no longer refuses it for %s', async (_, cause, cure) => {
    const { a, read, readUntil, market } = await startPublished()
    const keeper = connectRedis(server.url)
    closing.push(keeper.close)
    const tell = async (lines: string) => {
      for (const line of lines.split(', ')) await keeper.send(line.split(' '))
    }
    await keeper.send(['PING'])
    await tell(cause)
    a.update(publicationOf(market.move({ kind: 'swap', pool: 1, amount: 9n })))
    await until(() => a.errors.length > 1)
    for (const error of a.errors) expect(error).toMatchObject({ code: 'REDIS_AWAY' })
    await tell(cure)
    await readUntil(market.current())
    // What Redis refused said nothing about what it has, so no whole market was published.
    expect(read.at(-1)!.sequence).toBe(read[0]!.sequence + 1)
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}
