import { connectRedis, type Redis } from '@braid-swap/feed'
import { type RedisServer, startRedis } from '@braid-swap/feed/testing'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** Starts a Redis for the tests of a block. What is in `closing` ends with each test, and `testSignal` aborts then. */
export function useRedis() {
  const closing: (() => void)[] = []
  const now: { server?: RedisServer; stop?: AbortController } = {}
  beforeAll(async () => {
    now.server = await startRedis()
  })
  beforeEach(() => {
    now.stop = new AbortController()
  })
  afterEach(() => {
    now.stop!.abort()
    for (const close of closing.splice(0)) close()
  })
  afterAll(() => now.server?.stop())
  return {
    server: () => now.server!,
    testSignal: (): AbortSignal => now.stop!.signal,
    closing,
    open: (): Redis => {
      const redis = connectRedis(now.server!.url)
      closing.push(redis.close)
      return redis
    },
  }
}
