// Which part of each venue's pools is served, where pools are refused for several reasons.
import { type Address, NATIVE, type Pool, type Snapshot } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { loadSnapshot } from '../market/loadMarket.js'
import type { PoolRef } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import {
  createPairs,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import type { Trial } from './trials.js'
import { describeShares, readWorths, venueShares } from './venueShares.js'

const E18 = 10n ** 18n
const idOf = (n: number): Address => toHex(0xb0 + n, 20)
const [A, B] = TOKENS as [Address, Address]
const pool = (n: number, venue: string): Pool => ({
  ...{ family: 'uniswapV2', id: idOf(n), venue, tokens: [A, B], feePpm: 3_000 },
  reserves: [E18, E18],
})
const ref = ({ id, venue, tokens }: Pool): PoolRef => ({ id, venue, tokens, family: 'uniswapV2' })
const aside = (n: number, venue: string, code: SetAside['code']): SetAside => ({
  ...{ id: idOf(n), venue, code, message: 'test' },
})

/** `good` serves 2 of 5, `bad` none of 2, `tried` waits, `empty` has a pool without liquidity. */
const pools = [
  ...[0, 1, 2, 3, 4].map((n) => pool(n, 'good')),
  ...[5, 6].map((n) => pool(n, 'bad')),
  ...[7, 8].map((n, i) => pool(n, i === 0 ? 'tried' : 'empty')),
]
const setAside = [
  aside(2, 'good', 'POOL_FEE_UNKNOWN'),
  aside(3, 'good', 'TOKEN_TAKES_FEE'),
  aside(5, 'bad', 'POOL_FEE_UNKNOWN'),
  aside(6, 'bad', 'POOL_FORM_UNKNOWN'),
  aside(8, 'empty', 'POOL_EMPTY'),
  // Of a list, whose tokens nobody tells, and a venue whose factory does not answer.
  { ...aside(9, 'bad', 'POOL_CALL_FAILED') },
  { ...aside(10, 'none', 'VENUE_UNREADABLE') },
]
const out = new Set(setAside.map(({ id }) => id))
const read = pools.filter(({ id }) => !out.has(id))
const snapshotOf = (some: readonly Pool[]) => ({ pools: some }) as unknown as Snapshot
const venues = ['good', 'bad', 'tried', 'empty', 'none'].map((id) => ({ id }))
const trials = [{ venue: 'tried', state: 'shadow' }] as unknown as readonly Trial[]
const market = { pools: pools.map(ref), snapshot: snapshotOf(read), setAside, trials }
// The operator refuses a token of pool 4, and one venue has not earned its place.
const served = snapshotOf(read.filter(({ id, venue }) => id !== idOf(4) && venue !== 'tried'))
const worths = new Map(pools.map(({ id }, n) => [id, n === 0 ? 3e18 : 1e18]))

it('counts the pools of each venue by what became of them, and weighs what they hold', () => {
  const shares = venueShares(market, { venues, served, worths })
  const isRefused = false
  expect(shares).toEqual([
    {
      ...{ venue: 'good', pools: 5, served: 2, isRefused },
      ...{ held: { all: 7e18, served: 4e18 }, heldPercent: 57.14 },
      refused: { POOL_FEE_UNKNOWN: 1, TOKEN_TAKES_FEE: 1, TOKEN_UNSUPPORTED: 1 },
    },
    {
      ...{ venue: 'bad', pools: 3, served: 0, isRefused: true },
      ...{ held: { all: 2e18, served: 0 }, heldPercent: 0 },
      refused: { POOL_FEE_UNKNOWN: 1, POOL_FORM_UNKNOWN: 1, POOL_CALL_FAILED: 1 },
    },
    {
      ...{ venue: 'tried', pools: 1, served: 0, refused: { VENUE_ON_TRIAL: 1 }, isRefused },
      ...{ held: { all: 1e18, served: 0 }, heldPercent: 0 },
    },
    {
      ...{ venue: 'empty', pools: 1, served: 0, refused: { POOL_EMPTY: 1 }, isRefused },
      ...{ held: { all: 1e18, served: 0 }, heldPercent: 0 },
    },
    { venue: 'none', pools: 0, served: 0, refused: {}, isRefused, heldPercent: null },
  ])
})

it('refuses a venue whose served pools hold next to nothing, because anybody can add one', () => {
  const dust = new Map([...worths, [idOf(5), 1]])
  const withDust = { ...served, pools: [...served.pools, pool(5, 'bad')] }
  const shares = venueShares(market, { venues, served: withDust, worths: dust })
  expect(shares.find(({ venue }) => venue === 'bad')).toMatchObject({
    ...{ served: 1, heldPercent: 0, isRefused: true },
  })
  expect(describeShares(shares)).toContain('1 of 3 of bad')
})

it('names the venue of which no pool is served in a sentence, and not one that waits or is empty', () => {
  const shares = venueShares(market, { venues, served, worths })
  expect(describeShares(shares)).toBe(
    '2 of 10 known pools are served, 36.36 % of what pools hold; none of 3 of bad (1 POOL_CALL_FAILED, 1 POOL_FEE_UNKNOWN, 1 POOL_FORM_UNKNOWN)',
  )
  const unweighed = venueShares(market, { venues, served })
  expect(describeShares(unweighed)).not.toContain('%')
})

it('calls a pool that is neither read nor refused one that waits', () => {
  const later = { ...market, pools: [...market.pools, ref(pool(11, 'none'))] }
  const shares = venueShares(later, { venues, served })
  expect(shares.at(-1)!.refused).toEqual({ NOT_READ_YET: 1 })
  expect(shares.filter((one) => one.isRefused).map(({ venue }) => venue)).toEqual(['bad'])
})

let node: ScriptedNode
let client: Client
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
})
afterEach(() => node.stop())

it('reads what pools hold at the prices of the market, of trusted tokens only', async () => {
  node.mine(createPairs(2, [E18, 2n * E18]))
  const venue = { id: 'pairs', family: 'uniswapV2', factory: toHex(0xfac7, 20) } as const
  const loaded = await loadSnapshot(client, { wrappedNative: A, venues: [venue] })
  // Every token answers a balance of 10^24; the second is worth half of the native one, the third a quarter.
  const values = [...(await readWorths(client, loaded.state)).values()]
  expect(values.map((value) => Math.round(value / 1e22))).toEqual([150, 75])
  const trusted = await readWorths(client, loaded.state, new Set([A, NATIVE]))
  expect([...trusted.values()]).toEqual([1e24, 0])
})
