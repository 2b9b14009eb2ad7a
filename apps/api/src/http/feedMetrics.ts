import type { RedisFeed } from '@braid-swap/feed'
import type { SharedLimiter } from '../keys/redisLimiter.js'
import type { MarketSource } from '../market/marketSource.js'
import { addGauge, type InRegistry } from './readers.js'

/** What processes share in Redis, as the metrics see it. */
export type Shared = { readonly feed: RedisFeed; readonly limiter: SharedLimiter }

/** Adds how the market is published, read and shared; nothing for a single process. */
export function addFeedMetrics(
  metrics: InRegistry,
  { source, redis }: { readonly source: MarketSource; readonly redis?: Shared | undefined },
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    addGauge(metrics, `braid_${name}`, help, read)
  const { publishing, reading } = source
  if (publishing) {
    gauge('feed_leads', '1 while this process publishes the market', () =>
      Number(publishing.epoch() !== undefined),
    )
  }
  if (reading) {
    gauge('feed_sequence', 'Last change of the market that was read', () => reading().sequence)
    gauge('feed_epoch', 'Term of the process that published it', () => reading().epoch)
    const help = 'Times that the market had to be loaded again'
    gauge('feed_interruptions', help, () => reading().interruptions)
  }
  if (!redis) return
  const { feed, limiter } = redis
  const traffic = feed.traffic
  gauge('redis_up', '1 if Redis answered last', () => Number(feed.redis.isUp()))
  gauge('redis_commands', 'Commands that Redis answered', () => traffic().commands)
  gauge('redis_sent_bytes', 'Bytes sent to Redis for the feed', () => traffic().bytesOut)
  gauge('redis_received_bytes', 'Bytes received from Redis for the feed', () => traffic().bytesIn)
  gauge('limits_shared', '0 while each process keeps its part of the limits of keys', () =>
    Number(limiter.isShared()),
  )
  gauge('limits_processes', 'Processes that share the limits of keys', limiter.processes)
}
