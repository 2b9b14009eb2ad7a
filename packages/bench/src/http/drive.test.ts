import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDriver } from './drive.js'

const keys = new Set<unknown>()
const asked: string[] = []
const server = createServer((request, response) => {
  keys.add(request.headers['apikey'])
  asked.push(request.url!)
  response.statusCode = request.url === '/b' ? 422 : 200
  response.end('{}')
})
let url: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

it('all connections share one sequence of orders, and each answer names its order', async () => {
  const driver = openDriver({ urls: [url], paths: ['/a', '/b', '/c'], key: 'k', connections: 4 })
  const parts = [await driver.flatOut(0.1), await driver.flatOut(0.1)]
  driver.close()
  const answers = parts.flatMap((part) => part.answers)
  expect(asked.length).toBe(answers.length)
  const counts = [0, 1, 2].map((place) => answers.filter(({ order }) => order === place).length)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  expect(answers.every(({ order, status }) => status === (order === 1 ? 422 : 200))).toBe(true)
  expect([...keys]).toEqual(['k'])
})

it('requests at given times are sent whether answers come or not, and timed from when they were due', async () => {
  const waiting: (() => void)[] = []
  const slow = createServer((_, response) => {
    waiting.push(() => response.end('{}'))
    // Answers nothing before all have asked: a driver that waited for answers would never end.
    if (waiting.length === 3) for (const answer of waiting) answer()
  })
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  const slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const driver = openDriver({ urls: [slowUrl], paths: ['/'], key: 'k', connections: 3 })
  const { answers } = await driver.at([0, 40, 80])
  driver.close()
  slow.close()
  expect(answers.length).toBe(3)
  // All are answered together, when the last has come.
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeGreaterThan(75)
})
