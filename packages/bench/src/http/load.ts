// Drives an HTTP server with autocannon, and times each answer.

import autocannon from 'autocannon'

/** A load on a server. */
export type Load = {
  readonly url: string
  readonly paths: readonly string[]
  readonly key?: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second over all connections; as many as possible if absent. */
  readonly rate?: number
}

/** What came back. */
export type Loaded = {
  readonly statuses: Readonly<Record<number, number>>
  /** Milliseconds of each answer with status 200. */
  readonly times: readonly number[]
  /** Connections that failed or timed out. */
  readonly errors: number
  readonly seconds: number
}

/** Applies a load and waits for its end. */
export async function applyLoad(load: Load): Promise<Loaded> {
  const { url, paths, key, connections, seconds, rate } = load
  const headers = key === undefined ? {} : { apikey: key }
  const statuses: Record<number, number> = {}
  const times: number[] = []
  let offset = 0
  const start = performance.now()
  const options: autocannon.Options = {
    ...{ url, connections, duration: seconds, headers, timeout: 60 },
    ...(rate !== undefined && { overallRate: rate, ignoreCoordinatedOmission: true }),
    setupClient: (client) => {
      // Each connection begins elsewhere, so that they do not all ask for the same order.
      const from = (offset++ * 7) % paths.length
      const turned = [...paths.slice(from), ...paths.slice(0, from)]
      client.setRequests(turned.map((path) => ({ path, method: 'GET', headers })))
    },
  }
  const errors = await new Promise<number>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, result) =>
      error ? reject(error) : resolve(result.errors),
    )
    running.on('response', (_client, statusCode, _bytes, ms) => {
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode === 200) times.push(ms)
    })
  })
  return { statuses, times, errors, seconds: (performance.now() - start) / 1_000 }
}
