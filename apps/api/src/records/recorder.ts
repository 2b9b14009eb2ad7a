/**
 * Writes what the API answered, one JSON object a line, to a place: what an operator needs to compare
 * quotes with what was received later. A request never waits for it, and a place that takes nothing
 * costs a bounded amount of memory: beyond it, records are dropped and counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RecordPlace } from './recordPlace.js'

/** Takes records. */
export type Recorder = {
  /** Keeps a record for writing, or drops it if too much waits. */
  readonly add: (record: object) => void
  /** Records dropped since the start. */
  readonly dropped: () => number
  /** Writes what waits, as far as the place takes it within `limitMs`. */
  readonly close: (limitMs: number) => Promise<void>
}

/** Options of {@link openRecorder}; the defaults are right for production. */
export type RecorderOptions = {
  readonly log: Pick<Logger, 'warn'>
  /** Bytes that may wait. */
  readonly limitBytes?: number
  /** Time between two attempts to write, and after a failure. */
  readonly pauseMs?: number
}

/** Bytes of one batch, at most; a line that is larger is a batch. */
const BATCH_BYTES = 1 << 20

/** Starts to write to a place, which gets batches of whole lines. */
export function openRecorder(write: RecordPlace, options: RecorderOptions): Recorder {
  const { log, limitBytes = 16 << 20, pauseMs = 1_000 } = options
  const ending = new AbortController()
  const waiting: string[] = []
  let waitingBytes = 0
  let dropped = 0
  let hasFailed = false
  const flush = async () => {
    const batch = takeBatch(waiting)
    if (batch.length === 0) return
    const text = batch.join('')
    try {
      await write(text)
      hasFailed = false
      waitingBytes -= Buffer.byteLength(text)
    } catch (error) {
      waiting.unshift(...batch)
      if (!hasFailed) log.warn({ err: error }, 'records cannot be written')
      hasFailed = true
    }
  }
  const flushAll = async () => {
    do await flush()
    while (waiting.length > 0 && !hasFailed)
  }
  const ended = (async () => {
    while (!ending.signal.aborted) {
      await sleep(pauseMs, undefined, { ref: false, signal: ending.signal }).catch(() => {})
      await flushAll()
    }
    await flushAll()
  })()
  return {
    add: (record) => {
      const line = `${JSON.stringify(record)}\n`
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > limitBytes) {
        dropped += 1
        return
      }
      waiting.push(line)
      waitingBytes += bytes
    },
    dropped: () => dropped,
    close: async (limitMs) => {
      ending.abort()
      await Promise.race([ended, sleep(limitMs, undefined, { ref: false })])
    },
  }
}

/** Removes the first lines, up to the size of a batch and at least one. */
function takeBatch(waiting: string[]): readonly string[] {
  let bytes = 0
  let count = 0
  while (count < waiting.length && (count === 0 || bytes < BATCH_BYTES)) {
    bytes += waiting[count]!.length
    count += 1
  }
  return waiting.splice(0, count)
}
