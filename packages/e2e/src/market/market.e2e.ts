import { it } from 'vitest'
import { checkTradedMarket } from './checkMarket.js'

// Without the arbitrageur the first pools are a percent apart after some ten blocks, and HYPE bought
// and sold gains 2 % after a hundred. What the arbitrageur leaves open does not add up from block to
// block, because it measures each pool against the same prices; `market.fuzz.ts` trades an hour.
it('is a market after the trader came: pools agree, HYPE buys and sells for its fees, routes are short', async () => {
  await checkTradedMarket(120)
})
