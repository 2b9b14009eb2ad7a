import { type Client, countRequests, msPerRequest } from './client.js'
import { readHeader } from './headers.js'
import type { Head } from './refresh.js'

/** How to watch for heads. */
export type HeadsOptions = {
  /** Time between two questions, if the client's budget allows that many; default 1,000. */
  readonly pollMs?: number
  /** Ends the watch. */
  readonly signal?: AbortSignal
  /** A head is given again and again until it is settled, so that a failure is retried. */
  readonly isSettled?: (head: Head) => boolean
  /** A question that failed; the next one is asked all the same. Absent: it ends the watch. */
  readonly onError?: (error: unknown) => void
}

/**
 * The newest block, each time there is another one. Late heads coalesce: while the consumer works,
 * nothing is asked, and then only the newest is given. On a budget, the next question comes when
 * the requests since the last one have been earned back: a round never waits for its turn half-way.
 */
export async function* heads(client: Client, options: HeadsOptions = {}): AsyncGenerator<Head> {
  const { pollMs = 1000, signal, isSettled = () => true, onError } = options
  let last: Head | undefined
  while (!signal?.aborted) {
    const [askedAt, requests] = [performance.now(), countRequests(client)]
    try {
      const header = await readHeader(client, 'latest')
      const isNew = header.hash !== last?.header.hash
      if (isNew) last = { header, receivedAtMs: Date.now() }
      if (last && !signal?.aborted && (isNew || !isSettled(last))) yield last
    } catch (error) {
      if (!onError) throw error
      onError(error)
    }
    const earnedMs = (countRequests(client) - requests) * msPerRequest(client)
    await pause(Math.max(pollMs, earnedMs - (performance.now() - askedAt)), signal)
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
