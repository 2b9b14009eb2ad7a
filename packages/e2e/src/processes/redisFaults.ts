/** Faults of Redis itself and of the keys in it: every process goes on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from '@braid-swap/feed'
import { type FaultKind, NOTHING } from './fault.js'
import type { TestService } from './testService.js'

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

/** The faults. */
export const redisFaults: readonly FaultKind[] = [
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
    name: 'an old copy of the keys is restored',
    cause: async ({ keys, readers }, holdMs) => {
      const copy = await keys.copy()
      await keys.renew(readers.map(({ url }) => url))
      await keys.restore(copy)
      await sleep(holdMs)
      return NOTHING
    },
  },
]
