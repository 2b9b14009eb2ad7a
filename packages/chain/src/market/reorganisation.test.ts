// What a market keeps where the head is on another branch, or comes from an endpoint that lags.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { readHeader } from '../reads/headers.js'
import { changed } from '../testing/changed.js'
import {
  createPair,
  pairAt,
  pairVenue,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  trade,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { advanceMarket, type Target } from './advanceMarket.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'

const E18 = 10n ** 18n
const [p0, p1, p2] = [0, 1, 2].map(pairAt) as [Address, Address, Address]
const tokens = [TOKENS[0]!, TOKENS[1]!] as const
const venues = [pairVenue]

let node: ScriptedNode
let client: Client
let market: Market
beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(createPair(p0, tokens, [E18, E18]), createPair(p1, tokens, [E18, E18]))
  market = await loadSnapshot(client, { venues, wrappedNative: TOKENS[0]! })
})
afterEach(() => node.stop())

const advanced = async (of: Market, { at = 'latest', ...more }: Partial<Target> & At = {}) =>
  advanceMarket(client, of, {
    ...{ venues, head: { header: await readHeader(client, at), receivedAtMs: 1 }, ...more },
  })
type At = { readonly at?: bigint | 'latest' }
const numberOf = ({ state }: Market) => state.snapshot.block.number
const idsOf = (pools: readonly { readonly id: string }[]) => pools.map(({ id }) => id)

it('stays at its block where the head is an earlier one, unless its own is gone', async () => {
  for (let i = 0; i < 5; i++) node.mine()
  const next = await advanced(market)
  // The blocks between have no log that names them.
  expect(next.cursor.trail.map(({ number }) => number)).toEqual([1n, 6n])
  expect(await advanced(next, { at: 4n })).toBe(next)
  node.undo(2)
  expect(numberOf(await advanced(next))).toBe(4n)
})

it('refuses a head before all blocks that it knows', async () => {
  node.mine()
  const later = await loadSnapshot(client, { venues, wrappedNative: TOKENS[0]! })
  await expect(advanced(later, { at: 1n })).rejects.toMatchObject({
    ...{ code: 'HEAD_BEHIND', details: { got: '1', oldest: '2' } },
  })
  // A block of the same height is on another branch.
  node.undo(1)
  node.mine(trade(p0, [2n * E18, E18]))
  const other = await advanced(later)
  expect(other.state.snapshot.block.hash).toBe(node.head().hash)
  expect(idsOf(other.state.snapshot.pools)).toEqual(idsOf(later.state.snapshot.pools))
})

it('has the pools that were found since the market from which it resumes, except those of the other branch', async () => {
  const isKnown = ({ id }: { readonly id: Address }) => id !== p1
  const { snapshot, pools } = market.state
  const first = changed(market, {
    pools: pools.filter(isKnown),
    snapshot: { ...snapshot, pools: snapshot.pools.filter(isKnown) },
  })
  node.mine()
  const second = await advanced(first)
  node.mine(createPair(p2, tokens, [E18, E18]))
  const third = await advanced(changed(second, { pools }))
  expect(idsOf(third.state.pools).sort()).toEqual([p0, p1, p2])
  node.undo(1)
  for (let i = 0; i < 2; i++) node.mine()
  const resumed = await advanced(third, { past: [first, second] })
  expect(idsOf(resumed.state.pools).sort()).toEqual([p0, p1])
  expect(idsOf(resumed.state.snapshot.pools)).toEqual([TOKENS[0], p0, p1])
  // It was resumed from the newest market that is still on the chain, not from the trail.
  expect(resumed.cursor.trail.map(({ number }) => number)).toEqual([1n, 2n, 4n])
})

it('fails where the chain moves on its own branch, and changes nothing', async () => {
  node.mine(trade(p0, [2n * E18, E18]))
  node.tamper = ({ method }, honest) => {
    if (method !== 'eth_getBlockByNumber') return honest()
    return { ...(honest() as object), parentHash: toHex(7, 32) }
  }
  await expect(advanced(market)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
  node.tamper = (_, honest) => honest()
  expect(numberOf(await advanced(market))).toBe(2n)
})
