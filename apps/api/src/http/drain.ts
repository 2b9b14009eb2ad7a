/**
 * Ends a server without losing requests: answers all that arrived before, refuses what arrives later, asks every client
 * from the first moment to close its connection, and does not wait longer than a limit.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A server that can be drained. */
export type Drain = {
  /** True if a request came after the end began and is to be refused. */
  readonly isDraining: (request: IncomingMessage) => boolean
  /**
   * Stops listening and resolves when all requests are answered. Connections that are still busy
   * after `limitMs` are cut.
   */
  readonly drain: (limitMs: number) => Promise<void>
}

/** Quiet turns of the event loop after which everything that was sent has been read. */
const QUIET_TURNS = 6
/** Turns in which new connections are served: one is accepted in a turn, and 511 can wait (Node's backlog). */
const MAX_TURNS = 520
/** Time in which a client may still send on a connection that it holds idle; it is refused then. */
const IDLE_GRACE_MS = 1_000

/** Prepares the drain of a server. Call it before the server listens. */
export function createDrain(server: Server): Drain {
  const underWay = new Set<ServerResponse>()
  const late = new WeakSet<IncomingMessage>()
  /** Connections that were accepted after the end began; they may have waited since before. */
  const accepted = new WeakSet<object>()
  let [isEnding, isRead, isDraining] = [false, false, false]
  let arrivals = 0
  server.on('connection', (socket) => {
    arrivals += 1
    if (isEnding) accepted.add(socket)
  })
  server.prependListener('request', (request, response) => {
    arrivals += 1
    if (isEnding) response.shouldKeepAlive = false
    if (isDraining || (isRead && !accepted.has(request.socket))) late.add(request)
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  const settle = async (maxTurns: number, limit: AbortSignal) => {
    for (let turn = 0, quiet = 0; quiet < QUIET_TURNS && turn < maxTurns; turn++) {
      if (limit.aborted) return
      const before = arrivals
      await nextTurn()
      quiet = arrivals === before ? quiet + 1 : 0
      // What was sent on an open connection before the end has been read.
      if (turn >= QUIET_TURNS) isRead = true
    }
  }
  const drain = async (limitMs: number) => {
    const limit = new AbortController()
    const { signal } = limit
    const limited = sleep(limitMs, undefined, { signal })
      .catch(() => {})
      .then(() => limit.abort())
    isEnding = true
    for (const response of underWay) response.shouldKeepAlive = false
    // Connections that wait to be accepted, and requests that were sent before the end, are read.
    await Promise.race([settle(MAX_TURNS, signal), limited])
    isDraining = true
    // A connection that waits to be accepted when the server stops listening is reset, so those that still come are
    // accepted and refused until none comes.
    await Promise.race([settle(Number.POSITIVE_INFINITY, signal), limited])
    // Not the method of the HTTP server, which cuts connections whose request is still on its way.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve())
    })
    const sweepAfterMs = Math.min(IDLE_GRACE_MS, limitMs / 2)
    let sweep: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), 50)
    }, sweepAfterMs)
    await Promise.race([closed, limited])
    clearTimeout(first)
    clearInterval(sweep)
    server.closeAllConnections()
    limit.abort()
    await closed
  }
  return { isDraining: (request) => late.has(request), drain }
}
