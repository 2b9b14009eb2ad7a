import { createClient, loadSnapshot } from '@braid-swap/chain'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { anyBinsMove, type BinsMarket, createBinsMarket } from './differential/bins.js'
import { examined } from './differential/examined.js'
import { itFollows, movedFamily } from './differential/itFollows.js'
import { binsCall } from './doubles/bins.js'

// The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
// BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_123)

let bare: BareChain
let market: BinsMarket

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 3, [18])
  market = await createBinsMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('the loader of Liquidity Book pairs', () => {
  itFollows({
    title: 'follows swaps, liquidity, fees and decay as a fresh load reads them',
    bare: () => bare,
    moved: () => [
      movedFamily('liquidityBook', [market.venue], (pool) => anyBinsMove(market, pool)),
    ],
    ...{ blocks: scaled(30), movesPerBlock: 10, leastCalls: scaled(150) },
  })

  it('finds each pair once, and sets one with hooks aside', async () => {
    const { chain } = bare
    const client = createClient(chain.rpcUrl)
    const { wrappedNative } = chain
    const findings = await examined(chain, market.venue)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
    const [pair] = market.pools
    await chain.execute([binsCall(chain.deployer, pair!.id, { hooks: `0x${'01'.repeat(32)}` })])
    const { setAside } = await loadSnapshot(client, { venues: [market.venue], wrappedNative })
    expect(setAside.map(({ id, code }) => [id, code])).toContainEqual([
      pair!.id,
      'POOL_FORM_UNKNOWN',
    ])
  })
})
