// How far a market is advanced by logs, and what is read after a block whose logs the node refuses for good.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { UniswapV2Pool } from '@braid-swap/core/families'
import { Refusal } from '@braid-swap/worlds/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../chains/createClient.js'
import type { SetAside } from '../pools/setAside.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import { readHeader } from '../reads/headers.js'
import { isUnderWatch } from '../reads/roundLogs.js'
import { words } from '../testing/loaderAnswers.js'
import {
  type Change,
  createPairs,
  type NodeLog,
  pairAt,
  pairVenue,
  type ScriptedNode,
  sample,
  sampledAt,
  sampledVenue,
  silently,
  startScriptedNode,
  TOKENS,
  trade,
} from '../testing/scriptedNode.js'
import type { Client } from '../transport/client.js'
import { advanceMarket } from './advanceMarket.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'
import { withMostPools } from './mostPools.js'

const E18 = 10n ** 18n
const PAIRS = Array.from({ length: 9 }, (_, i) => pairAt(i))
const [p0, p1] = PAIRS as [Address, Address]
const venues = [pairVenue]

let node: ScriptedNode
let client: Client
let market: Market

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  node.mine(createPairs(PAIRS.length, [E18, E18]))
  market = await loadSnapshot(client, { venues, wrappedNative: TOKENS[0]! })
  node.asked.length = 0
})
afterEach(() => {
  vi.restoreAllMocks()
  node.stop()
})

const advanced = async (of: Market) =>
  advanceMarket(client, of, {
    ...{ venues, head: { header: await readHeader(client, 'latest'), receivedAtMs: 1 } },
  })
const reservesOf = ({ state: { snapshot } }: Market, id: Address) => {
  const pool = snapshot.pools.find((one) => one.id === id)
  return pool && 'reserves' in pool ? pool.reserves : undefined
}
/** The pools whose reserves were read since the test last looked. */
const readPools = () => {
  const calls = JSON.stringify(node.asked.splice(0).filter(({ method }) => method === 'eth_call'))
  const isRead = (id: Address) =>
    calls.includes(id.slice(2)) && calls.includes(GET_RESERVES.slice(2))
  return PAIRS.filter(isRead)
}

it('follows ten thousand blocks by their logs, and loads afresh beyond', async () => {
  node.mine(trade(p0, [2n * E18, E18]))
  for (let i = 1; i < 10_000; i++) node.mine()
  const isLoaded = () => node.asked.some(({ method }) => method === 'eth_chainId')
  expect(reservesOf(await advanced(market), p0)).toEqual([2n * E18, E18])
  expect(isLoaded()).toBe(false)
  node.mine()
  const {
    state: { snapshot },
    cursor: { trail },
  } = await advanced(market)
  expect(isLoaded()).toBe(true)
  expect([snapshot.block.number, trail.length]).toEqual([10_002n, 1])
})

