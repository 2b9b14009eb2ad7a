/**
 * Lists the faults of a service of several processes, one a function: it causes the fault, holds
 * it, ends it, and says what it measured. The tests run each alone, the soak all in random order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from '@braid-swap/feed'
import { noQuirks, type Quirks } from '@braid-swap/worlds/node'
import { type FaultKind, killed, NOTHING } from './fault.js'
import { redisFaults } from './redisFaults.js'
import type { Member, TestService } from './testService.js'

/** The time until the second reader, which no fault touches, answers from a newer block. */
async function failover({ load, readers }: TestService, cause: () => Promise<void>) {
  const startMs = performance.now()
  await cause()
  const { atMs } = await load.untilNewBlock(readers[1].url)
  return atMs - startMs
}

async function cut({ redis, node }: Member, to: 'redis' | 'node', holdMs: number): Promise<void> {
  const link = to === 'redis' ? redis : node!
  link.cut()
  await sleep(holdMs)
  link.heal()
}

/** Trims of the stream while a reader is paused. */
const TRIMS = 3

const REPLACED_BLOCKS = 20

const NODE_FAULTS: Partial<Quirks> = {
  ...{ latencyMs: [0, 100], cutChance: 0.02, brokenChance: 0.04, nullChance: 0.03 },
  ...{ notFoundChance: 0.03, backends: 2, blocksBehind: 2 },
}

/** All kinds of faults. */
export const faultKinds: readonly FaultKind[] = [
  {
    name: 'the leader is killed',
    cause: async (service, holdMs) => {
      const leader = service.leader()
      const failoverMs = await failover(service, () => leader.process().kill())
      await sleep(holdMs)
      await leader.start()
      return { failoverMs }
    },
  },
  {
    name: 'the standby is killed',
    cause: async ({ standby }, holdMs) => {
      await killed(standby(), holdMs)
      return NOTHING
    },
  },
  {
    name: 'a reader is killed',
    killsReader: true,
    cause: async ({ readers }, holdMs) => {
      await killed(readers[0], holdMs)
      return NOTHING
    },
  },
  {
    name: 'Redis is killed, and has what it persisted afterwards',
    cause: async ({ redis }, holdMs) => {
      await redis.kill()
      await sleep(holdMs)
      await redis.restart()
      return NOTHING
    },
  },
  {
    name: 'Redis is killed, and is empty afterwards',
    cause: async ({ redis }, holdMs) => {
      await redis.kill()
      await redis.wipe()
      await sleep(holdMs)
      await redis.restart()
      return NOTHING
    },
  },
  {
    name: 'a partition between a reader and Redis',
    cause: async ({ readers }, holdMs) => {
      await cut(readers[0], 'redis', holdMs)
      return NOTHING
    },
  },
  {
    name: 'a partition between a reader and its node',
    cause: async ({ readers }, holdMs) => {
      await cut(readers[1], 'node', holdMs)
      return NOTHING
    },
  },
  {
    name: 'a partition between the leader and Redis',
    cause: async (service, holdMs) => {
      const { redis } = service.leader()
      const failoverMs = await failover(service, async () => redis.cut())
      await sleep(holdMs)
      redis.heal()
      return { failoverMs }
    },
  },
  {
    name: 'a partition between the leader and its node',
    cause: async ({ leader }, holdMs) => {
      await cut(leader(), 'node', holdMs)
      return NOTHING
    },
  },
  {
    name: 'a partition between the standby and Redis',
    cause: async ({ standby }, holdMs) => {
      await cut(standby(), 'redis', holdMs)
      return NOTHING
    },
  },
  {
    name: 'the leader is paused past its lease',
    cause: async (service, holdMs) => {
      const leader = service.leader().process()
      const failoverMs = await failover(service, async () => leader.signal('SIGSTOP'))
      await sleep(holdMs)
      leader.signal('SIGCONT')
      return { failoverMs }
    },
  },
  {
    name: 'a paused reader misses more changes than are kept',
    cause: async ({ readers, redis, load }, holdMs) => {
      const [paused, other] = readers
      paused.process().signal('SIGSTOP')
      const connection = connectRedis(redis.url)
      const [changes = ''] = (await connection.send(['KEYS', 'braid:*:changes'])) as string[]
      for (let round = 0; round < TRIMS; round++) {
        await load.untilNewBlock(other.url)
        await connection.send(['XTRIM', changes, 'MAXLEN', '1'])
        await sleep(holdMs / TRIMS)
      }
      connection.close()
      paused.process().signal('SIGCONT')
      return NOTHING
    },
  },
  {
    name: 'every node answers late, wrongly, in part or not at all',
    cause: async ({ chain }, holdMs) => {
      chain.set(NODE_FAULTS)
      await sleep(holdMs)
      chain.set(noQuirks)
      return NOTHING
    },
  },
  {
    name: 'the chain is reorganised',
    cause: async ({ chain, load }) => {
      // Nobody sees the blocks between, whose right answers nobody knows.
      chain.set({ cutChance: 1 })
      await load.reorganise(REPLACED_BLOCKS)
      chain.set({ cutChance: 0 })
      return NOTHING
    },
  },
  {
    name: 'a reader is ended by a signal and started again',
    killsReader: true,
    cause: async ({ readers: [reader] }, holdMs) => {
      reader.process().signal('SIGTERM')
      await reader.process().ended
      await sleep(holdMs)
      await reader.start()
      return NOTHING
    },
  },
  ...redisFaults,
]
