// Pools of Curve, Balancer and Liquidity Book are tried as all others, on nodes with state overrides and without.
import {
  type Client,
  createClient,
  loadSnapshot,
  type Market,
  startTrials,
  tryAtOnce,
  type Venue,
} from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { createRandom, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBalancerMarket } from '../families/differential/balancers.js'
import { createBalancerV2Market } from '../families/differential/balancersV2.js'
import { type BareChain, startBareChain } from '../families/differential/bareChain.js'
import { createBinsMarket } from '../families/differential/bins.js'
import { createCryptoSwapMarket } from '../families/differential/cryptoSwaps.js'
import { createStableSwapMarket } from '../families/differential/stableSwaps.js'
import { type NodeDouble, startNodeDouble } from '../nodes/double/nodeDouble.js'

const SEED = 20_261_127
const POOLS = 6
/** Starts of three questions each. */
const STARTS = 2

let bare: BareChain
let blind: NodeDouble
let router: Address
let executor: Address
let venues: readonly Venue[]

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 4, [18])
  ;({ router, executor } = await deployRouter(bare.chain))
  const { venue: stable } = await createStableSwapMarket(bare)
  const { venue: crypto } = await createCryptoSwapMarket(bare)
  const { venue: bins } = await createBinsMarket(bare)
  const v2 = await createBalancerV2Market(bare, POOLS)
  const v3 = await createBalancerMarket(bare, POOLS)
  venues = [stable, crypto, bins, v2.balancer.venue, v3.balancer.venue]
  blind = await startNodeDouble(bare.chain.rpcUrl, { overrides: 'ignored' })
}, 300_000)

afterAll(async () => {
  await blind?.stop()
  await bare?.chain.stop()
})

/** The pool without its fee, of which core then says that it pays more than it does. */
function cheaper(pool: Pool): Pool {
  if (pool.family === 'curveStableSwap') return { ...pool, fee: 0n }
  if (pool.family === 'curveCrypto') return { ...pool, midFee: 0n, outFee: 0n }
  if (pool.family === 'balancerV2') return { ...pool, swapFee: 10n ** 12n }
  if (pool.family === 'balancerV3') return { ...pool, swapFee: 0n }
  if (pool.family !== 'liquidityBook') return pool
  const { staticFee } = pool
  return { ...pool, staticFee: { ...staticFee, baseFactor: 0n, variableFeeControl: 0n } }
}

describe.each([
  ['that honours state overrides', () => bare.chain.rpcUrl],
  ['that ignores them', () => blind.url],
])('on a node %s, venues of Curve, Balancer and Liquidity Book', (_, url) => {
  let client: Client
  let loaded: Market
  beforeAll(async () => {
    client = createClient(url())
    loaded = await loadSnapshot(client, { venues, wrappedNative: bare.chain.wrappedNative })
  }, 120_000)

  /** The states of the venues after starts on the market with its pools changed. */
  async function statesWith(change: (pool: Pool) => Pool) {
    const snapshot = { ...loaded.snapshot, pools: loaded.snapshot.pools.map(change) }
    let market: Market = startTrials({ ...loaded, snapshot }, venues, new Map())
    for (let i = 0; i < STARTS; i++) market = await tryAtOnce(client, market, { router, executor })
    return Object.fromEntries(
      (market.trials ?? []).map(({ venue, state, reason }) => [venue, [state, reason]]),
    )
  }

  it('are in answers after swaps that agree', async () => {
    const states = await statesWith((pool) => pool)
    for (const { id } of venues) expect([id, states[id]?.[0]]).toEqual([id, 'canary'])
  }, 120_000)

  it('are in no answer if core says that they take no fee', async () => {
    const states = await statesWith(cheaper)
    const out = expect.stringMatching(/^(shadow|quarantined)$/)
    for (const { id } of venues) expect([id, states[id]?.[0]]).toEqual([id, out])
    // Of some drawn pools the first question moves the price so far that it tells nothing.
    const told = Object.values(states).filter(([, reason]) => reason?.includes(' instead of '))
    expect(told.length, JSON.stringify(states)).toBeGreaterThanOrEqual(4)
  }, 120_000)
})
