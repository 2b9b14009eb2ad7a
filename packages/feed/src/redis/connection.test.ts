import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { connectRedis } from './connection.js'

const LIMIT_MS = 50

describeWithRedis('a connection to Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  it('takes an answer that came in time, though this process was busy when the time ended', async () => {
    const redis = connectRedis(server.url, { timeoutMs: LIMIT_MS })
    await redis.send(['PING'])
    const answer = redis.send(['PING'])
    // The command is sent in the next turn; then the process solves for longer than the limit.
    await new Promise(setImmediate)
    const endMs = performance.now() + 3 * LIMIT_MS
    while (performance.now() < endMs);
    expect(await answer).toBe('PONG')
    redis.close()
  })
})
