// A crowd of connections that ask as fast as they can, driven by autocannon. Times are not its task:
// it knows no orders, and its rates come in bursts at the beginning of each second.

import { once } from 'node:events'
import autocannon from 'autocannon'

/** A crowd. */
export type Crowd = {
  readonly url: string
  readonly paths: readonly string[]
  readonly key?: string
  readonly connections: number
  readonly seconds: number
}

/** A crowd that asks: when its first answer came, and how many of each status it got in the end. */
export type Asking = {
  readonly begun: Promise<void>
  readonly statuses: Promise<Readonly<Record<number, number>>>
}

/**
 * Lets a crowd ask. To set up hundreds of connections takes about a second, in which this process does
 * nothing else: measure from `begun` on, or the times are those of this process.
 */
export function crowd(load: Crowd): Asking {
  const { url, paths, key, connections, seconds } = load
  const headers = key === undefined ? {} : { apikey: key }
  const statuses: Record<number, number> = {}
  let offset = 0
  const options: autocannon.Options = {
    ...{ url, connections, duration: seconds, headers, timeout: 60 },
    setupClient: (client) => {
      // Each connection begins elsewhere, so that they do not all ask for the same order.
      const from = (offset++ * 7) % paths.length
      const turned = [...paths.slice(from), ...paths.slice(0, from)]
      client.setRequests(turned.map((path) => ({ path, method: 'GET', headers })))
    },
  }
  let tellEnd: (error: Error | null) => void
  const ended = new Promise<typeof statuses>((resolve, reject) => {
    tellEnd = (error) => (error ? reject(error) : resolve(statuses))
  })
  const running = autocannon(options, (error: Error | null) => tellEnd(error))
  running.on('response', (_client, statusCode) => {
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
  })
  return { begun: once(running, 'response').then(() => {}), statuses: ended }
}
