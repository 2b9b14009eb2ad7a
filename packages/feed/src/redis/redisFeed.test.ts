import { afterAll, beforeAll } from 'vitest'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { describeFeed } from '../testing/feedConformance.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { createRedisFeed } from './redisFeed.js'
import { createRedisLease } from './redisLease.js'

describeWithRedis('Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  describeFeed('Redis', async () => {
    const { url } = server
    const reader = createRedisFeed({ url, chainId: 999 })
    await reader.redis.send(['FLUSHALL'])
    const lease = createRedisLease(reader.redis, { chainId: 999 })
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
  })
})
