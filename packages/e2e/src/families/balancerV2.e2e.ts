import { createClient, loadSnapshot, readHeader, refresh } from '@braid-swap/chain'
import type { BalancerV2Pool } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { isFullRun } from '../draws.js'
import {
  anyBalancerV2Move,
  type BalancersV2,
  checkBalancerV2Swaps,
  createBalancerV2Market,
} from './differential/balancersV2.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import { balancerV2Call } from './doubles/balancerV2.js'

// Balancer's own vault and pools, from its package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const [POOLS, PAID, BLOCKS, LEAST_MOVES] = isFullRun ? [40, 4_400, 30, 150] : [6, 240, 3, 8]
const MOVES_PER_BLOCK = 14

let bare: BareChain
let market: BalancersV2

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 6, [6, 8, 18])
  market = await createBalancerV2Market(bare, POOLS)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against the vault of Balancer V2 with weighted and stable pools', () => {
  it('detects a difference of a single wei', async () => {
    const tally = createTally()
    const pools = market.pools.map((pool) => ({
      ...pool,
      balances: pool.balances.with(0, pool.balances[0]! + 1n),
    }))
    for (let i = 0; i < 20; i++) await checkBalancerV2Swaps({ ...market, pools }, tally)
    expect(tally.mismatches.length).toBeGreaterThan(0)
  })

  it('computes outputs three times in a row by any pairs of tokens, and the balances', async () => {
    const tally = createTally()
    await untilPaid(tally, PAID, () => checkBalancerV2Swaps(market, tally))
    console.log(describeTally(`${market.pools.length} pools of Balancer V2`, tally))
    expect(tally.mismatches).toEqual([])
    expect(tally.counts.get('refused by both')).toBeGreaterThan(PAID / 100)
    for (const kind of ['weighted', 'composableStable']) {
      expect(tally.counts.get(`paid by ${kind}`)).toBeGreaterThan(PAID / 3)
    }
  })
})

describe('the loader of Balancer V2 pools', () => {
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
        (pool): pool is BalancerV2Pool => pool.family === 'balancerV2',
      )
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) => anyBalancerV2Move(market, pool))
      await next(calls)
      seen.moves += calls.length
      seen.ramps += own.filter(({ form }) => 'ramp' in form).length
    }
    console.log(`${seen.moves} moves followed, ${seen.ramps} ramps seen`)
    expect(seen.moves).toBeGreaterThan(LEAST_MOVES)
    expect(seen.ramps).toBeGreaterThan(0)
    const { vault } = market.balancer
    const codes = () => new Set(followed.setAside.map(({ code }) => code))
    const call = (to: typeof vault, functionName: string, args: readonly unknown[] = []) =>
      next([balancerV2Call(chain.deployer, to, { functionName, args })])
    await call(vault, 'setPaused', [true])
    expect(codes()).toEqual(new Set(['POOL_PAUSED']))
    await call(vault, 'setPaused', [false])
    expect(followed.setAside).toEqual([])
    const { id } = market.pools[0]!
    for (const [on, off] of [
      ['pause', 'unpause'],
      ['enableRecoveryMode', 'disableRecoveryMode'],
    ]) {
      await call(id, on!)
      expect(followed.setAside.map(({ code }) => code)).toEqual(['POOL_PAUSED'])
      await call(id, off!)
      expect(followed.setAside).toEqual([])
    }
  })
})
