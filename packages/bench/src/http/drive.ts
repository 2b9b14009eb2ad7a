/**
 * Asks servers for quotes and times each answer. Unlike a tool for load alone, it knows which order
 * each answer belongs to, so the times can be held against those of the solver for the same orders. It
 * sends either as fast as the answers come, or at given times whether answers come or not; then a time
 * counts from when the request was due.
 */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What to ask and of whom. */
export type Asked = {
  /** Servers that take turns. */
  readonly urls: readonly string[]
  readonly key: string
  /** The path of each order; the orders are asked in this sequence, again and again. */
  readonly paths: readonly string[]
  readonly connections: number
}

/** One answer. */
export type Answered = {
  /** Place of the order in `paths`. */
  readonly order: number
  readonly status: number
  readonly ms: number
}

/** All answers, and how long they took together. */
export type Driven = { readonly answers: readonly Answered[]; readonly seconds: number }

/** Sends requests over connections that stay open. A call waits for its last answer. */
export type Driver = {
  /** Each connection asks as soon as it is answered, for some seconds. */
  readonly flatOut: (seconds: number) => Promise<Driven>
  /** One request at each of these times, in milliseconds from now. The answers are in that sequence. */
  readonly at: (times: readonly number[]) => Promise<Driven>
  readonly close: () => void
}

/** Opens a driver. Its calls throw if a connection fails. */
export function openDriver({ urls, key, paths, connections }: Asked): Driver {
  const maxSockets = Math.ceil(connections / urls.length)
  const agents = urls.map(() => new Agent({ keepAlive: true, maxSockets }))
  let count = 0
  const ask = async (i: number, dueMs: number): Promise<Answered> => {
    const order = count++ % paths.length
    const server = i % urls.length
    const status = await statusOf(`${urls[server]}${paths[order]}`, { key, agent: agents[server]! })
    return { order, status, ms: performance.now() - dueMs }
  }
  const timed = async (send: (startMs: number) => Promise<readonly Answered[]>) => {
    const startMs = performance.now()
    const answers = await send(startMs)
    return { answers, seconds: (performance.now() - startMs) / 1_000 }
  }
  return {
    flatOut: (seconds) =>
      timed(async (startMs) => {
        const answers: Answered[] = []
        const askOn = async (connection: number) => {
          while (performance.now() - startMs < seconds * 1_000) {
            answers.push(await ask(connection, performance.now()))
          }
        }
        await Promise.all(Array.from({ length: connections }, (_, i) => askOn(i)))
        return answers
      }),
    at: (times) =>
      timed(async (startMs) => {
        const sent: Promise<Answered>[] = []
        for (const [i, time] of times.entries()) {
          const restMs = startMs + time - performance.now()
          if (restMs > 0) await sleep(restMs)
          sent.push(ask(i, startMs + time))
        }
        return Promise.all(sent)
      }),
    close: () => {
      for (const agent of agents) agent.destroy()
    },
  }
}

/** The status of an answer that has arrived completely. */
function statusOf(
  url: string,
  by: { readonly agent: Agent; readonly key: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { agent, key } = by
    const asked = get(url, { agent, headers: { apikey: key } }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
      response.on('error', reject)
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection at the moment at which it is used again.
      if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(statusOf(url, by))
      else reject(error)
    })
  })
}
