import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './freePort.js'

it('gives ports on which a program can listen, each once', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
  for (const port of ports) {
    const server = createServer()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    await once(server.close(), 'close')
  }
})
