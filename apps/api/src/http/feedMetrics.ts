import type { SharedLimiter } from '../keys/redisLimiter.js'
import type { MarketSource } from '../market/marketSource.js'
import { addGauge, type InRegistry } from './readers.js'

/** What processes share in Redis, as the metrics see it. */
export type Shared = {
  readonly limiter: SharedLimiter
  readonly fault: () => string | undefined
}

/** Adds how the market is published, read and shared; nothing for a single process. */
export function addFeedMetrics(
  metrics: InRegistry,
  { source, redis }: { readonly source: MarketSource; readonly redis?: Shared | undefined },
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    addGauge(metrics, `braid_${name}`, help, read)
  const { publishing, interruptions } = source
  if (publishing) {
    gauge('feed_leads', '1 while this process publishes the market', () =>
      Number(publishing.epoch() !== undefined),
    )
  }
  if (interruptions) {
    const help = 'Times that the market had to be loaded again'
    gauge('feed_interruptions', help, interruptions)
  }
  if (!redis) return
  const { fault, limiter } = redis
  gauge('redis_up', '1 if Redis answered last', () => Number(fault() === undefined))
  gauge('limits_processes', 'Processes that share the limits of keys', limiter.processes)
}
