/**
 * Ends a server without losing requests: answers all that arrived before, refuses what arrives later,
 * and does not wait longer than a limit.
 */
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A server that can be drained. */
export type Drain = {
  /** True if requests that arrive now are to be refused. */
  readonly isDraining: () => boolean
  /**
   * Stops listening and resolves when all requests are answered. Connections that are still busy
   * after `limitMs` are cut.
   */
  readonly drain: (limitMs: number) => Promise<void>
}

/** Quiet turns of the event loop after which everything that was sent has been read. */
const QUIET_TURNS = 3
/** Turns that are waited for at most, if clients never stop sending. */
const MAX_TURNS = 2_000
/** Time in which a client may still send on a connection that it holds idle; it is refused then. */
const IDLE_GRACE_MS = 250

/**
 * Prepares the drain of a server. Call it before the server listens. `passTurn` waits one turn of
 * another process that accepts the connections, if one does.
 */
export function createDrain(server: Server, passTurn: () => Promise<unknown> = nextTurn): Drain {
  const underWay = new Set<ServerResponse>()
  let isDraining = false
  let arrivals = 0
  server.on('connection', () => {
    arrivals += 1
  })
  server.prependListener('request', (_, response) => {
    arrivals += 1
    if (isDraining) response.shouldKeepAlive = false
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  const settle = async () => {
    for (let turn = 0, quiet = 0; quiet < QUIET_TURNS && turn < MAX_TURNS; turn++) {
      const before = arrivals
      await passTurn()
      await nextTurn()
      quiet = arrivals === before ? quiet + 1 : 0
    }
  }
  const drain = async (limitMs: number) => {
    const limit = new AbortController()
    const late = sleep(limitMs, undefined, { signal: limit.signal }).catch(() => {})
    // Connections that wait to be accepted, and requests that were sent before the end, are read.
    await Promise.race([settle(), late])
    isDraining = true
    for (const response of underWay) response.shouldKeepAlive = false
    // Not the method of the HTTP server, which cuts connections whose request is still on its way.
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(server, () => resolve())
    })
    const sweepAfterMs = Math.min(IDLE_GRACE_MS, limitMs / 2)
    let sweep: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), 50)
    }, sweepAfterMs)
    await Promise.race([closed, late])
    clearTimeout(first)
    clearInterval(sweep)
    server.closeAllConnections()
    limit.abort()
    await closed
  }
  return { isDraining: () => isDraining, drain }
}
