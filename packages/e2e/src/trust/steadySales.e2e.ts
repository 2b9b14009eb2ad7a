// On a market that honest trades move, and arbitrage moves back, no swap is made safer at the cost of its output.
import type { wire } from '@braid-swap/api'
import { type DevnetApi, startDevnetApi } from '@braid-swap/api/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everydayOrders } from './playAttacker.js'

const BLOCKS = 40
const TRADES_A_BLOCK = 6

let api: DevnetApi
beforeAll(async () => {
  api = await startDevnetApi({ venueStates: new Map() })
}, 120_000)
afterAll(() => api?.stop())

/** How much less than its quote at the same block a swap pays, in basis points. */
async function lossesBps() {
  const { devnet, get, catchUp, market } = api
  await catchUp()
  const block = `${market.current()!.graph.snapshot.block.number}`
  return Promise.all(
    everydayOrders(devnet).map(async ([src, dst, amount]) => {
      const order = { src, dst, amount: `${amount}`, block }
      const { body: quote } = await get<wire.QuoteBody>('/swap/v1/999/quote', order)
      const asked = { ...order, from: devnet.wallet.address, slippage: '0.5', skipChecks: 'true' }
      const { body: swap } = await get<wire.SwapBody>('/swap/v1/999/swap', asked)
      const [best, paid] = [quote, swap].map(({ dstAmount }) => Number(dstAmount))
      return (1 - paid! / best!) * 10_000
    }),
  )
}

it('pays honest orders what is quoted while trades and arbitrage move the market', async () => {
  const { devnet } = api
  const losses: number[] = []
  for (let block = 0; block < BLOCKS; block++) {
    await devnet.trade(TRADES_A_BLOCK)
    await devnet.arbitrage()
    await devnet.mine()
    losses.push(...(await lossesBps()))
  }
  const changed = losses.filter((bps) => bps !== 0)
  expect(changed).toEqual([])
}, 240_000)
