import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendTo } from './quoteStreams.js'

const EVENT = `event: quote\ndata: ${'x'.repeat(16_000)}\n\n`
/** More than the sockets of a connection hold, and far less than a machine would notice. */
const MAX_EVENTS = 4_000

const opened: ServerResponse[] = []
const server = createServer((_, response) => {
  response.flushHeaders()
  opened.push(response)
})
beforeEach(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)))
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function connect(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  return new Promise((done) => {
    get({ port, host: '127.0.0.1', agent: false }, done).on('error', () => {})
  })
}

it('a reader that stands still is disconnected in bounded memory, and another gets every event', async () => {
  const still = await connect()
  still.on('error', () => {})
  const reader = await connect()
  let read = 0
  reader.on('data', (bytes: Buffer) => {
    read += bytes.length
  })
  const [stuck, other] = opened as [ServerResponse, ServerResponse]
  let [slow, sent, most] = [0, 0, 0]
  while (!stuck.destroyed && sent < MAX_EVENTS) {
    sendTo(stuck, EVENT, () => slow++)
    sendTo(other, EVENT, () => expect.fail('the reader is not slow'))
    sent += 1
    most = Math.max(most, stuck.writableLength)
    while (other.writableLength > 0) await nextTurn()
  }
  expect([stuck.destroyed, slow]).toEqual([true, 1])
  expect(most).toBeLessThan(300_000)
  sendTo(stuck, EVENT, () => slow++)
  expect(slow).toBe(1)
  while (read < sent * EVENT.length) await nextTurn()
  expect([read, other.destroyed]).toEqual([sent * EVENT.length, false])
})