describe('a market', () => {
  it('stays the same at its own block, and at one of an endpoint that lags', async () => {
    expect(await advanced(market)).toBe(market)
    node.mine()
    const next = await advanced(market)
    node.undo(1)
    expect(await advanced(next)).toBe(next)
  })

  it('is loaded at the block that is asked for', async () => {
    node.mine(trade(p0, [2n * E18, E18]))
    const at = (block: bigint) => loadSnapshot(client, { venues, wrappedNative: TOKENS[0]!, block })
    expect(reservesOf(await at(1n), p0)).toEqual([E18, E18])
    expect((await at(1n)).state.snapshot.block.hash).toBe(node.blocks[1]!.hash)
    expect(reservesOf(await at(2n), p0)).toEqual([2n * E18, E18])
  })

  it('has a pool aside while it is empty, and back with its next log', async () => {
    node.mine(trade(p0, [0n, 0n]))
    const empty = await advanced(market)
    expect(empty.state.setAside).toMatchObject([{ id: p0, code: 'POOL_EMPTY' }])
    expect(reservesOf(empty, p0)).toBeUndefined()
    node.mine()
    const still = await advanced(empty)
    expect(still.state.setAside).toEqual(empty.state.setAside)
    node.mine(trade(p0, [E18, 2n * E18]))
    const full = await advanced(still)
    expect([full.state.setAside, reservesOf(full, p0)]).toEqual([[], [E18, 2n * E18]])
  })

  it('keeps saying which venue could not be read', async () => {
    const mute = { ...pairVenue, id: 'mute', factory: toHex(0xdead, 20) }
    const loaded = await loadSnapshot(client, {
      ...{ venues: [pairVenue, mute], wrappedNative: TOKENS[0]! },
    })
    expect(loaded.state.setAside).toMatchObject([{ id: mute.factory, code: 'VENUE_UNREADABLE' }])
    node.mine(trade(p0, [2n * E18, E18]))
    expect((await advanced(loaded)).state.setAside).toEqual(loaded.state.setAside)
  })

  it('has a sampled pool aside while it is off the book, and back in any block', async () => {
    node.mine(sample(sampledAt(0), 1_000n), ({ contracts }) => {
      contracts.set(toHex(0x80e, 20), () => words(1_000_000, 1_000_000))
      contracts.set(toHex(0x80b, 20), () => words(0, 0, 5, 0))
      contracts.set(toHex(0x80c, 20), () => words(0, 0, 0, 0, 0, 0, 2, 0, 0))
      return []
    })
    const guard = {
      books: [{ token: TOKENS[0]!, asset: 10_107 }],
      ...{ units: [TOKENS[1]!], maxOffBps: 100 },
    }
    const sampled = { venues: [sampledVenue], guard }
    const loaded = await loadSnapshot(client, { ...sampled, wrappedNative: TOKENS[0]! })
    const codes: (readonly string[])[] = []
    let next = loaded
    for (const rate of [1_000n, 2_000n, 1_000n]) {
      node.mine(sample(sampledAt(0), rate))
      const head = { header: await readHeader(client, 'latest'), receivedAtMs: 1 }
      next = await advanceMarket(client, next, { ...sampled, head })
      codes.push(next.state.setAside.map(({ code }) => code))
      const isServed = next.state.snapshot.pools.some(({ id }) => id === sampledAt(0))
      expect([isServed, next.trust.pricesCompared]).toEqual([rate === 1_000n, true])
    }
    expect(codes).toEqual([[], ['POOL_OFF_MARKET'], []])
  })
})

describe('a log that the node has only at the second reading', () => {
  /** The markets before and after it has the log, which is of a block between two others. */
  async function late(...after: readonly Change[]) {
    client = createClient(node.url, { requestsPerMinute: 1_000_000 })
    let isHidden = true
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
      if (method !== 'eth_getLogs') return honest()
      const isKept = ({ address, blockNumber }: NodeLog) => address !== p1 || blockNumber !== '0x3'
      return (honest() as readonly NodeLog[]).filter((log) => !isHidden || isKept(log))
    }
    node.mine(trade(p0, [2n * E18, E18]))
    node.mine(trade(p0, [3n * E18, E18]), trade(p1, [3n * E18, E18]))
    node.mine(trade(p0, [4n * E18, E18]), ...after)
    const first = await advanced(market)
    expect(isUnderWatch(client)).toBe(false)
    isHidden = false
    node.mine()
    return [first, await advanced(first)] as const
  }

  it('has its pool read', async () => {
    const [before, after] = await late()
    expect(reservesOf(before, p1)).toEqual([E18, E18])
    expect(reservesOf(after, p1)).toEqual([3n * E18, E18])
  })

  it('has the node watched, although a later log has hidden that it was missing', async () => {
    const [before, after] = await late(trade(p1, [4n * E18, E18]))
    for (const one of [before, after]) expect(reservesOf(one, p1)).toEqual([4n * E18, E18])
    expect(isUnderWatch(client)).toBe(true)
  })
})

