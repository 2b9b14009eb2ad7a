import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { crowd } from './crowd.js'

it('a crowd sends its key and counts every status', async () => {
  const keys = new Set<unknown>()
  let count = 0
  const server = createServer((request, response) => {
    keys.add(request.headers['apikey'])
    response.statusCode = count++ % 2 === 0 ? 200 : 429
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const load = { url, paths: ['/a', '/b'], key: 'k', connections: 2, seconds: 1 }
  const asking = crowd(load)
  await asking.begun
  const seen = count
  const statuses = await asking.statuses
  server.closeAllConnections()
  server.close()
  expect(seen).toBeGreaterThan(0)
  expect([...keys]).toEqual(['k'])
  expect(Object.keys(statuses)).toEqual(['200', '429'])
  expect(Math.abs(statuses[200]! - statuses[429]!)).toBeLessThanOrEqual(4)
})
