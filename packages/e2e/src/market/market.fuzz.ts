import { it } from 'vitest'
import { checkTradedMarket } from './checkMarket.js'

/** An hour of the demo's blocks by default. */
const blocks = Number(process.env['BRAID_MARKET_BLOCKS'] ?? 3_600)

it(`is a market after ${blocks} blocks of trading`, async () => {
  await checkTradedMarket(blocks)
})
