export type { Book } from './book.js'
export type { FeedRecord, RecordChanges, Refusal, StoredRecord } from './feed.js'
export {
  type ChangeHead,
  type Delivery,
  type FeedChange,
  FeedGapError,
  type MarketFeed,
  PublishRefusedError,
} from './feed.js'
export type { Loaded } from './followFeed.js'
export { type FollowFeedOptions, followFeed, loadPublished, type ReadMarket } from './followFeed.js'
export { type Lease, soleLease } from './lease.js'
export type { MemoryFeed } from './memoryFeed.js'
export { createMemoryFeed } from './memoryFeed.js'
export type { PublisherOptions } from './publishMarket.js'
export { createPublisher, type Publisher } from './publishMarket.js'
export type { Publication } from './readPublished.js'
export type { PublishedMarket, RecordValue } from './records.js'
export type { RedisOptions } from './redis/connection.js'
export { connectRedis, type Redis, RedisAwayError, type Reply } from './redis/connection.js'
export { deploymentOf, keyOf } from './redis/keys.js'
export type { RedisFeedOptions } from './redis/redisFeed.js'
export { createRedisFeed, type RedisFeed } from './redis/redisFeed.js'
export { createRedisLease, LEASE_MS, type RedisLease } from './redis/redisLease.js'
export type { Script } from './redis/scripts.js'
