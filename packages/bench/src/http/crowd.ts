// A crowd of connections that ask as fast as they can, driven by autocannon. Times are not its task:
// it knows no orders, and its rates come in bursts at the beginning of each second.

import autocannon from 'autocannon'

/** A crowd. */
export type Crowd = {
  readonly url: string
  readonly paths: readonly string[]
  readonly key?: string
  readonly connections: number
  readonly seconds: number
}

/** Lets a crowd ask, and returns how many answers of each status it got. */
export async function crowd(load: Crowd): Promise<Readonly<Record<number, number>>> {
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
  await new Promise<void>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null) =>
      error ? reject(error) : resolve(),
    )
    running.on('response', (_client, statusCode) => {
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    })
  })
  return statuses
}
