import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '../testing/describeWithRedis.js'
import { type RedisServer, startRedis } from '../testing/redisServer.js'
import { connectRedis } from './connection.js'

const LIMIT_MS = 50
/** For a command that only something else can end. */
const ENDLESS_MS = 3_600_000
/** For commands that may have to connect, on a busy machine. */
const PATIENT_MS = 10_000

/** What Redis answers while it serves nobody, or not this process. */
const REFUSALS = [
  'WRONGPASS invalid username-password pair or user is disabled.',
  'NOAUTH Authentication required.',
  "NOPERM User default has no permissions to run the 'ping' command",
  'MOVED 3999 127.0.0.1:6381',
  "READONLY You can't write against a read only replica.",
  'MASTERDOWN Link with MASTER is down',
  'LOADING Redis is loading the dataset in memory',
  "OOM command not allowed when used memory > 'maxmemory'.",
  'MISCONF Redis is configured to save RDB snapshots, but is currently unable to persist on disk',
  'NOREPLICAS Not enough good replicas to write.',
  'CLUSTERDOWN The cluster is down',
  'BUSY Redis is busy running a script.',
  'ERR max number of clients reached',
  'ERR Error running script (call to f_1): @user_script:4: -OOM command not allowed',
]

/** A Redis that answers PONG or, to all or to what comes after connecting, an error. It is silent for an empty one. */
async function startRefusing() {
  const sockets = new Set<Socket>()
  let refusal: { readonly text: string; readonly isLate: boolean } | undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (refusal?.text.startsWith('ERR max')) socket.end(`-${refusal.text}\r\n`)
    socket.on('data', (bytes) => {
      for (const [, word = ''] of `${bytes}`.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (refusal?.text === '') continue
        if (refusal && !(refusal.isLate && word !== 'PING')) socket.write(`-${refusal.text}\r\n`)
        else socket.write(word === 'PING' ? '+PONG\r\n' : '+OK\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://:good@127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    refuse: (text?: string, isLate = false) => {
      refusal = text === undefined ? undefined : { text, isLate }
      if (!isLate && text !== undefined) for (const socket of sockets) socket.destroy()
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

it.each(['while a process connects', 'later'])(
  'is away while it refuses, %s, tells why, and is used again when it is well',
  async (moment) => {
    const cases = REFUSALS.map(async (text) => {
      const server = await startRefusing()
      const redis = connectRedis(server.url)
      const ask = () => redis.send(['PING']).catch(({ code }) => code)
      await expect.poll(ask).toBe('PONG')
      server.refuse(text, moment === 'later')
      // What Redis says to one client too many goes with the connection.
      const told = text.startsWith('ERR max') ? /^Redis / : `Redis refuses: ${text}`
      await expect
        .poll(async () => [await ask(), redis.fault()])
        .toEqual(['REDIS_AWAY', typeof told === 'string' ? told : expect.stringMatching(told)])
      expect(await ask()).toBe('REDIS_AWAY')
      server.refuse()
      await expect.poll(ask).toBe('PONG')
      expect(redis.fault()).toBeUndefined()
      redis.close()
      server.stop()
    })
    await Promise.all(cases)
  },
)

it('that takes connections and answers nothing keeps none of them', async () => {
  const server = await startRefusing()
  server.refuse('')
  const redis = connectRedis(server.url, { timeoutMs: LIMIT_MS })
  for (let n = 0; n < 4; n++) {
    await expect(redis.send(['PING'])).rejects.toMatchObject({ code: 'REDIS_AWAY' })
    await sleep(220)
  }
  await expect.poll(server.open).toBe(0)
  redis.close()
  server.stop()
})

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
    // The command is sent in the next turn; then this thread stands still for longer than the limit, and leaves
    // Redis the processor, so that its answer is there long before.
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * LIMIT_MS)
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
    expect(redis.fault()).toContain('no answer within')
    process.kill(server.pid(), 'SIGCONT')
    // In a partition the old connection stays open and passes nothing, so another one is taken.
    const after = () => redis.send(['CLIENT', 'ID'], PATIENT_MS).catch(() => before)
    await expect.poll(after).not.toBe(before)
    expect(redis.fault()).toBeUndefined()
    redis.close()
  })

  it('counts commands, and connects again after a pause', async () => {
    const redis = connectRedis(server.url)
    expect(await redis.send(['ECHO', 'höh'])).toBe('höh')
    expect(redis.commands()).toBe(1)
    expect(await redis.send(['MGET', 'none', 'none'])).toEqual([null, null])
    await redis.send(['SET', 'a', 'bcd'])
    redis.interrupt()
    expect(await redis.send(['MGET', 'a', 'a'])).toEqual(['bcd', 'bcd'])
    expect(redis.commands()).toBe(4)
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
      expect([(await next) === 'closed', redis.fault()]).toEqual([end === 'close', undefined])
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
    expect(redis.fault()).toBeUndefined()
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
