// Watches for new blocks by polling, woken early by `newHeads` notifications over WebSocket.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, refillMs } from '../transport/client.js'
import { type Header, readHeader } from './headers.js'
import { subscribeHeads } from './headSubscription.js'
import { steadyMs } from './steadyClock.js'

/** The options of {@link watchHeads}. */
export type HeadsOptions = {
  /** Poll interval if the client's rate limit allows it; default 1,000. */
  readonly pollMs?: number
  /** Ends the watch. */
  readonly signal?: AbortSignal
  /** A head is yielded again until this returns true, so that a failure is retried. */
  readonly isDone?: (head: Head) => boolean
  /** Receives the error of a failed poll; polling continues. Absent: the error ends the watch. */
  readonly onError?: (error: unknown) => void
}

/**
 * Yields the newest block whenever it changes. Late heads coalesce: nothing is polled while the
 * consumer works, and afterwards only the newest block is yielded. With a rate limit, the next poll
 * waits until a round's requests can be sent at once, so that a round never stalls half-way, and a little
 * longer while there is no reserve, so that other reads between two rounds delay none.
 */
export async function* watchHeads(
  client: Client,
  options: HeadsOptions = {},
): AsyncGenerator<Head> {
  const { pollMs = 1000, signal, isDone = () => true, onError } = options
  let last: Head | undefined
  const newHeads = subscribeHeads(client)
  signal?.addEventListener('abort', newHeads.stop, { once: true })
  while (!signal?.aborted) {
    const askedAt = performance.now()
    const sinceMs = () => performance.now() - askedAt
    newHeads.asking()
    try {
      const header = await readHeader(client, 'latest')
      const isNew = header.hash !== last?.header.hash
      if (isNew) last = { header, receivedAtMs: steadyMs() }
      if (last && !signal?.aborted && (isNew || !isDone(last))) yield last
    } catch (error) {
      if (!onError) throw error
      onError(error)
    }
    while (!signal?.aborted) {
      const reserveMs = Math.min(refillMs(client, RESERVE), RESERVE_MS - sinceMs())
      const leastMs = Math.max(refillMs(client, ROUND), reserveMs)
      if (leastMs <= 0) break
      await pause(leastMs, signal)
    }
    const untilPoll = new AbortController()
    const idleMs = newHeads.isLive() ? Math.max(pollMs, LIVE_POLL_MS) : pollMs
    await Promise.race([newHeads.next(), pause(idleMs - sinceMs(), untilPoll.signal)])
    untilPoll.abort()
  }
}

/** Requests of a round: the head, and its receipts or logs. */
const ROUND = 2
/** Requests that may be sent at once while all is well: those of a round, and of an audit or a trial after it. */
export const RESERVE = 8
/** Milliseconds from one poll to the next that the reserve may take. */
const RESERVE_MS = 1_800

/** Poll interval while notifications arrive: a notification may be late or lost. */
const LIVE_POLL_MS = 3_000

/** Resolves after the time, or as soon as the signal aborts, for which alone a sleep fails. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

/** A new block and when it was first seen. */
export type Head = {
  readonly header: Header
  /** Milliseconds of {@link steadyMs}. */
  readonly receivedAtMs: number
}
