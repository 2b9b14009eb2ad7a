/** Opens the data of a process in Redis, by its role: the feed, the keys, the buckets of the keys. */
import { randomUUID } from 'node:crypto'
import type { Lessons } from '@braid-swap/chain'
import { steadyMs } from '@braid-swap/chain'
import {
  connectRedis,
  createRedisFeed,
  createRedisLease,
  deploymentOf,
  type Redis,
  type RedisFeed,
} from '@braid-swap/feed'
import type { ApiConfig } from '../config/config.js'
import { createSharedLimiter, type SharedLimiter } from '../keys/redisLimiter.js'
import type { PublishTo } from '../market/publishing.js'
import { createRedisLessons } from './lessons.js'

/** The parts of Redis that a process uses. */
export type OpenRedis = {
  readonly feed: RedisFeed
  /** Receives its market, if it follows the chain. */
  readonly publishTo?: PublishTo
  /** The buckets of the keys. */
  readonly limiter: SharedLimiter
  /** What reverts teach the processes. */
  readonly lessons: Lessons
  /** A connection for the buckets, whose commands must not wait behind others. */
  readonly redis: Redis
  /** A connection for the keys, which may take longer than a request can wait. */
  readonly keys: Redis
  /** Why one of the connections is not answered, if one is not. */
  readonly fault: () => string | undefined
  readonly close: () => void
}

/** Time limit of a command on the way of a request. */
const REQUEST_MS = 250

/** Names the Redis, and the process that uses it. */
type RedisOptions = Pick<ApiConfig, 'redisUrl' | 'role' | 'router' | 'wrappedNative' | 'venues'> & {
  readonly chainId: number
  readonly signal: AbortSignal
}

/**
 * Starts something with Redis open, `undefined` if the settings name none. Closes it if the start
 * fails, because open connections would keep the process.
 */
export async function startWithRedis<T>(
  options: RedisOptions,
  start: (redis: OpenRedis | undefined) => Promise<T>,
): Promise<T> {
  const redis = openRedis(options)
  try {
    return await start(redis)
  } catch (error) {
    redis?.close()
    throw error
  }
}

/** Opens Redis for a process; `undefined` if its settings name none. */
export function openRedis(options: RedisOptions): OpenRedis | undefined {
  const { redisUrl: url, chainId, role, signal } = options
  if (url === undefined) return undefined
  const holder = randomUUID()
  const redis = connectRedis(url, { timeoutMs: REQUEST_MS })
  const keys = connectRedis(url)
  const deployment = deploymentOf(options)
  const feed = createRedisFeed({ url, chainId, deployment, holder })
  const lease = createRedisLease(feed.redis, { chainId, deployment, holder })
  const limiter = createSharedLimiter(redis, { chainId, process: holder, signal, now: steadyMs })
  const close = () => {
    for (const one of [feed, redis, keys]) one.close()
  }
  return {
    feed,
    redis,
    keys,
    limiter,
    lessons: createRedisLessons(redis, { chainId, signal }),
    fault: () => feed.redis.fault() ?? redis.fault() ?? keys.fault(),
    close,
    ...(role !== 'api' && { publishTo: { feed, lease } }),
  }
}
