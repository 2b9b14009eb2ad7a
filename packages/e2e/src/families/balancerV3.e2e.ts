import { createClient, examineVenue, loadSnapshot, readHeader, refresh } from '@braid-swap/chain'
import type { BalancerV3Pool } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { isFullRun, scaled } from '../draws.js'
import {
  anyBalancerMove,
  type Balancers,
  checkBalancerSwaps,
  createBalancerMarket,
} from './differential/balancers.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import { balancerCall } from './doubles/balancer.js'

// Balancer's own vault and pools, compiled from their packages, and our doubles of E-CLPs, which have no
// package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const PAID = scaled(7_200)
const [BLOCKS, MOVES_PER_BLOCK] = [scaled(30), 14]

let bare: BareChain
let market: Balancers

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 6, [6, 8, 18])
  market = await createBalancerMarket(bare, isFullRun ? 42 : 18)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against Balancer’s vault with weighted, stable and E-CLP pools', () => {
  it('detects a difference of a single wei', async () => {
    const tally = createTally()
    const pools = market.pools.map((pool) => ({
      ...pool,
      balancesRaw: pool.balancesRaw.with(0, pool.balancesRaw[0]! + 1n),
    }))
    for (let i = 0; i < 20; i++) await checkBalancerSwaps({ ...market, pools }, tally)
    expect(tally.mismatches.length).toBeGreaterThan(0)
  })

  it('computes outputs three times in a row by any pairs of tokens, and the balances', async () => {
    const tally = createTally()
    await untilPaid(tally, PAID, () => checkBalancerSwaps(market, tally))
    console.log(describeTally(`${market.pools.length} pools of Balancer V3`, tally))
    expect(tally.mismatches).toEqual([])
    expect(tally.counts.get('refused by both')).toBeGreaterThan(scaled(50))
    for (const kind of ['weighted', 'stable', 'eclp']) {
      expect(tally.counts.get(`paid by ${kind}`)).toBeGreaterThan((PAID * 2) / 7.2)
    }
  })
})

describe('the loader of Balancer V3 pools', () => {
  it('follows swaps, liquidity, fees, ramps, rates and pauses as a fresh load reads them', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = [market.balancer.venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    const next = async (calls: Parameters<typeof chain.execute>[0]) => {
      await chain.execute(calls)
      const header = await readHeader(client, 'latest')
      followed = await refresh(client, followed, { head: { header, receivedAtMs: 1 }, venues })
      expect(comparable(followed)).toEqual(comparable(await load()))
    }
    let followed = await load()
    expect(followed.setAside).toEqual([])
    const seen = { moves: 0, ramps: 0 }
    for (let block = 0; block < BLOCKS; block++) {
      const own = followed.snapshot.pools.filter(
        (pool): pool is BalancerV3Pool => pool.family === 'balancerV3',
      )
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) => anyBalancerMove(market, pool))
      await next(calls)
      seen.moves += calls.length
      seen.ramps += own.filter(({ form }) => 'ramp' in form).length
    }
    console.log(`${seen.moves} moves followed, ${seen.ramps} ramps seen`)
    expect(seen.moves).toBeGreaterThan(scaled(150))
    expect(seen.ramps).toBeGreaterThan(0)
    const { vault } = market.balancer
    await next([balancerCall(chain.deployer, vault, { functionName: 'pauseVault' })])
    const codes = new Set(followed.setAside.map(({ code }) => code))
    expect(codes).toEqual(new Set(['POOL_PAUSED']))
    await next([balancerCall(chain.deployer, vault, { functionName: 'unpauseVault' })])
    expect(followed.setAside).toEqual([])
  })

  it('is examined by doctor without a wrong finding', async () => {
    const { rpcUrl, wrappedNative } = bare.chain
    const options = { tokens: [], wrappedNative }
    const { findings } = await examineVenue(createClient(rpcUrl), market.balancer.venue, options)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(findings.find(({ check }) => check === 'pools read')?.holds).toBe(true)
  })
})
