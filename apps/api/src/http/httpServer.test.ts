import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { sendRaw } from '../testing/sendRaw.js'
import { errorSchema } from '../wire/responses.js'
import { createHttpServer, type HttpServerOptions, listen } from './httpServer.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function start(options: HttpServerOptions) {
  server = createHttpServer((_, response) => response.end('ok'), options)
  return listen(server, { host: '127.0.0.1', port: 0 })
}

const connections = () =>
  promisify((done: (error: Error | null, count: number) => void) => server!.getConnections(done))()

describe('a client that sends no valid HTTP', () => {
  it('is disconnected after a grace though it never closes its side', async () => {
    // The time limit of a request would end the connection as well.
    const { port } = await start({ refusedGraceMs: 20, requestTimeoutMs: 600_000 })
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      socket.write('HELLO\r\n\r\n')
      return socket
    })
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')))
    for (const [answer] of answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
    await expect.poll(connections, { timeout: 20_000 }).toBe(0)
    for (const socket of sockets) socket.destroy()
  })

  it('is counted by the code of its answer', async () => {
    const codes: string[] = []
    const { port } = await start({ onRefused: (code) => void codes.push(code) })
    await sendRaw(`http://127.0.0.1:${port}`, 'HELLO\r\n\r\n')
    await sendRaw(`http://127.0.0.1:${port}`, `GET / HTTP/1.1\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`)
    expect(codes).toEqual(['BAD_REQUEST', 'HEADERS_TOO_LARGE'])
  })
})

describe('a client that sends its headers too slowly', () => {
  it('is answered 408 REQUEST_TIMEOUT, not 400', async () => {
    const { port } = await start({ requestTimeoutMs: 100 })
    const answer = await sendRaw(
      `http://127.0.0.1:${port}`,
      'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    const body = errorSchema.parse(JSON.parse(answer.split('\r\n\r\n')[1]!))
    expect([body.code, body.retryable]).toEqual(['REQUEST_TIMEOUT', true])
  })
})
