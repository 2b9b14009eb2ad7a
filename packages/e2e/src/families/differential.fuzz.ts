import { createRandom } from '@braid-swap/devnet'
import { expect, it } from 'vitest'
import { startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import { anyPairSwap, checkPairSwap, createPairs, swapAllPairs } from './differential/uniswapV2.js'
import {
  anyConcentratedSwap,
  checkConcentratedSwap,
  swapAllConcentrated,
} from './differential/uniswapV3.js'
import { createConcentratedPools } from './differential/uniswapV3Pools.js'

// BRAID_FUZZ_MARKETS markets of new pools, with seeds from BRAID_FUZZ_SEED on. The name of a failing
// test contains its seed, so a single market can be repeated.
const markets = Number(process.env['BRAID_FUZZ_MARKETS'] ?? 10)
const firstSeed = Number(process.env['BRAID_FUZZ_SEED'] ?? 1)
const PAID = 3_000
const ROUNDS = 10

for (let seed = firstSeed; seed < firstSeed + markets; seed++) {
  it(`core computes the outputs of bytecode, market ${seed}`, async () => {
    const bare = await startBareChain(createRandom(seed), 10)
    const tally = createTally()
    try {
      const pairs = await createPairs(bare)
      await untilPaid(tally, PAID, () => checkPairSwap(pairs, anyPairSwap(pairs), tally))
      let reserves = pairs.pools
      for (let i = 0; i < ROUNDS; i++) reserves = await swapAllPairs(pairs, reserves, tally)
      const pools = await createConcentratedPools(bare, 88)
      await untilPaid(tally, 2 * PAID, () =>
        checkConcentratedSwap(pools, anyConcentratedSwap(pools), tally),
      )
      let states = pools.pools
      for (let i = 0; i < ROUNDS; i++) states = await swapAllConcentrated(pools, states, tally)
    } finally {
      await bare.chain.stop()
    }
    console.log(describeTally(`market ${seed}`, tally))
    expect(tally.mismatches).toEqual([])
  })
}
