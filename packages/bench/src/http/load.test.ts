import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { applyLoad } from './load.js'

it('a load counts every status, times the answers, and sends the key', async () => {
  const keys = new Set<unknown>()
  let count = 0
  const server = createServer((request, response) => {
    keys.add(request.headers['apikey'])
    response.statusCode = count++ % 2 === 0 ? 200 : 429
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const load = { url, paths: ['/a', '/b'], key: 'k', connections: 2, seconds: 1 }
  const { statuses, times, errors } = await applyLoad(load)
  server.closeAllConnections()
  server.close()
  expect([...keys]).toEqual(['k'])
  expect(times.length).toBe(statuses[200])
  expect(Math.abs(statuses[200]! - statuses[429]!)).toBeLessThanOrEqual(4)
  expect(Object.keys(statuses)).toEqual(['200', '429'])
  expect(errors).toBe(0)
})
