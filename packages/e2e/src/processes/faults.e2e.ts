// What may happen to a service of several processes: each answer with 200 is the chain's at its
// block, and everything else is an honest refusal. Each fault needs a service of five processes and
// takes up to a minute, so `npm test` has one of them and `pnpm e2e:full` all.

import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from '@braid-swap/feed'
import {
  describeWithRedis,
  openPartition,
  type RedisServer,
  startRedis,
} from '@braid-swap/feed/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isFullRun, scaled } from '../draws.js'
import { type Load, openWorld, type Seen, snapshotIds, startLoad, type World } from './service.js'
import type { ServiceProcess } from './serviceProcess.js'

/** How long the load goes on before and after a fault. */
const AROUND_MS = scaled(6_000)

/** What a reader may answer instead of a quote. */
const HONEST = new Set(['STATE_STALE', 'NOT_READY', 'OVERLOADED', 'DEADLINE_EXCEEDED'])

/** A fault that only the full run causes. */
const inFullRun = it.runIf(isFullRun)

it.skipIf(isFullRun)('six more faults of a service of several processes', (context) => {
  context.skip('six faults of a service of several processes; `pnpm e2e:full` causes them')
})

describeWithRedis('a service of several processes', () => {
  let world: World
  let redis: RedisServer
  let load: Load
  const left: ServiceProcess[] = []
  beforeAll(async () => {
    world = await openWorld()
  })
  afterEach(async () => {
    await load.stop()
    for (const one of left.splice(0)) await one.kill()
    await redis.stop()
  })
  afterAll(() => world.stop())

  const urlOf = async (service: ServiceProcess) => (await service.logged('listening')).url!
  const start = (role: 'indexer' | 'api', url = redis.url, more = {}) => {
    const service = world.start(role, url, more)
    left.push(service)
    return service
  }
  /** Two indexers, of which the first leads, and two readers, under load. */
  const startAll = async ({ persists = false } = {}) => {
    redis = await startRedis({ persists })
    load = startLoad(world)
    const leader = start('indexer')
    await leader.logged('publishing the market')
    const standby = start('indexer')
    await standby.logged('market loaded')
    const readers = [start('api'), start('api')]
    const urls = await Promise.all(readers.map(urlOf))
    await Promise.all(readers.map((one) => one.logged('market loaded')))
    urls.forEach(load.askAlways)
    for (const url of urls) await load.untilNewBlock(url)
    await sleep(AROUND_MS)
    return { leader, standby, readers, urls }
  }
  /** Ends the load and checks every answer of the readers that were not killed. */
  const check = async (killed: readonly string[] = []) => {
    await sleep(AROUND_MS)
    await load.stop()
    const isWrong = ({ status, block, quoteId, reader, code = '' }: Seen) => {
      if (status === 200) return load.right.get(block!) !== quoteId
      if (status === 0) return !killed.includes(reader)
      return status !== 503 || !HONEST.has(code)
    }
    expect(load.seen.filter(isWrong)).toEqual([])
    expect(load.seen.filter(({ status }) => status === 200).length).toBeGreaterThan(10)
    const [followed, read] = await snapshotIds(world)
    expect(followed).toBe(read)
  }

  inFullRun('goes on when the leader is killed, and when the standby is', async () => {
    const { leader, standby, urls } = await startAll()
    await leader.kill()
    await load.untilNewBlock(urls[0]!)
    const third = start('indexer')
    await third.logged('market loaded')
    await third.kill()
    await load.untilNewBlock(urls[1]!)
    await check()
    expect(standby.lines.some(({ msg }) => msg === 'publishing the market')).toBe(true)
  })

  it('has a leader that writes nothing after it was paused past its lease', async () => {
    const { leader, standby, urls } = await startAll()
    leader.signal('SIGSTOP')
    await load.untilNewBlock(urls[0]!)
    await standby.logged('publishing the market')
    await sleep(AROUND_MS)
    leader.signal('SIGCONT')
    await leader.logged('no longer publishing the market')
    for (const url of urls) await load.untilNewBlock(url)
    await check()
  })

  inFullRun('goes on with the other readers when one is killed', async () => {
    const { readers, urls } = await startAll()
    await readers[0]!.kill()
    await load.untilNewBlock(urls[1]!)
    const next = start('api')
    await next.logged('market loaded')
    await check([urls[0]!])
  })

  inFullRun.each([true, false])('survives a crash of Redis, persistent: %s', async (persists) => {
    const { urls } = await startAll({ persists })
    await redis.kill()
    while (!load.seen.slice(-4).every(({ code }) => code === 'STATE_STALE')) await sleep(20)
    await redis.restart()
    for (const url of urls) await load.untilNewBlock(url)
    await check()
  })

  inFullRun('loads again where a paused reader has missed more changes than are kept', async () => {
    const { readers, urls } = await startAll()
    readers[0]!.signal('SIGSTOP')
    const connection = connectRedis(redis.url)
    for (let round = 0; round < 3; round++) {
      await load.untilNewBlock(urls[1]!)
      await connection.send(['XTRIM', 'braid:{999}:changes', 'MAXLEN', '1'])
    }
    connection.close()
    readers[0]!.signal('SIGCONT')
    await load.untilNewBlock(urls[0]!)
    await readers[0]!.logged('the published market is loaded again')
    await check()
  })

  inFullRun(
    'is stale on the side of a partition that Redis is not on, and goes on after it',
    async () => {
      redis = await startRedis()
      load = startLoad(world)
      const partition = await openPartition(redis.url)
      const leader = start('indexer')
      await leader.logged('publishing the market')
      const [near, far] = [start('api'), start('api', partition.url)]
      const urls = [await urlOf(near), await urlOf(far)] as const
      for (const reader of [near, far]) await reader.logged('market loaded')
      urls.forEach(load.askAlways)
      for (const url of urls) await load.untilNewBlock(url)
      partition.cut()
      const isStale = ({ reader, code }: Seen) => reader === urls[1] && code === 'STATE_STALE'
      while (!load.seen.some(isStale)) await sleep(20)
      await load.untilNewBlock(urls[0])
      partition.heal()
      await load.untilNewBlock(urls[1])
      await check()
      partition.stop()
    },
  )
})
