// Loads, follows, audits and undoes a chain that the tests write block by block: whatever happens, the
// market is the one that a new load reads.
import type { Address } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import { readHeader } from '../reads/headers.js'
import { changed } from '../testing/changed.js'
import {
  type Asked,
  answerKey,
  type Change,
  createPair,
  createPairs,
  FACTORY,
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
  unknownLog,
} from '../testing/scriptedNode.js'
import { watchSteps } from '../testing/watchSteps.js'
import type { Client } from '../transport/client.js'
import { startTrials } from '../trust/trials.js'
import { tryAtOnce } from '../trust/tryVenues.js'
import { advanceMarket, type Target } from './advanceMarket.js'
import { auditPools } from './auditPools.js'
import type { FollowOptions } from './followMarket.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'
import { DriftError } from './syncErrors.js'

const RUNS = 5
const venues = [pairVenue, sampledVenue]
const [wrappedNative] = TOKENS as [Address]
const E18 = 10n ** 18n
const PAIRS = [0, 1, 2, 3].map(pairAt)
const [p0, p1, p2] = PAIRS as [Address, Address, Address]

let node: ScriptedNode
let client: Client
const nodes: ScriptedNode[] = []

/** A node of its own, for a test or a drawn case of one. */
async function start() {
  node = await startScriptedNode()
  nodes.push(node)
  client = createClient(node.url)
  node.mine(createPairs(PAIRS.length, [E18, 2n * E18]), sample(sampledAt(0), 1_500n))
  node.mine()
  node.asked.length = 0
}
beforeEach(start)
afterEach(() => {
  for (const one of nodes.splice(0)) one.stop()
})

const load = (by = client) => loadSnapshot(by, { venues, wrappedNative })
const headNow = async (by = client) => ({
  header: await readHeader(by, 'latest'),
  receivedAtMs: 1,
})
const advanced = async (market: Market, more: Partial<Target> = {}) =>
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

async function expectFresh(market: Market) {
  const { tamper } = node
  node.tamper = (_, honest) => honest()
  const fresh = await load(createClient(node.url))
  node.tamper = tamper
  expect(essence(market)).toEqual(essence(fresh))
}

const methods = () => node.asked.map(({ method }) => method)
const reservesOf = ({ state: { snapshot } }: Market, id: Address) => {
  const pool = snapshot.pools.find((one) => one.id === id)
  return pool && 'reserves' in pool ? pool.reserves : undefined
}

const withoutReceipts = ({ method }: { readonly method: string }) => {
  if (method === 'eth_getBlockReceipts') throw new Refusal(-32601, 'no receipts')
}

/** A block that is not proved without receipts, because its bloom filter names a pool. */
const busy = (...changes: readonly Change[]) => void node.mine(trade(p0, [E18, E18]), ...changes)

