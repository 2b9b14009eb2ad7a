/**
 * A connection to Redis that fails fast: each command has a time limit, nothing is queued while Redis
 * is away, and a command that is not answered in time, or refused by the state of Redis, replaces the connection:
 * a partition does not close sockets, and another address may be the one that takes writes. A command after a pause
 * connects again.
 */
import { createHash } from 'node:crypto'
import { BaseError } from '@braid-swap/core'
import { createClient, ErrorReply } from '@redis/client'
import type { Script } from './scripts.js'

/** An answer of Redis, in version 2 of its protocol. */
export type Reply = string | number | null | readonly Reply[]

/** A connection to Redis. */
export type Redis = {
  /** Throws a {@link RedisAwayError} if Redis does not answer in time or serves nobody, else the error that it answers. */
  readonly send: (words: readonly string[], timeoutMs?: number) => Promise<Reply>
  /** Runs a script, by its hash where Redis knows it. */
  readonly run: (
    script: Script,
    keys: readonly string[],
    words: readonly string[],
  ) => Promise<Reply>
  /** Why the last command was not answered; undefined if it was, or there was none. */
  readonly fault: () => string | undefined
  /** Commands that were answered. */
  readonly commands: () => number
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

/**
 * Answers that speak of Redis, not of the command: of a password or a role that was changed, a start, a failover, a
 * full memory or disk, too many clients. A script passes them on after its own words.
 */
const REFUSES =
  /(^|-)(WRONGPASS|NOAUTH|NOPERM|MOVED|ASK|CLUSTERDOWN|TRYAGAIN|READONLY|MASTERDOWN|LOADING|BUSY|OOM|MISCONF|NOREPLICAS|ERR max number of clients)\b/

/** Prepares a connection to `redis[s]://[user:password@]host:port[/database]`. */
export function connectRedis(url: string, { timeoutMs = 1_000 }: RedisOptions = {}): Redis {
  let commands = 0
  let client: Opened | undefined
  let restsUntilMs = 0
  let away: RedisAwayError | undefined
  let isClosed = false
  const drop = (dropped: Opened) => {
    if (client !== dropped) return
    client = undefined
    // Also one that is still being opened: what takes connections and answers nothing would keep each.
    dropped.client.destroy()
    // Its socket may not have been there yet.
    dropped.connected.then(() => dropped.client.destroy()).catch(() => {})
  }
  const send = async (words: readonly string[], limitMs = timeoutMs) => {
    if (isClosed || (!client && performance.now() < restsUntilMs))
      throw away ?? new RedisAwayError()
    client ??= open(url)
    const used = client
    let isOpen = false
    const answer: Promise<unknown> = used.connected.then(() => {
      isOpen = true
      return used.client.sendCommand([...words])
    })
    try {
      const reply = (await withLimit(answer, limitMs)) as Reply
      away = undefined
      commands += 1
      return reply
    } catch (error) {
      // What Redis answers to a connection that is being opened is of no command.
      if (error instanceof ErrorReply && isOpen && !REFUSES.test(error.message)) {
        away = undefined
        throw error
      }
      const fault = new RedisAwayError(error)
      if (client === used) {
        away = fault
        restsUntilMs = performance.now() + REST_MS
      }
      drop(used)
      throw fault
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
  return { send, run, fault: () => away?.message, commands: () => commands, interrupt, close }
}

type Opened = ReturnType<typeof open>

function open(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: 1_000, noDelay: true },
  })
  // Without a listener the event would end the process; the pending command fails as well.
  client.on('error', () => {})
  return { client, connected: client.connect() }
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

/** Redis does not answer, or refuses whatever it is asked. */
export class RedisAwayError extends BaseError {
  readonly code = 'REDIS_AWAY'

  constructor(cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    super(`Redis ${cause instanceof ErrorReply ? 'refuses' : 'does not answer'}${why}`, {}, cause)
  }
}
