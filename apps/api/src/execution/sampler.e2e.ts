// The answers of an API on a devnet whose trader moves it in every block, as they fare on the blocks after.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Devnet, startDevnet, swapCall } from '@braid-swap/devnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'
import type { ReadyBody } from '../wire/responses.js'

let devnet: Devnet
let api: DevnetApi
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(async () => {
  await api?.stop()
  await devnet?.stop()
})

const ORDERS = [
  ...[
    ['WHYPE', 'USDC', '2500'],
    ['USDC', 'WHYPE', '500'],
    ['UETH', 'USDC', '0.3'],
  ],
  ...[
    ['USDC', 'UBTC', '12345'],
    ['PURR', 'WHYPE', '1000'],
    ['kHYPE', 'USDC', '100'],
  ],
] as const

const tokenOf = (symbol: string) => devnet.tokens.find((one) => one.symbol === symbol)!
const accuracyNow = async () => (await api.get<ReadyBody>('/readyz')).body.accuracy

async function quote([src, dst, amount]: readonly string[]) {
  const [sold, bought] = [tokenOf(src!), tokenOf(dst!)]
  const wei = `${BigInt(Math.round(Number(amount) * 1e4)) * 10n ** BigInt(sold.decimals - 4)}`
  const order = { src: sold.address, dst: bought.address, amount: wei }
  expect((await api.get('/swap/v1/999/quote', order)).status).toBe(200)
}

/** Quotes, moves the market and makes a block, until so many samples more are simulated at the next block. */
async function sample(count: number, move: () => Promise<unknown>) {
  const before = (await accuracyNow())?.samples ?? 0
  for (let turn = 0; ; turn++) {
    const samples = (await accuracyNow())?.samples ?? 0
    if (samples >= before + count) return
    await quote(ORDERS[turn % ORDERS.length]!)
    await move()
    await devnet.mine()
    await api.catchUp()
    // The simulation follows the block, and nobody waits for it.
    await sleep(50)
  }
}

it('nearly all can be performed a block later, and pay what was quoted', async () => {
  api = await startDevnetApi({ devnet, metricsPort: 0 })
  expect(await accuracyNow()).toBeNull()
  // As in the demo.
  await sample(25, async () => {
    await devnet.trade(3)
    await devnet.arbitrage()
  })
  const accuracy = (await accuracyNow())!
  expect(accuracy.simulablePercent).toBeGreaterThanOrEqual(98)
  expect(accuracy.p50Bps).toBeLessThanOrEqual(0)
  expect(accuracy.p95Bps).toBeLessThanOrEqual(0.5)
  const told = await (await fetch(api.metricsUrl!)).text()
  expect(told).toMatch(/braid_sample_gap_bps_bucket\{le="0.5",age="1",venue="all"\} \d+/)
  expect(told).toMatch(/braid_sample_gap_bps_count\{age="3",venue="devnet-v3a"\} \d+/)
  await api.stop()
})

it('sees what somebody else takes between quote and swap', async () => {
  api = await startDevnetApi({ devnet })
  const ends = { tokenIn: tokenOf('WHYPE').address, tokenOut: tokenOf('USDC').address }
  const pool = devnet.pools.find(
    ({ venue, feePpm, tokens }) =>
      [venue, feePpm].join() === 'devnet-v3a,500' &&
      Object.values(ends).every((one) => tokens.includes(one)),
  )!
  const deployment = devnet.deployments.find(({ venue }) => venue.id === pool.venue)!
  const sale = { pool, from: devnet.trader.address, amountIn: 30_000n * 10n ** 18n, ...ends }
  await quote(ORDERS[0])
  await devnet.send([swapCall(deployment, sale)])
  await devnet.mine()
  await api.catchUp()
  await expect.poll(accuracyNow).toMatchObject({ samples: 1, simulablePercent: 0, p50Bps: null })
  await api.stop()
})

it('asks nothing of a node whose requests are limited', async () => {
  api = await startDevnetApi({ devnet, rpcRequestsPerMinute: 600 })
  await quote(ORDERS[0])
  await devnet.mine()
  await api.catchUp()
  expect(await accuracyNow()).toBeNull()
})