describe('a block whose logs the node refuses', () => {
  /** The market after block 2, whose logs nobody gets, and some quiet blocks. */
  async function skipped(change: Change = () => [], beforeCalls = () => {}) {
    node.mine(change)
    node.tamper = ({ method, params }, honest) => {
      if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
      if (method !== 'eth_getLogs') return honest()
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      if (Number(fromBlock) <= 2 && Number(toBlock) >= 2) throw new Refusal(-32602, 'no block 2')
      return honest()
    }
    await expect(advanced(market)).rejects.toThrow()
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000)
    node.asked.length = 0
    beforeCalls()
    return advanced(market)
  }

  it('is skipped after five seconds, and what it changed is found by comparing all pools', async () => {
    const after = await skipped(trade(p0, [7n * E18, E18]))
    expect(after.state.snapshot.block.number).toBe(2n)
    expect(reservesOf(after, p0)).toEqual([7n * E18, E18])
    expect(readPools()).toEqual(PAIRS)
    expect(after.cursor.unproven).toEqual(PAIRS.filter((id) => id !== p0))
  })

  it('has pools read that differ at a later block, where the node answers from its newest', async () => {
    node.isLatestOnly = true
    let isMined = false
    const after = await skipped(trade(p0, [7n * E18, E18]), () => {
      const { tamper } = node
      node.tamper = (asked, honest) => {
        if (asked.method === 'eth_call' && !isMined) {
          isMined = true
          node.mine()
        }
        return tamper(asked, honest)
      }
    })
    expect(isMined).toBe(true)
    expect(after.state.snapshot.block.number).toBe(3n)
    expect(reservesOf(after, p0)).toEqual([7n * E18, E18])
  })

  it('has all other pools read in the round that follows', async () => {
    let next = await skipped()
    expect(next.cursor.unproven).toEqual(PAIRS)
    const rounds: (readonly Address[])[] = []
    for (let i = 0; i < 4; i++) {
      node.mine(silently(PAIRS[8]!, [8n * E18, E18]))
      readPools()
      next = await advanced(next)
      rounds.push(readPools())
    }
    // The first of them compares all once more, because it reads the logs of the refused block again.
    expect(rounds).toEqual([PAIRS, [], [], []])
    expect(next).not.toHaveProperty('unproven')
    expect(reservesOf(next, PAIRS[8]!)).toEqual([8n * E18, E18])
  })
})

it('follows no more than thirty thousand pools: the empty go, the oldest first, and then those of dust', async () => {
  const empty = Array.from({ length: 33_100 }, (_, i) => pairAt(100 + i))
  const aside = (id: Address, code: SetAside['code']): SetAside => {
    return { id, venue: pairVenue.id, code, message: '' }
  }
  const [first] = market.state.pools
  const more = empty.map((id) => ({ ...first!, id }))
  const setAside = empty.map((id, i) => aside(id, i === 0 ? 'POOL_OFF_MARKET' : 'POOL_EMPTY'))
  const { state } = market
  const many = { ...market, state: { ...state, pools: [...state.pools, ...more], setAside } }
  node.mine()
  const after = (await advanced(many)).state
  const known = new Set(after.pools.map(({ id }) => id))
  expect(known.size).toBe(30_000)
  // Those that answers are made from stay, and one that may be deep.
  expect(PAIRS.every((id) => known.has(id))).toBe(true)
  expect([empty[0]!, empty[1]!, empty.at(-1)!].map((id) => known.has(id))).toEqual([
    true,
    false,
    true,
  ])
  expect(after.setAside).toHaveLength(30_000 - PAIRS.length)
  expect(after.snapshot.pools).toHaveLength(state.snapshot.pools.length)
})

it.each([
  ['each with a token of its own', (i: number) => pairAt(50_000 + i), 30_000],
  ['between the same two tokens, of which routes may take each', undefined, 1_000 + PAIRS.length],
] as const)('keeps the deepest of too many pools %s', (_, tokenOf, most) => {
  const { state } = market
  const [deep] = state.snapshot.pools.filter(({ family }) => family === 'uniswapV2')
  const dust = Array.from({ length: 33_100 }, (__, i) => {
    const tokens = [deep!.tokens[0]!, tokenOf?.(i) ?? deep!.tokens[1]!] as const
    const reserves = [1_000_000n, 1_000_000n] as const
    return { ...deep!, tokens, id: pairAt(100 + i), reserves } as UniswapV2Pool
  })
  const refs = dust.map(({ id }) => ({ ...state.pools[0]!, id }))
  const snapshot = { ...state.snapshot, pools: [...state.snapshot.pools, ...dust] }
  const after = withMostPools({ ...state, pools: [...refs, ...state.pools], snapshot })
  const known = new Set(after.pools.map(({ id }) => id))
  expect(PAIRS.every((id) => known.has(id))).toBe(true)
  expect(known.size).toBeLessThanOrEqual(most)
  expect(known.size).toBeGreaterThan(most - PAIRS.length)
  // The wrapped token is no pool of a venue.
  expect(after.snapshot.pools).toHaveLength(known.size + 1)
})