describe('a load', () => {
  it('has every pool of the venues at one block, and what it cannot serve with the reason', async () => {
    node.mine(({ answers }) => {
      answers.set(answerKey(p1, GET_RESERVES), '0x')
      answers.set(answerKey(TOKENS[3]!, '0x313ce567'), '0x')
      return []
    })
    const market = await load()
    expect(market.state.snapshot.block).toMatchObject({
      ...{ number: 3n, hash: node.head().hash, gasLimit: 3_000_000n, gasPrice: 100n },
    })
    const codes = Object.fromEntries(market.state.setAside.map(({ id, code }) => [id, code]))
    expect(codes).toEqual({
      [p1]: 'POOL_CALL_FAILED',
      [p2]: 'TOKEN_WITHOUT_DECIMALS',
      [PAIRS[3]!]: 'TOKEN_WITHOUT_DECIMALS',
    })
    expect(market.trust.flawed.map(({ address }) => address)).toEqual([TOKENS[3]])
    expect(market.state.snapshot.pools.map(({ id }) => id).sort()).toEqual(
      [wrappedNative, p0, sampledAt(0)].sort(),
    )
    expect(reservesOf(market, p0)).toEqual([E18, 2n * E18])
    expect(market.state.pools).toHaveLength(5)
  })

  it('takes the gas limit of the smaller of two blocks, and so does a round', async () => {
    node.mine()
    const small = await load()
    node.tamper = ({ method, params }, honest) => {
      const answer = honest()
      const isHead = method === 'eth_getBlockByNumber' && params[0] === 'latest'
      return isHead ? { ...(answer as object), gasLimit: '0x1c9c380' } : answer
    }
    expect((await load()).state.snapshot.block.gasLimit).toBe(3_000_000n)
    node.mine()
    expect((await advanced(small)).state.snapshot.block.gasLimit).toBe(3_000_000n)
  })

  it('serves sampled pools uncompared where no book answers, and says so', async () => {
    const guard = { books: [{ token: TOKENS[1]!, asset: 10_107 }], units: [], maxOffBps: 1_000_000 }
    const market = await loadSnapshot(client, { venues, wrappedNative, guard })
    expect(market.trust.pricesCompared).toBe(false)
    expect(market.state.setAside).toEqual([])
    await expectFresh(market)
  })

  it('of another chain, or without the wrapped token, is an error', async () => {
    await expect(
      loadSnapshot(client, { venues, wrappedNative: toHex(0xdead, 20) }),
    ).rejects.toMatchObject({ code: 'NO_WRAPPED_NATIVE' })
    node.tamper = ({ method }, honest) => (method === 'eth_chainId' ? '0x1' : honest())
    await expect(load()).rejects.toMatchObject({ code: 'WRONG_CHAIN' })
  })

  it('is one block although the node answers calls from its newest', async () => {
    node.isLatestOnly = true
    let calls = 0
    node.tamper = ({ method, params }, honest) => {
      const isBatch = method === 'eth_call' && 'to' in (params[0] as object)
      if (isBatch && ++calls < 12) node.mine(trade(PAIRS[calls % 4]!, [E18, BigInt(calls) * E18]))
      return honest()
    }
    const market = await load()
    expect(market.state.snapshot.block.number).toBeGreaterThan(2n)
    node.tamper = (_, honest) => honest()
    await expectFresh(await advanced(market))
  })
})

type Step = { readonly changes: readonly Change[]; readonly undo: number; readonly isSeen: boolean }

const anyReserves = fc.tuple(
  fc.bigInt({ min: E18, max: 9n * E18 }),
  fc.bigInt({ min: E18, max: 9n * E18 }),
)
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...PAIRS), anyReserves).map(([id, r]) => trade(id, r)),
  },
  fc.constantFrom(...PAIRS).map(unknownLog),
  fc.tuple(fc.integer({ min: 4, max: 6 }), anyReserves).map(
    ([i, reserves]): Change =>
      (state) =>
        state.pairs.has(pairAt(i))
          ? []
          : createPair(pairAt(i), [TOKENS[0]!, TOKENS[(i % 3) + 1]!], reserves)(state),
  ),
  fc.bigInt({ min: 500n, max: 2_000n }).map((rate) => sample(sampledAt(0), rate)),
)
const anyStep: fc.Arbitrary<Step> = fc.record({
  changes: fc.array(anyChange, { maxLength: 3 }),
  undo: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  isSeen: fc.boolean(),
})

/** Writes steps, and follows those that are seen. */
async function follow(before: Market, steps: readonly Step[]): Promise<Market> {
  let market = before
  let past: readonly Market[] = []
  for (const { changes, undo, isSeen } of steps) {
    const undone = Math.min(undo, node.blocks.length - 4)
    if (undone > 0) node.undo(undone)
    for (let i = 0; i < Math.max(0, undone); i++) node.mine()
    node.mine(...changes)
    if (!isSeen) continue
    const next = await advanced(market, { past })
    const known = new Set(next.cursor.trail.map(({ hash }) => hash))
    past = [...past, market].filter(({ state }) => known.has(state.snapshot.block.hash))
    market = next
  }
  return market
}

