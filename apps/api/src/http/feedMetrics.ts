import { Gauge } from 'prom-client'
import type { MarketSource } from '../market/marketSource.js'
import type { OpenRedis } from '../processes/redis.js'
import type { Metrics } from './metrics.js'

/** Adds how the market is published, read and shared; nothing for a single process. */
export function addFeedMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  { source, redis }: { readonly source: MarketSource; readonly redis?: OpenRedis },
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read())
      },
    })
  const { publishing, reading } = source
  if (publishing.length > 0) {
    gauge('braid_feed_leads', '1 while this process publishes the market', () =>
      Number(publishing.every(({ epoch }) => epoch() !== undefined)),
    )
  }
  if (reading) {
    gauge(
      'braid_feed_sequence',
      'Last change of the market that was read',
      () => reading().sequence,
    )
    gauge('braid_feed_epoch', 'Term of the process that published it', () => reading().epoch)
    gauge(
      'braid_feed_interruptions',
      'Times that the market had to be loaded again',
      () => reading().interruptions,
    )
  }
  if (!redis) return
  const { feed, limiter } = redis
  gauge('braid_redis_up', '1 if Redis answered last', () => Number(feed.redis.isUp()))
  gauge('braid_redis_commands', 'Commands that Redis answered', () => feed.traffic().commands)
  gauge('braid_redis_sent_bytes', 'Bytes sent to Redis for the feed', () => feed.traffic().bytesOut)
  gauge(
    'braid_redis_received_bytes',
    'Bytes received from Redis for the feed',
    () => feed.traffic().bytesIn,
  )
  gauge('braid_limits_shared', '0 while each process keeps its part of the limits of keys', () =>
    Number(limiter.isShared()),
  )
  gauge('braid_limits_processes', 'Processes that share the limits of keys', limiter.processes)
}
