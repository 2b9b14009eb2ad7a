/** Faults of what is in Redis, of the keys and of those who ask: every process goes on. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from '@braid-swap/core/advanced'
import { connectRedis } from '@braid-swap/feed'
import { type FaultKind, killed, NOTHING } from './fault.js'
import type { TestService } from './testService.js'

/** Does something to a key of the published market in Redis. */
async function damage(
  { redis }: TestService,
  name: string,
  ...commands: readonly ((key: string) => readonly string[])[]
): Promise<void> {
  const connection = connectRedis(redis.url)
  const keys = (await connection.send(['KEYS', `braid:*:${name}`])) as string[]
  for (const key of keys) for (const command of commands) await connection.send([...command(key)])
  connection.close()
}

/** Of a record, which is JSON then no more. */
const CUT_CHARACTERS = 7
const HOUR_MS = 3_600_000
/** Amounts far beyond the depth of every pool: the dearest list of orders. */
const DEAR = Array.from({ length: 20 }, (_, i) => `${10n ** 30n + BigInt(i)}`).join(',')
const DEAR_CALLERS = 4

/** Longer than a bucket waits for Redis, and shorter than a lease lasts. */
const SLOW_MS = 400

/** Lets Redis refuse writes, or drop what it has, for want of memory. */
async function fillMemory({ redis }: TestService, policy: string, holdMs: number): Promise<void> {
  const connection = connectRedis(redis.url)
  const set = (name: string, value: string) => connection.send(['CONFIG', 'SET', name, value])
  await set('maxmemory-policy', policy)
  await set('maxmemory', '1')
  await sleep(holdMs)
  await set('maxmemory', '0')
  connection.close()
}

/** An id that no change of a leader has reached. */
const HUGE_ID = '9000000000000000-0'

/** The faults. */
export const redisFaults: readonly FaultKind[] = [
  {
    name: 'the published pools are deleted, and a reader is started again',
    killsReader: true,
    cause: async (service, holdMs) => {
      await damage(service, 'pools', (key) => ['DEL', key])
      await killed(service.readers[0], holdMs)
      return NOTHING
    },
  },
  {
    name: 'every published pool is cut short, and a reader is started again',
    killsReader: true,
    cause: async (service, holdMs) => {
      const connection = connectRedis(service.redis.url)
      const [key = ''] = (await connection.send(['KEYS', 'braid:*:pools'])) as string[]
      const fields = (await connection.send(['HGETALL', key])) as string[]
      const cut = fields.map((word, n) => (n % 2 === 0 ? word : word.slice(0, -CUT_CHARACTERS)))
      await connection.send(['HSET', key, ...cut])
      connection.close()
      await killed(service.readers[0], holdMs)
      return NOTHING
    },
  },
  {
    name: 'Redis refuses writes for want of memory',
    cause: async (service, holdMs) => {
      await fillMemory(service, 'noeviction', holdMs)
      return NOTHING
    },
  },
  {
    name: 'Redis drops everything for want of memory',
    cause: async (service, holdMs) => {
      await fillMemory(service, 'allkeys-random', holdMs)
      return NOTHING
    },
  },
  {
    name: 'Redis answers late',
    cause: async ({ redis }, holdMs) => {
      const connection = connectRedis(redis.url)
      const untilMs = performance.now() + holdMs
      while (performance.now() < untilMs) {
        await connection.send(['CLIENT', 'PAUSE', `${SLOW_MS}`, 'ALL'])
        await connection.send(['PING'])
      }
      connection.close()
      return NOTHING
    },
  },
  {
    name: 'the lease becomes of another type',
    cause: async (service, holdMs) => {
      await damage(service, 'lease', (key) => ['SET', key, 'damaged'])
      await sleep(holdMs)
      return NOTHING
    },
  },
  {
    name: 'a foreign change with a huge id is in the stream',
    cause: async (service, holdMs) => {
      await damage(service, 'changes', (key) => ['XADD', key, HUGE_ID, 'foreign', 'entry'])
      await sleep(holdMs)
      return NOTHING
    },
  },
  {
    name: 'the clock of Redis is set back by an hour',
    cause: async (service, holdMs) => {
      const until = `${Date.now() + HOUR_MS}`
      await damage(service, 'lease', (key) => ['HSET', key, 'holder', 'gone', 'until', until])
      await damage(service, 'limits:*', (key) =>
        key.endsWith(':processes') ? ['DEL', key] : ['SET', key, until],
      )
      await sleep(holdMs)
      return NOTHING
    },
  },
  {
    name: 'an old copy of the keys is restored',
    cause: async ({ keys, readers }, holdMs) => {
      const copy = await keys.copy()
      await keys.renew(readers.map(({ url }) => url))
      await keys.restore(copy)
      await sleep(holdMs)
      return NOTHING
    },
  },
  {
    name: 'a stored key cannot be read',
    cause: async (service, holdMs) => {
      const change = ['foreign', '{', 'version', 'changed']
      await damage(service, 'keys', (key) => ['HSET', key, ...change])
      await sleep(holdMs)
      await damage(service, 'keys', (key) => ['HDEL', key, 'foreign'])
      return NOTHING
    },
  },
  {
    name: 'a service of other venues publishes in the same Redis',
    cause: async ({ world, redis, chain }, holdMs) => {
      const venues = `${world.keysFile}.venues`
      await writeFile(venues, stringify(world.devnet.venues.slice(1)))
      const own = { BRAID_VENUES: venues, BRAID_RPC_URLS: chain.url, BRAID_KEYS_FILE: '' }
      const other = world.start('indexer', redis.url, own)
      await other.logged('publishing the market')
      await sleep(holdMs)
      await other.kill()
      return NOTHING
    },
  },
  {
    name: 'a key asks only the dearest orders',
    cause: async ({ world, keys, readers: [reader] }, holdMs) => {
      const untilMs = performance.now() + holdMs
      const [src, dst] = world.devnet.tokens.map(({ address }) => address)
      const query = new URLSearchParams({ src: src!, dst: dst!, amounts: DEAR })
      const url = `${reader.url}/swap/v1/999/quotes?${query}&includeNearest=true`
      const ask = async () => {
        while (performance.now() < untilMs) {
          const answer = await fetch(url, { headers: { apikey: keys.valid() } })
          await answer.arrayBuffer()
        }
      }
      await Promise.all(Array.from({ length: DEAR_CALLERS }, ask))
      return NOTHING
    },
  },
]
