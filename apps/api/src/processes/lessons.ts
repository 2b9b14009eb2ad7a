/**
 * Lessons of reverted swaps between processes: over Node's IPC by way of the parent, or in Redis, where each process
 * asks every second for what is new.
 */
import { type Channel, keyOf, type Redis, type Script } from '@braid-swap/feed'
import type { Lesson, Lessons } from '../quoting/suspensions.js'

const NAME = 'braid lesson'
/** Time between two reads. */
const READ_MS = 1_000
/** A process that starts learns what was told in this time, the first pause of a suspension. */
const KEPT_MS = 120_000
/** Told in the same millisecond as the last read, or with a clock set back. */
const OVERLAP_MS = 2_000
/** The most lessons kept. Without a limit, an attacker who creates pools could fill the memory. */
const MOST = 1_000

type Message = { readonly lesson: typeof NAME; readonly is: Lesson }

/** The lessons of the other workers of this machine. */
export function createParentLessons(channel: Channel): Lessons {
  return {
    tell: (is) => void channel.send({ lesson: NAME, is } satisfies Message).catch(() => {}),
    listen: (learn) =>
      void channel.listen((message) => {
        const { lesson, is } = message as Message
        if (lesson === NAME) learn(is)
      }),
  }
}

/** Passes what a worker tells on to the others. */
export function relayLessons(channel: Channel, others: () => Iterable<Channel>): void {
  channel.listen((message) => {
    if ((message as Message).lesson !== NAME) return
    for (const other of others()) void other.send(message as Message).catch(() => {})
  })
}

/** KEYS: lessons. ARGV: lesson as JSON, time that it is kept in ms, the most lessons. */
const TELL: Script = {
  text: `local t = redis.call('TIME')
redis.call('ZADD', KEYS[1], t[1] * 1000 + math.floor(t[2] / 1000), ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
}

/** KEYS: lessons. ARGV: time of the last read, or 0; the age of the oldest lesson. Returns the time and the lessons. */
const READ: Script = {
  text: `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
return {now, redis.call('ZRANGEBYSCORE', KEYS[1], math.max(now - ARGV[2], tonumber(ARGV[1])), '+inf')}`,
}

/** The lessons of all processes of a chain that use this Redis. While it is away, each learns for itself. */
export function createRedisLessons(
  redis: Redis,
  { chainId, signal }: { readonly chainId: number; readonly signal: AbortSignal },
): Lessons {
  const keys = [keyOf(chainId, 'lessons')]
  return {
    tell: (lesson) =>
      void redis.run(TELL, keys, [JSON.stringify(lesson), `${KEPT_MS}`, `${MOST}`]).catch(() => {}),
    listen: (learn) => {
      let since = 0
      const read = async () => {
        const reply = await redis.run(READ, keys, [`${since}`, `${KEPT_MS}`])
        const [now, lessons] = reply as readonly [number, readonly string[]]
        since = now - OVERLAP_MS
        for (const text of lessons) learn(JSON.parse(text))
      }
      const timer = setInterval(() => void read().catch(() => {}), READ_MS).unref()
      signal.addEventListener('abort', () => clearInterval(timer), { once: true })
      void read().catch(() => {})
    },
  }
}
