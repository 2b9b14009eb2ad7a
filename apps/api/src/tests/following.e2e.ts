import { once } from 'node:events'
import { connect } from 'node:net'
import { NATIVE } from '@braid-swap/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'

const CONNECTIONS = 256
const BLOCKS = 5

let served: DevnetApi
beforeAll(async () => {
  served = await startDevnetApi({ maxConcurrent: 2 * CONNECTIONS })
})
afterAll(() => served?.stop())

it('the market follows the chain while 256 connections ask for quotes without a pause', async () => {
  const { devnet, url, apikey, market, catchUp } = served
  const dst = devnet.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  const { hostname, port } = new URL(url)
  let isOver = false
  let quoted = 0
  const client = async (i: number) => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    for (let n = 0; !isOver; n++) {
      const path = `/swap/v1/999/quote?src=${NATIVE}&dst=${dst}&amount=${10n ** 18n + BigInt(i * 1_000 + n)}`
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\napikey: ${apikey}\r\n\r\n`)
      const [answer] = await once(socket, 'data')
      // The key of the test has a limit; what is beyond it is refused, which is a load too.
      expect(String(answer)).toMatch(/^HTTP\/1\.1 (200|429) /)
      if (String(answer).startsWith('HTTP/1.1 200')) quoted += 1
    }
    socket.destroy()
  }
  const clients = Array.from({ length: CONNECTIONS }, (_, i) => client(i))
  const lags: number[] = []
  for (let i = 0; i < BLOCKS; i++) {
    await devnet.client.mine({ blocks: 1 })
    const before = quoted
    await catchUp()
    lags.push(quoted - before)
  }
  isOver = true
  await Promise.all(clients)
  expect(market.counts?.().failedRounds).toBe(0)
  // A round of the follower is a few questions to the node. Each waits for some turns of the event
  // loop, and a turn answers a few quotes, not all that wait.
  expect(Math.max(...lags)).toBeLessThan(CONNECTIONS)
})
