// A chain of four pairs and a sampled pool that tests write block by block, and the market that follows it.
import type { Address } from '@braid-swap/core'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, expect } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { advanceMarket, type Target } from '../market/advanceMarket.js'
import type { FollowOptions } from '../market/followMarket.js'
import { loadSnapshot } from '../market/loadMarket.js'
import type { Market } from '../market/market.js'
import type { DriftError } from '../market/syncErrors.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import { readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import { changed } from './changed.js'
import {
  type Asked,
  type Change,
  createPairs,
  pairAt,
  pairVenue,
  type ScriptedNode,
  sample,
  sampledAt,
  sampledVenue,
  startScriptedNode,
  TOKENS,
  trade,
} from './scriptedNode.js'
import { watchSteps } from './watchSteps.js'

export const venues = [pairVenue, sampledVenue]
export const [wrappedNative] = TOKENS as [Address]
export const E18 = 10n ** 18n
export const PAIRS = [0, 1, 2, 3].map(pairAt)
export const [p0, p1, p2] = PAIRS as [Address, Address, Address]

export let node: ScriptedNode
export let client: Client
const nodes: ScriptedNode[] = []

/** A node of its own, for a test or a drawn case of one. */
export async function start() {
  node = await startScriptedNode()
  nodes.push(node)
  client = createClient(node.url)
  node.mine(createPairs(PAIRS.length, [E18, 2n * E18]), sample(sampledAt(0), 1_500n))
  node.mine()
  node.asked.length = 0
}
/** Each test of a file has a node of its own. */
export function eachOnPairs() {
  beforeEach(start)
  afterEach(() => {
    for (const one of nodes.splice(0)) one.stop()
  })
}

export const load = (by: Client = client) => loadSnapshot(by, { venues, wrappedNative })
export const headNow = async (by: Client = client) => ({
  header: await readHeader(by, 'latest'),
  receivedAtMs: 1,
})
export const advanced = async (market: Market, more: Partial<Target> = {}) =>
  advanceMarket(client, market, { head: await headNow(), venues, ...more })

/** Of a market, what must not depend on how it was reached. */
function essence({ state: { snapshot, pools, setAside }, trust: { flawed } }: Market) {
  const byId = <T extends { readonly id: string }>(list: readonly T[]) =>
    [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
  const { gasPrice: _, ...block } = snapshot.block
  const tokens = snapshot.tokens.map(({ address }) => address).sort()
  // A pool of an abandoned branch may stay set aside.
  const exists = ({ id }: { readonly id: string }) => {
    const { pairs, rates } = node.head().state
    return pairs.has(id as Address) || rates.has(id as Address)
  }
  const refs = byId(pools)
    .filter(exists)
    .map(({ id }) => id)
  const aside = byId(setAside)
    .filter(exists)
    .map(({ id, code }) => [id, code])
  return { block, tokens, refs, aside, flawed, pools: byId(snapshot.pools) }
}

export async function expectFresh(market: Market) {
  const { tamper } = node
  node.tamper = (_, honest) => honest()
  const fresh = await load(createClient(node.url))
  node.tamper = tamper
  expect(essence(market)).toEqual(essence(fresh))
}

export const methods = () => node.asked.map(({ method }) => method)
export const reservesOf = ({ state: { snapshot } }: Market, id: Address) => {
  const pool = snapshot.pools.find((one) => one.id === id)
  return pool && 'reserves' in pool ? pool.reserves : undefined
}

export const withoutReceipts = ({ method }: { readonly method: string }) => {
  if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
}

/** A block that is not proved without receipts, because its bloom filter names a pool. */
export const busy = (...changes: readonly Change[]) =>
  void node.mine(trade(p0, [E18, E18]), ...changes)

/** The market without the pools that are sampled in every block. */
export function withoutSampled(market: Market): Market {
  const pools = market.state.snapshot.pools.filter(({ family }) => family !== 'ladder')
  return changed(market, {
    pools: market.state.pools.filter(({ family }) => family !== 'ladder'),
    snapshot: { ...market.state.snapshot, pools },
  })
}

export const watch = (
  start: Market,
  steps: readonly (() => void)[],
  options: Partial<FollowOptions> = {},
) => watchSteps(node, steps, { client, venues, start, ...options })

/** Tokens are tested again in some rounds, by calls to themselves. */
export const isOfReserves = ({ method, params }: Asked) =>
  method === 'eth_call' && JSON.stringify(params).includes(GET_RESERVES.slice(2))
export const quiet = () => {
  node.mine()
}
export const times = (length: number, step = quiet) => Array.from({ length }, () => step)
export const drifted = (errors: readonly unknown[]) =>
  errors.map((error) => (error as DriftError).details['pool'])