describe('a followed market equals a new load', () => {
  it.each([
    ['by receipts', false, true],
    ['by ranges of logs', false, false],
    ['where calls are answered from the newest block', true, true],
  ])('%s, after any blocks and reorganisations', async (_, isLatestOnly, hasReceipts) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
        await start()
        node.isLatestOnly = isLatestOnly
        node.tamper = (asked, honest) => {
          if (!hasReceipts) withoutReceipts(asked)
          return honest()
        }
        for (let i = 0; i < 4; i++) node.mine()
        const first = await load()
        const last: Step = { changes: [], undo: 0, isSeen: true }
        await expectFresh(await follow(first, [...steps, last]))
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('a round after the newest logs were incomplete', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        async (steps, from) => {
          await start()
          const before = await load()
          node.tamper = (asked, honest) => {
            withoutReceipts(asked)
            const answer = honest()
            if (asked.method !== 'eth_getLogs') return answer
            const newest = BigInt(node.head().number)
            return (answer as readonly NodeLog[]).filter(
              ({ blockNumber, logIndex }) =>
                BigInt(blockNumber) !== newest || Number(logIndex) < from,
            )
          }
          const late = await follow(
            before,
            steps.map((step) => ({ ...step, undo: 0 })),
          )
          node.tamper = (asked, honest) => {
            withoutReceipts(asked)
            return honest()
          }
          const done = [1, 2].map(
            (): Step => ({ changes: [trade(p0, [E18, E18])], undo: 0, isSeen: true }),
          )
          await expectFresh(await follow(late, done))
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})

describe('a reorganisation', () => {
  it('between two blocks of one round keeps the pools created before it', async () => {
    const before = await load()
    node.mine(createPair(pairAt(4), [TOKENS[0]!, TOKENS[1]!], [E18, E18]))
    node.mine(createPair(pairAt(5), [TOKENS[0]!, TOKENS[2]!], [E18, E18]))
    const market = await advanced(before)
    expect(market.cursor.trail.map(({ created }) => created)).toEqual([
      [],
      [pairAt(4)],
      [pairAt(5)],
    ])
    node.undo(1)
    node.mine(trade(pairAt(4), [3n * E18, E18]))
    node.mine()
    await expectFresh(await advanced(market))
  })

  it.each([
    ['as high', 1],
    ['lower', 2],
  ])('to a head that is %s is followed', async (_, undone) => {
    const before = await load()
    node.mine(trade(p0, [3n * E18, E18]))
    node.mine(trade(p2, [5n * E18, E18]))
    const market = await advanced(before)
    node.undo(undone)
    node.mine(trade(p1, [4n * E18, E18]))
    await expectFresh(await advanced(market))
  })

  it('deeper than the trail, and a head before it, are told apart', async () => {
    const before = await load()
    for (let i = 0; i < 70; i++) node.mine(trade(p0, [E18, BigInt(i + 1) * E18]))
    let market = before
    market = await advanced(market)
    expect(market.cursor.trail).toHaveLength(64)
    expect(market.cursor.trail.at(-1)).toMatchObject({ number: 72n, hash: node.head().hash })
    const old = { header: await readHeader(client, 5n), receivedAtMs: 1 }
    await expect(advanceMarket(client, market, { head: old, venues })).rejects.toMatchObject({
      code: 'HEAD_BEHIND',
    })
    const recent = { header: await readHeader(client, 70n), receivedAtMs: 1 }
    expect(await advanceMarket(client, market, { head: recent, venues })).toBe(market)
    node.undo(68)
    for (let i = 0; i < 69; i++) node.mine(trade(p1, [E18, BigInt(i + 1) * E18]))
    await expectFresh(await advanced(market))
  })

  it('leaves no state of one branch in a market of another, where calls are answered from the newest block', async () => {
    const market = withoutSampled(await load())
    node.mine(unknownLog(p0))
    node.mine()
    const head = await headNow()
    node.isLatestOnly = true
    node.tamper = ({ method }, honest) => {
      if (method !== 'eth_call') return honest()
      node.tamper = (_, answer) => answer()
      node.undo(3)
      node.mine(silently(p0, [9n * E18, E18]))
      node.mine()
      return honest()
    }
    const after = await advanceMarket(client, market, { head, venues: [pairVenue] })
    expect(after.state.snapshot.block.hash).toBe(node.head().hash)
    expect(reservesOf(after, p0)).toEqual([9n * E18, E18])
  })

  it('resumes from the past market, and reads nothing that logs tell', async () => {
    const first = await load()
    node.mine(trade(p0, [3n * E18, E18]))
    const second = await advanced(first)
    node.undo(1)
    node.mine(trade(p1, [4n * E18, E18]))
    node.mine()
    node.asked.length = 0
    const third = await advanced(second, { past: [first] })
    expect(reservesOf(third, p0)).toEqual([E18, 2n * E18])
    expect(reservesOf(third, p1)).toEqual([4n * E18, E18])
    await expectFresh(third)
  })
})

describe('a round', () => {
  it('asks for the head and its receipts, and no more', async () => {
    const market = await load()
    node.mine(trade(p0, [3n * E18, E18]), unknownLog(FACTORY))
    node.asked.length = 0
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_call') throw new Refusal(-32000, 'no call is needed')
      return honest()
    }
    const next = await advanceMarket(client, withoutSampled(market), {
      head: await headNow(),
      venues: [pairVenue],
    })
    expect(methods()).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
    expect(reservesOf(next, p0)).toEqual([3n * E18, E18])
    expect(next.cursor.trail.at(-1)!.touched).toEqual([p0])
    expect(next.state.receivedAtMs).toBe(1)
    expect(next.state.snapshot.block.gasPrice).toBe(100n)
  })

  it('of many blocks asks for the head and one range, from the block known before', async () => {
    const market = await load()
    for (let i = 1; i < 9; i++) node.mine(trade(PAIRS[i % 4]!, [E18, BigInt(i) * E18]))
    node.asked.length = 0
    const next = await advanceMarket(client, withoutSampled(market), {
      head: await headNow(),
      venues: [pairVenue],
    })
    // Block 2 has no log that could name its hash.
    expect(methods()).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getBlockByNumber'])
    const [{ params }] = node.asked.filter(({ method }) => method === 'eth_getLogs') as [Asked]
    expect(params).toEqual([{ fromBlock: '0x2', toBlock: '0xa' }])
    expect(reservesOf(next, p0)).toEqual([E18, 8n * E18])
  })

  it('reads a pool again that could not be read, in the next block and then after as many as it failed', async () => {
    let market = await load()
    node.mine(unknownLog(p0), ({ answers }) => {
      answers.set(answerKey(p0, GET_RESERVES), '0x')
      return []
    })
    const reads: bigint[] = []
    for (let i = 0; i < 12; i++) {
      node.asked.length = 0
      market = await advanced(market)
      const isRead = node.asked.some(({ params }) => JSON.stringify(params).includes(p0.slice(2)))
      if (isRead) reads.push(market.state.snapshot.block.number)
      expect(market.state.setAside.map(({ id, code }) => [id, code])).toEqual([
        [p0, 'POOL_CALL_FAILED'],
      ])
      expect(reservesOf(market, p0)).toBeUndefined()
      node.mine()
    }
    expect(reads).toEqual([3n, 4n, 5n, 7n, 11n])
    node.mine(({ answers }) => {
      answers.clear()
      return []
    })
    for (let i = 0; i < 8; i++) {
      market = await advanced(market)
      node.mine()
    }
    await expectFresh(await advanced(market))
  })

  it.each([
    ['with the whole batch', true],
    ['and leaves the batch its last 64th', false],
  ])('tries a pool that burns all gas, %s, by one request when it is due', async (_, isWhole) => {
    let market = withoutSampled(await load())
    node.tamper = ({ method, params }, honest) => {
      const isOfPool = JSON.stringify(params).includes(p0.slice(2))
      if (method === 'eth_call' && isOfPool && isWhole) throw new Refusal(-32000, 'out of gas')
      return honest()
    }
    node.mine(unknownLog(p0), ({ answers }) => {
      if (!isWhole) answers.set(answerKey(p0, GET_RESERVES), '0x')
      return []
    })
    const calls: number[] = []
    for (let i = 0; i < 9; i++) {
      node.asked.length = 0
      const head = await headNow()
      market = await advanceMarket(client, market, { head, venues: [pairVenue] })
      calls.push(methods().filter((method) => method === 'eth_call').length)
      node.mine(unknownLog(p0))
    }
    expect(calls.slice(1)).toEqual([1, 1, 0, 1, 0, 0, 0, 1])
  })

  it('reads pools that join, and none whose token is flawed', async () => {
    const before = await load()
    const kept = changed(before, { pools: before.state.pools.filter(({ id }) => id !== p1) })
    const { snapshot } = before.state
    const pools = snapshot.pools.filter(({ id }) => id !== p1)
    const without = changed(kept, { snapshot: { ...snapshot, pools } })
    node.mine()
    const next = await advanced(changed(without, { pools: before.state.pools }))
    await expectFresh(next)
    const banned = changed(without, {
      pools: before.state.pools,
      setAside: [{ id: p1, venue: 'pairs', code: 'TOKEN_STUCK', message: '' }],
    })
    node.mine(trade(p1, [7n * E18, E18]), unknownLog(p1))
    const after = await advanced(banned)
    expect(reservesOf(after, p1)).toBeUndefined()
    expect(after.state.setAside.map(({ id }) => id)).toEqual([p1])
  })

  it('has the gas price of the block after its own, and keeps it while one is absurd', async () => {
    const market = await load()
    expect(market.state.snapshot.block.gasPrice).toBe(100n)
    const told = (baseFeePerGas: string) => {
      node.mine()
      node.tamper = ({ method }, honest) => {
        const answer = honest() as object
        return method === 'eth_getBlockByNumber' ? { ...answer, baseFeePerGas } : answer
      }
    }
    told('0x78')
    const next = await advanced(market)
    expect(next.state.snapshot.block.gasPrice).toBe(120n)
    told('0xffffff')
    const absurd = await advanced(next)
    expect(absurd.state.snapshot.block.gasPrice).toBe(120n)
    expect(absurd.state.gasPrices!.fault).toMatchObject({ code: 'GAS_PRICE_ABSURD' })
    told('0x70')
    const after = await advanced(absurd)
    expect(after.state.snapshot.block.gasPrice).toBe(112n)
    expect(after.state.gasPrices).not.toHaveProperty('fault')
  })
})

/** The market without the pools that are sampled in every block. */
function withoutSampled(market: Market): Market {
  const pools = market.state.snapshot.pools.filter(({ family }) => family !== 'ladder')
  return changed(market, {
    pools: market.state.pools.filter(({ family }) => family !== 'ladder'),
    snapshot: { ...market.state.snapshot, pools },
  })
}

describe('an audit', () => {
  const audit = (market: Market, ids: readonly Address[]) =>
    auditPools(client, market, { ids, venues })

  it('changes nothing where the logs told everything', async () => {
    node.mine(trade(p0, [3n * E18, E18]))
    const market = await load()
    expect(await audit(market, [p0, p1])).toEqual({ market, compared: 2, drifts: [] })
  })

  it('finds what no log told, and takes the state of the chain', async () => {
    const market = await load()
    node.mine(silently(p0, [5n * E18, E18]), trade(p1, [2n * E18, E18]))
    const next = await advanced(market)
    const { market: after, compared, drifts } = await audit(next, [p0, p1, sampledAt(0)])
    expect(compared).toBe(2)
    expect(drifts.map(({ details }) => details)).toEqual([{ pool: p0, block: '3' }])
    expect(reservesOf(after, p0)).toEqual([5n * E18, E18])
    await expectFresh(after)
  })

  it('compares copies that only logs carried, where the node answers from its newest block', async () => {
    const market = await load()
    node.isLatestOnly = true
    node.tamper = ({ method }, honest) => {
      if (method !== 'eth_call') return honest()
      node.tamper = (_, answer) => answer()
      node.mine(trade(p0, [7n * E18, E18]), silently(p1, [8n * E18, E18]))
      return honest()
    }
    const { market: after, compared, drifts } = await audit(market, [p0, p1])
    expect(compared).toBe(2)
    expect(drifts.map(({ details }) => details['pool'])).toEqual([p1])
    expect(after.state.snapshot.block.number).toBe(3n)
    await expectFresh(after)
  })

  it('of a block that is gone compares nothing', async () => {
    const market = await load()
    node.undo(1)
    node.mine()
    expect(await audit(market, [p0])).toEqual({ market, compared: 0, drifts: [] })
  })
})

const watch = (
  start: Market,
  steps: readonly (() => void)[],
  options: Partial<FollowOptions> = {},
) => watchSteps(node, steps, { client, venues, start, ...options })

/** Tokens are tested again in some rounds, by calls to themselves. */
const isOfReserves = ({ method, params }: Asked) =>
  method === 'eth_call' && JSON.stringify(params).includes(GET_RESERVES.slice(2))
const quiet = () => {
  node.mine()
}
const times = (length: number, step = quiet) => Array.from({ length }, () => step)
const drifted = (errors: readonly unknown[]) =>
  errors.map((error) => (error as DriftError).details['pool'])

describe('following', () => {
  it('yields each new market once, in order, and joins new pools', async () => {
    const start = await load()
    const hidden = changed(start, { pools: start.state.pools.filter(({ id }) => id !== p2) })
    const found = start.state.pools.filter(({ id }) => id === p2)
    let given = false
    const { seen, errors } = await watch(hidden, [quiet, () => {}, quiet, quiet], {
      newPools: () => {
        if (given) return []
        given = true
        return [...found, ...found]
      },
    })
    expect(errors).toEqual([])
    expect(seen.map(({ state }) => state.snapshot.block.number)).toEqual([3n, 4n, 5n])
    expect(seen.at(-1)!.state.pools).toHaveLength(5)
    await expectFresh(seen.at(-1)!)
  })

  it('keeps the market when a round fails, and tries the same head again', async () => {
    const start = await load()
    let failures = 0
    node.tamper = ({ method }, honest) => {
      if (method === 'eth_getBlockReceipts' && failures++ < 1) throw new Refusal(429, 'busy')
      return honest()
    }
    const { seen, errors } = await watch(
      withoutSampled(start),
      [() => void node.mine(trade(p0, [9n * E18, E18])), () => {}, () => {}],
      { venues: [pairVenue], client: createClient(node.url, { retryCount: 0 }) },
    )
    expect(errors).toHaveLength(1)
    expect(seen.map((market) => reservesOf(market, p0))).toEqual([[9n * E18, E18]])
  })

  it('compares all pools every eighth round, and reports one that no log changed', async () => {
    const start = await load()
    const steps = [...times(3), () => void node.mine(silently(p1, [5n * E18, E18])), ...times(12)]
    node.asked.length = 0
    const { seen, errors } = await watch(start, steps, { auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1])
    expect(errors[0]).toMatchObject({ details: { block: '11' } })
    expect(seen.map((market) => reservesOf(market, p1)![0] === E18)).toEqual(
      seen.map((_, i) => i < 8),
    )
    await expectFresh(seen.at(-1)!)
  })

  it('compares pools in every round whose logs are not proved, where requests are not limited', async () => {
    const start = await load()
    node.tamper = (one, honest) => {
      withoutReceipts(one)
      return honest()
    }
    const steps = [5n, 6n, 7n].flatMap((x) => [
      ...[() => busy(), () => busy(silently(p1, [x * E18, E18]))],
    ])
    const { seen, errors } = await watch(start, steps, { auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1, p1, p1])
    expect(seen.map((market) => reservesOf(market, p1)![0] / E18)).toEqual([1n, 5n, 5n, 6n, 6n, 7n])
  })

  it('compares pools in every round after the logs of a limited node were wrong', async () => {
    const start = await load()
    node.tamper = (one, honest) => {
      withoutReceipts(one)
      return honest()
    }
    const steps = [5n, 6n, 7n].flatMap((x) => [
      ...[
        () => busy(silently(p1, [x * E18, E18])),
        ...Array.from({ length: 9 }, () => () => busy()),
      ],
    ])
    const limited = createClient(node.url, { requestsPerMinute: 1_000_000 })
    const { seen, errors } = await watch(start, steps, { auditEvery: 0, client: limited })
    expect(drifted(errors)).toEqual([p1, p1, p1])
    const wrong = seen.map((market) => {
      const [x] = reservesOf(market, p1)!
      const blocks =
        Number(market.state.snapshot.block.number) - Number(start.state.snapshot.block.number)
      return x !== BigInt(5 + Math.floor((blocks - 1) / 10)) * E18
    })
    expect(wrong.filter(Boolean)).toHaveLength(8)
    expect(wrong.slice(8).some(Boolean)).toBe(false)
  })

  it('decides a comparison that a later block answered by the logs up to it', async () => {
    const start = withoutSampled(await load())
    node.isLatestOnly = true
    const glances: number[] = []
    const steps = [() => void node.mine(silently(p1, [5n * E18, E18])), ...times(13)]
    node.tamper = (one, honest) => {
      if (!isOfReserves(one)) return honest()
      glances.push(node.head().number)
      // The block after the one that is compared, with a trade that explains the other difference.
      if (glances.length === 1) node.mine(trade(p0, [3n * E18, E18]))
      return honest()
    }
    const { seen, errors } = await watch(start, steps, { venues: [pairVenue], auditEvery: 0 })
    expect(drifted(errors)).toEqual([p1])
    // The comparison, its repetition for one pool, and the read of that pool.
    const [first, ...more] = glances
    expect(more.map((at) => at - first!)).toEqual([3, 3])
    expect(reservesOf(seen.at(-1)!, p1)).toEqual([5n * E18, E18])
  })

  it('audits pools in turn, those that changed first', async () => {
    const start = withoutSampled(await load())
    const audits: number[] = []
    const asked: Address[] = []
    node.tamper = (one, honest) => {
      const text = JSON.stringify(one.params)
      if (isOfReserves(one)) asked.push(...PAIRS.filter((id) => text.includes(id.slice(2))))
      return honest()
    }
    const both = () => void node.mine(trade(p2, [3n * E18, E18]), trade(p0, [3n * E18, E18]))
    const steps = [quiet, both, ...times(5)]
    await watch(start, steps, {
      ...{ venues: [pairVenue], auditEvery: 2, auditedPools: 1 },
      onAudit: ({ compared }) => audits.push(compared),
    })
    expect(audits).toEqual([1, 1, 1])
    expect(asked).toEqual([p0, p2, p0])
  })

  it('takes the chain’s state after an audit that found a drift, and forgets earlier markets', async () => {
    const start = withoutSampled(await load())
    const steps = [() => void node.mine(silently(p0, [6n * E18, E18])), ...times(2)]
    const { seen, errors } = await watch(start, steps, {
      ...{ venues: [pairVenue], auditEvery: 2, auditedPools: 4 },
    })
    expect(drifted(errors)).toEqual([p0])
    expect(errors[0]).toBeInstanceOf(DriftError)
    expect(reservesOf(seen.at(-1)!, p0)).toEqual([6n * E18, E18])
  })
})

it('says of a venue with dry pools only that it has nothing to try', async () => {
  node.mine(...PAIRS.map((id) => trade(id, [1n, 1n])))
  const market = startTrials(await load(), [pairVenue], new Map())
  const {
    trust: { trials },
  } = await tryAtOnce(client, market, { router: FACTORY, executor: FACTORY })
  expect(trials).toEqual([
    expect.objectContaining({ state: 'shadow', reason: 'no pool with liquidity to try yet' }),
  ])
})
