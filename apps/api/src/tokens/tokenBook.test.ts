import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@braid-swap/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PURR, USDC } from '../testing/frozenMarket.js'
import { startTestWorld, type TestWorld } from '../testing/startTestWorld.js'
import { createTokenBook } from './tokenBook.js'

let world: TestWorld
let release = () => {}
const released = new Promise<void>((resolve) => {
  release = resolve
})
let isOpen = true
/** A node that holds what it is asked until the release, and refuses what it is asked later. */
const slow = createServer(async (request, response) => {
  if (!isOpen) return response.writeHead(503).end()
  const body = (await request.toArray()).join('')
  await released
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(world.chain.rpcUrl, { method: 'POST', headers, body })
  return response.writeHead(200, headers).end(await answer.text())
})

beforeAll(async () => {
  world = await startTestWorld()
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  slow.closeAllConnections()
  slow.close()
  await world?.stop()
})

it('keeps a response that arrives after the timeout, so that a second request succeeds', async () => {
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const client = createClient(url, { retryCount: 0 })
  const book = createTokenBook(client, { list: new Map(), timeoutMs: 500 })
  await expect(book.read([USDC, PURR])).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  isOpen = false
  release()
  const isKept = () =>
    book.read([USDC, PURR]).then(
      ({ size }) => size === 2,
      () => false,
    )
  while (!(await isKept())) await sleep(1)
  expect((await book.read([PURR])).get(PURR)?.symbol).toBe('PURR')
})

it('remembers for a minute that an address is no token', async () => {
  let nowMs = 0
  const options = { list: new Map(), timeoutMs: 30_000, now: () => nowMs }
  const book = createTokenBook(createClient(world.chain.rpcUrl), options)
  const nothing = `0x${'ab'.repeat(20)}` as const
  expect(book.isKnown(nothing)).toBe(false)
  expect((await book.read([nothing, PURR])).size).toBe(1)
  expect([book.isKnown(nothing), book.isKnown(PURR)]).toEqual([true, true])
  nowMs = 60_000
  expect([book.isKnown(nothing), book.isKnown(PURR)]).toEqual([false, true])
})
