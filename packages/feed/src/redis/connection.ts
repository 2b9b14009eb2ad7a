/**
 * A connection to Redis that fails fast: each command has a time limit, nothing is queued while Redis
 * is away, and a command that is not answered in time replaces the connection, because a partition
 * does not close sockets. A command after a pause connects again.
 */
import { createHash } from 'node:crypto'
import { BaseError } from '@braid-swap/core'
import { createClient, ErrorReply } from '@redis/client'
import type { Script } from './scripts.js'

/** An answer of Redis, in version 2 of its protocol. */
export type Reply = string | number | null | readonly Reply[]

/** Bytes and commands that a connection has sent and received. */
export type Traffic = { commands: number; bytesOut: number; bytesIn: number }

/** A connection to Redis. */
export type Redis = {
  /** Throws a {@link RedisAwayError} if Redis does not answer in time, or the error that it answers. */
  readonly send: (words: readonly string[], timeoutMs?: number) => Promise<Reply>
  /** Runs a script, by its hash where Redis knows it. */
  readonly run: (
    script: Script,
    keys: readonly string[],
    words: readonly string[],
  ) => Promise<Reply>
  /** True if the last command was answered. */
  readonly isUp: () => boolean
  readonly traffic: Readonly<Traffic>
  /** Ends the commands that wait for an answer; the next one connects again. */
  readonly interrupt: () => void
  readonly close: () => void
}

/** Options of {@link connectRedis}. */
export type RedisOptions = {
  /** Time limit of a command; default 1,000. */
  readonly timeoutMs?: number
}

/** Time after a failed attempt during which commands fail at once. */
const REST_MS = 200

/** Prepares a connection to `redis[s]://[user:password@]host:port[/database]`. */
export function connectRedis(url: string, { timeoutMs = 1_000 }: RedisOptions = {}): Redis {
  const traffic: Traffic = { commands: 0, bytesOut: 0, bytesIn: 0 }
  let client: Promise<Connected> | undefined
  let restsUntilMs = 0
  let isUp = false
  let isClosed = false
  const drop = (dropped: Promise<Connected>) => {
    if (client !== dropped) return
    client = undefined
    dropped.then((one) => one.destroy()).catch(() => {})
  }
  const send = async (words: readonly string[], limitMs = timeoutMs) => {
    if (isClosed || (!client && performance.now() < restsUntilMs)) throw new RedisAwayError()
    client ??= open(url)
    const used = client
    try {
      const reply = (await withLimit(
        used.then((one) => one.sendCommand([...words])),
        limitMs,
      )) as Reply
      isUp = true
      traffic.commands += 1
      for (const word of words) traffic.bytesOut += Buffer.byteLength(word)
      traffic.bytesIn += sizeOf(reply)
      return reply
    } catch (error) {
      if (error instanceof ErrorReply) throw error
      if (client === used) {
        isUp = false
        restsUntilMs = performance.now() + REST_MS
      }
      drop(used)
      throw new RedisAwayError(error)
    }
  }
  const run = async (script: Script, keys: readonly string[], words: readonly string[]) => {
    const rest = [`${keys.length}`, ...keys, ...words]
    try {
      return await send(['EVALSHA', shaOf(script), ...rest])
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error
      return send(['EVAL', script.text, ...rest])
    }
  }
  const interrupt = () => {
    if (client) drop(client)
  }
  const close = () => {
    isClosed = true
    interrupt()
  }
  return { send, run, isUp: () => isUp, traffic, interrupt, close }
}

type Connected = Awaited<ReturnType<typeof open>>

async function open(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: 1_000, noDelay: true },
  })
  // Without a listener the event would end the process; the pending command fails as well.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** A timer that is later than this was kept waiting by this process, not by Redis. */
const LATE_MS = 20

/**
 * Rejects where work takes longer than `ms`. Time that this process was busy does not count: if a timer
 * is late, the answer may have come meanwhile, so it gets as long again to be read.
 */
async function withLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const wait = (limitMs: number) => {
      const dueMs = performance.now() + limitMs
      timer = setTimeout(() => {
        if (performance.now() > dueMs + LATE_MS) wait(LATE_MS)
        else reject(new Error(`no answer within ${ms} ms`))
      }, limitMs)
    }
    wait(ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function shaOf({ text }: Script): string {
  return createHash('sha1').update(text).digest('hex')
}

function sizeOf(reply: Reply): number {
  if (typeof reply === 'string') return Buffer.byteLength(reply)
  if (Array.isArray(reply)) return reply.reduce((sum: number, one: Reply) => sum + sizeOf(one), 0)
  return 0
}

/** Redis does not answer. */
export class RedisAwayError extends BaseError {
  readonly code = 'REDIS_AWAY'

  constructor(cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    super(`Redis does not answer${why}`, {}, cause)
  }
}
