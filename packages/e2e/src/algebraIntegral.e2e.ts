import type { AlgebraIntegralPool } from '@braid-swap/core'
import { type AlgebraIntegral, createRandom, deployRouter } from '@braid-swap/devnet'
import { toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AdaptiveVenue,
  describeRun,
  moveInBlocks,
  swapInBlocks,
} from './differential/adaptivePools.js'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { approveAll, type BareChain, startBareChain } from './differential/bareChain.js'

const SEED = 20_261_121
const SWAPS = 2_000
const MOVED_BLOCKS = 150

/** What the log test is about. */
const MOVES = [
  'Swap(address,address,int256,int256,uint160,uint128,int24)',
  'Mint(address,address,int24,int24,uint128,uint256,uint256)',
  'Burn(address,int24,int24,uint128,uint256,uint256)',
  'Fee(uint16)',
  'TickSpacing(int24)',
  'FeeConfiguration((uint16,uint16,uint32,uint32,uint16,uint16,uint16))',
]

let bare: BareChain
let algebra: AlgebraIntegral
let market: AdaptiveVenue

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 7)
  algebra = await createAlgebraPools(bare)
  const { router } = await deployRouter(bare.chain)
  await approveAll(bare, router)
  market = { bare, venue: algebra.venue, router }
}, 120_000)

afterAll(() => bare?.chain.stop())

describe('Algebra Integral, unmodified and with its plugin', () => {
  it('pays, and becomes, what core says, to the wei and to the second', async () => {
    const run = await swapInBlocks(market, SWAPS)
    console.log(`algebraIntegral: ${describeRun(run)}`)
    const { overNeed } = run
    expect(overNeed[0]).toBeGreaterThanOrEqual(1)
    // Most is where used ticks are crossed: all are charged as if crossed first, which takes double.
    expect(overNeed.at(-1)).toBeLessThan(2)
    expect(overNeed[Math.floor(overNeed.length / 2)]).toBeLessThan(1.2)
    expect(run.crossing).toBeGreaterThan(200)
    expect(run.fees).toBeGreaterThan(20)
  }, 400_000)

  it('leads from logs to the state of a fresh load, at every block', async () => {
    const counts = await moveInBlocks(market, MOVED_BLOCKS, (pool) =>
      anyAlgebraMove({ bare, algebra }, pool as AlgebraIntegralPool),
    )
    const seen = MOVES.map((name) => counts.get(toEventSelector(name)) ?? 0)
    console.log(`algebraIntegral logs: ${MOVES.map((name, i) => `${seen[i]} ${name}`).join('; ')}`)
    for (const count of seen) expect(count).toBeGreaterThan(10)
  }, 200_000)
})
