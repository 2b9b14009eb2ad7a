import { once } from 'node:events'
import { Agent, get, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAdmission } from '../admission/admission.js'
import { createDrain } from './drain.js'
import { createHttpServer, listen } from './httpServer.js'

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function start(listener: RequestListener) {
  server = createHttpServer()
  const ending = createDrain(server)
  server.on('request', (request, response) => {
    if (ending.isDraining(request)) response.writeHead(503)
    listener(request, response)
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  return { ...ending, open }
}

/** The status of the next answer on a socket; 0 if it is cut. */
async function statusOf(socket: Socket): Promise<number> {
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Number(String(Buffer.concat(parts)).split(' ')[1] ?? 0)
}

/** Asks once: the status, and whether the answer says that the connection ends. */
function ask(port: number, agent: Agent) {
  return new Promise<{ readonly status: number; readonly closes: boolean }>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (answer) => {
      const closes = answer.headers.connection === 'close'
      answer.resume().once('end', () => resolve({ status: answer.statusCode!, closes }))
      answer.once('error', reject)
    }).once('error', reject)
  })
}

/** True if a new connection is accepted. */
async function connects(open: () => Promise<Socket>): Promise<boolean> {
  return open().then(
    (socket) => {
      socket.destroy()
      return true
    },
    () => false,
  )
}

describe('the end of a server', () => {
  it('loses no request of clients that never stop sending on connections that they keep', async () => {
    const { drain, open } = await start((_, response) => void setImmediate(() => response.end('a')))
    const [socket] = [await open()]
    const { port } = server!.address() as AddressInfo
    socket.destroy()
    const answers: {
      readonly status: number
      readonly closes: boolean
      readonly isAfter: boolean
    }[] = []
    const faults: unknown[] = []
    let isEnding = false
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        const isAfter = isEnding
        const answer = await ask(port, agent).catch((error: NodeJS.ErrnoException) => error)
        if (answer instanceof Error) {
          faults.push(answer.code)
          break
        }
        answers.push({ ...answer, isAfter })
        // It goes elsewhere.
        if (answer.status === 503) break
      }
      agent.destroy()
    }
    const clients = Array.from({ length: 16 }, client)
    await expect.poll(() => answers.length).toBeGreaterThan(200)
    isEnding = true
    await drain(60_000)
    await Promise.all(clients)
    // Each was refused by an answer, or because nobody listened any more; none by a reset.
    expect(faults.filter((code) => code !== 'ECONNREFUSED')).toEqual([])
    const after = answers.filter((answer) => answer.isAfter)
    expect(after.length).toBeGreaterThan(0)
    expect(after.every(({ closes }) => closes)).toBe(true)
    for (const { status } of answers) expect([200, 503]).toContain(status)
    expect(answers.some(({ status }) => status === 503)).toBe(true)
  })

  it('answers all 50 requests that were sent before it, queued or not yet read', async () => {
    const admission = createAdmission({ places: 100, now: () => 0 })
    const { drain, isDraining, open } = await start((request, response) => {
      if (isDraining(request)) response.end('late')
      else admission.enter('a', { start: () => response.end('done'), refuse: () => {} })
    })
    const sockets = await Promise.all(Array.from({ length: 50 }, open))
    const statuses = sockets.map(statusOf)
    for (const socket of sockets) socket.write(GET)
    await drain(60_000)
    expect(await Promise.all(statuses)).toEqual(Array(50).fill(200))
  })

  it('refuses a request that comes later on an open connection, and closes it', async () => {
    let answer = () => {}
    const { drain, isDraining, open } = await start((request, response) => {
      if (isDraining(request)) response.end()
      else answer = () => response.end('done')
    })
    const [busy, idle] = [await open(), await open()]
    const statuses = [busy, idle].map(statusOf)
    busy.write(GET)
    await once(server!, 'request')
    const ended = drain(60_000)
    await expect.poll(() => connects(open)).toBe(false)
    idle.write(GET)
    expect(await statuses[1]).toBe(503)
    answer()
    expect(await statuses[0]).toBe(200)
    await ended
  })

  it('cuts a request that is not answered within the limit', async () => {
    const { drain, open } = await start(() => {})
    const socket = await open()
    const status = statusOf(socket)
    socket.write(GET)
    await once(server!, 'request')
    await drain(20)
    expect(await status).toBe(0)
  })
})
