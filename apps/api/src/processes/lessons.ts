/** Lessons of reverted swaps between processes, in Redis, where each process asks every second for what is new. */

import type { Lesson, Lessons } from '@braid-swap/chain'
import type { Hex } from '@braid-swap/core'
import { keyOf, type Redis, type Script } from '@braid-swap/feed'
import { z } from 'zod'
import { address } from '../config/configError.js'
import type { LiveMarket } from '../market/liveMarket.js'

/** Time between two reads. */
const READ_MS = 1_000
/** A process that starts learns what was told in this time, the first pause of a suspension. */
const KEPT_MS = 120_000
/** The most lessons kept. Without a limit, an attacker who creates pools could fill the memory. */
const MOST = 1_000

/** Has the venues of pools asked where the market is followed, from the lessons that reach this process. */
export function hearDoubts(lessons: Lessons | undefined, { doubt }: Pick<LiveMarket, 'doubt'>) {
  if (doubt) lessons?.listen(({ subject }) => doubt([subject]))
}

/** The market, whose doubts are told to the process that follows it if that is another one. */
export function withDoubts<M extends LiveMarket>(market: M, lessons: Lessons | undefined): M {
  if (market.doubt || !lessons) return market
  const doubt = (pools: readonly Hex[]) => {
    for (const subject of pools) lessons.tell({ subject })
  }
  return { ...market, doubt }
}

/** KEYS: lessons. ARGV: lesson as JSON, time that it is kept in ms, the most lessons. */
const TELL: Script = {
  text: `if redis.call('TYPE', KEYS[1]).ok ~= 'stream' then redis.call('DEL', KEYS[1]) end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], '*', 'lesson', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
}

/** KEYS: lessons. ARGV: id of the last one that was read, or '' at first; the age of the oldest that counts then. */
const READ: Script = {
  text: `local from = '(' .. ARGV[1]
if ARGV[1] == '' then
  local t = redis.call('TIME')
  from = string.format('%.0f', math.max(0, t[1] * 1000 + math.floor(t[2] / 1000) - ARGV[2]))
end
return redis.call('XRANGE', KEYS[1], from, '+')`,
}

type Entry = readonly [id: string, fields: readonly string[]]

/** A lesson as it is stored: another version, or a hand, may have written something else. */
const lessonSchema = z.object({
  subject: z.string().regex(/^0x([0-9a-f]{40}|[0-9a-f]{64})$/),
  reason: z.string().optional(),
  depth: z.number().optional(),
  by: z.string().optional(),
  flaw: z
    .object({
      address,
      code: z.string().startsWith('TOKEN_'),
      message: z.string(),
      holder: address.optional(),
    })
    .optional(),
})

/** The lesson of a text, or `undefined` if it is none. */
function readLesson(text: string | undefined): Lesson | undefined {
  try {
    return lessonSchema.parse(JSON.parse(text!)) as Lesson
  } catch {
    return undefined
  }
}

/**
 * The lessons of all processes of a chain that use this Redis. While it is away, each learns for itself. They are in a
 * stream, whose ids rise even if the clock of Redis is set back, so that each is read once. One that cannot be read is
 * left out.
 */
export function createRedisLessons(
  redis: Redis,
  { chainId, signal }: { readonly chainId: number; readonly signal: AbortSignal },
): Lessons {
  const keys = [keyOf(chainId, 'lessons')]
  return {
    tell: (lesson) =>
      void redis.run(TELL, keys, [JSON.stringify(lesson), `${KEPT_MS}`, `${MOST}`]).catch(() => {}),
    listen: (learn) => {
      let last = ''
      const read = async () => {
        const entries = await redis.run(READ, keys, [last, `${KEPT_MS}`])
        for (const [id, [, text]] of entries as readonly Entry[]) {
          last = id
          const lesson = readLesson(text)
          if (lesson) learn(lesson)
        }
      }
      const timer = setInterval(() => void read().catch(() => {}), READ_MS).unref()
      signal.addEventListener('abort', () => clearInterval(timer), { once: true })
      void read().catch(() => {})
    },
  }
}
