import { once } from 'node:events'
import { Agent, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpServer } from '../http/httpServer.js'
import { createAdmission } from './admission.js'

const CONNECTIONS = 256
/** Milliseconds that each quote takes, on the clock of the test. */
const QUOTE_MS = 10
const PROBES = 20

let end = () => {}
afterEach(() => end())

/** A server whose quotes take their turns, and how many it has answered. */
async function serve() {
  let [nowMs, answered] = [0, 0]
  const admission = createAdmission({ places: 1_000, now: () => nowMs })
  const server: Server = createHttpServer((request, response) => {
    if (request.url === '/healthz') {
      response.end()
      return
    }
    const place = admission.enter('key', {
      start: () => {
        nowMs += QUOTE_MS
        answered += 1
        place?.leave()
        response.end()
      },
      refuse: () => response.destroy(),
    })
  })
  server.on('connection', admission.accepted)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port, answered: () => answered, waiting: admission.waiting }
}

describe('/healthz on a new connection', () => {
  it('waits for at most two of the quotes of 256 connections', async () => {
    const { server, port, answered, waiting } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    let isOver = false
    end = () => {
      isOver = true
      agent.destroy()
      server.closeAllConnections()
      server.close()
    }
    const ask = async (path: string, from: Agent | false) => {
      const request = get({ port, host: '127.0.0.1', path, agent: from })
      const [response] = await once(request, 'response')
      response.resume()
      await once(response, 'end')
    }
    const client = async () => {
      while (!isOver) await ask('/quote', agent)
    }
    for (let n = 0; n < CONNECTIONS; n++) client().catch(() => {})
    while (waiting() < CONNECTIONS - 10) await nextTurn()
    const waited: number[] = []
    for (let n = 0; n < PROBES; n++) {
      const before = answered()
      await ask('/healthz', false)
      waited.push(answered() - before)
      for (let turn = 0; turn < n; turn++) await nextTurn()
    }
    // One that is under way, and one in the turn in which the client reads the answer.
    expect(Math.max(...waited)).toBeLessThanOrEqual(2)
  })
})
