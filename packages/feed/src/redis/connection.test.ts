import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { connectRedis } from './connection.js'

const LIMIT_MS = 50
/** For a command that only something else can end. */
const ENDLESS_MS = 3_600_000
/** For commands that may have to connect, on a busy machine. */
const PATIENT_MS = 10_000

describeWithRedis('a connection to Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  it('takes an answer that came in time, though this process was busy when the time ended', async () => {
    const redis = connectRedis(server.url, { timeoutMs: LIMIT_MS })
    await redis.send(['PING'], PATIENT_MS)
    const answer = redis.send(['PING'])
    // The command is sent in the next turn; then the process solves for longer than the limit.
    await new Promise(setImmediate)
    const endMs = performance.now() + 3 * LIMIT_MS
    while (performance.now() < endMs);
    expect(await answer).toBe('PONG')
    redis.close()
  })

  it('gives up a command that Redis does not answer in time, and works again with Redis', async () => {
    const redis = connectRedis(server.url, { timeoutMs: LIMIT_MS })
    const before = await redis.send(['CLIENT', 'ID'], PATIENT_MS)
    process.kill(server.pid(), 'SIGSTOP')
    const answer = redis.send(['PING'])
    await expect(answer).rejects.toMatchObject({
      code: 'REDIS_AWAY',
      message: `Redis does not answer: no answer within ${LIMIT_MS} ms`,
    })
    expect(redis.isUp()).toBe(false)
    process.kill(server.pid(), 'SIGCONT')
    // In a partition the old connection stays open and passes nothing, so another one is taken.
    const after = () => redis.send(['CLIENT', 'ID'], PATIENT_MS).catch(() => before)
    await expect.poll(after).not.toBe(before)
    expect(redis.isUp()).toBe(true)
    redis.close()
  })

  it('counts commands and bytes, and connects again after a pause', async () => {
    const redis = connectRedis(server.url)
    expect(await redis.send(['ECHO', 'höh'])).toBe('höh')
    expect(redis.traffic).toEqual({ commands: 1, bytesOut: 8, bytesIn: 4 })
    expect(await redis.send(['MGET', 'none', 'none'])).toEqual([null, null])
    await redis.send(['SET', 'a', 'bcd'])
    redis.interrupt()
    expect(await redis.send(['MGET', 'a', 'a'])).toEqual(['bcd', 'bcd'])
    expect(redis.traffic).toEqual({ commands: 4, bytesOut: 33, bytesIn: 12 })
    redis.close()
    await expect(redis.send(['PING'])).rejects.toMatchObject({ code: 'REDIS_AWAY' })
  })

  it.each(['interrupt', 'close'] as const)(
    'ends a command that waits, and its connection, on %s',
    async (end) => {
      const [redis, other] = [connectRedis(server.url), connectRedis(server.url)]
      const id = `${await redis.send(['CLIENT', 'ID'])}`
      const answer = redis.send(['BLPOP', 'none', '0'], ENDLESS_MS)
      const connections = async () => `${await other.send(['CLIENT', 'LIST'])}`
      await expect.poll(connections).toMatch(new RegExp(`^id=${id} .* cmd=blpop `, 'm'))
      redis[end]()
      // Redis is not away, so another command connects at once, and what ended before leaves that connection alone.
      const next = redis.send(['CLIENT', 'ID']).catch(() => 'closed')
      await expect(answer).rejects.toMatchObject({ code: 'REDIS_AWAY' })
      await expect.poll(connections).not.toMatch(new RegExp(`^id=${id} `, 'm'))
      expect([(await next) === 'closed', redis.isUp()]).toEqual([end === 'close', true])
      expect(await redis.send(['CLIENT', 'ID']).catch(() => 'closed')).toBe(await next)
      for (const { close } of [redis, other]) close()
    },
  )

  it('runs a script that Redis does not know yet, and tells what a script or a command refuses', async () => {
    const redis = connectRedis(server.url)
    const pair = { text: `return {KEYS[1], ARGV[1], ARGV[2]} -- ${Math.random()}` }
    for (const _ of [1, 2])
      expect(await redis.run(pair, ['k'], ['a', 'b'])).toEqual(['k', 'a', 'b'])
    const broken = { text: `return redis.error_reply('no')` }
    await expect(redis.run(broken, [], [])).rejects.toThrow('no')
    await expect(redis.send(['NONSENSE'])).rejects.toThrow('unknown command')
    expect(redis.isUp()).toBe(true)
    redis.close()
  })

  it('leaves no timer behind when it is answered', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')
    const redis = connectRedis(server.url, { timeoutMs: 60_000 })
    await redis.send(['PING'])
    const before = timers().length
    for (let n = 0; n < 10; n++) await redis.send(['PING'])
    expect(timers().length).toBeLessThan(before + 10)
    redis.close()
  })
})
