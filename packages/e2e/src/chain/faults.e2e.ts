import { advanceMarket, auditPools, type Client, createClient, readHeader } from '@braid-swap/chain'
import { createToken } from '@braid-swap/devnet'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyMove, createDice, createPools, swapOf } from './moves.js'
import { createTamperedClient, noReceipts, type Request, rpcError } from './tampered.js'
import { type ChainWorld, chainReads, comparable, startChainWorld } from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { venuesOf, load, refreshed, expectFresh } = chainReads(() => ({ world, client }))

const dice = createDice(7)
async function moveAndMine(moves: number) {
  for (let i = 0; i < moves; i++) await world.chain.send(await anyMove(world, dice))
  await world.chain.mine()
}

describe('a reorganisation', () => {
  it('is undone to the common ancestor: other swaps, no new pool, same height', async () => {
    const start = await load()
    await moveAndMine(3)
    let market = await refreshed(start)
    const id = await world.chain.client.snapshot()
    await moveAndMine(4)
    const token = await createToken(world.chain, { symbol: 'GONE', name: 'Gone', decimals: 9 })
    const gone = await createPools(world, [token.address, world.addressOf.AAA])
    market = await refreshed(market)
    expect(market.pools.map((ref) => ref.id)).toContain(gone[0]!.address)
    await world.chain.client.revert({ id })
    const { number } = market.snapshot.block
    while ((await readHeader(client, 'latest')).number < number) await moveAndMine(3)
    market = await refreshed(market)
    expect(market.snapshot.block.number).toBe(number)
    expect(market.pools.map((ref) => ref.id)).not.toContain(gone[0]!.address)
    await expectFresh(market)
    await moveAndMine(3)
    await expectFresh(await refreshed(market))
  })

  it('to a shorter chain, and one that creates the same pool again', async () => {
    let market = await load()
    const { chain } = world
    const token = await createToken(chain, { symbol: 'TWICE', name: 'Twice', decimals: 9 })
    market = await refreshed(market)
    const id = await chain.client.snapshot()
    await moveAndMine(2)
    await createPools(world, [token.address, world.addressOf.AAA])
    for (let i = 0; i < 4; i++) await moveAndMine(1)
    market = await refreshed(market)
    await chain.client.revert({ id })
    await moveAndMine(2)
    const shorter = await refreshed(market)
    expect(shorter.snapshot.block.number).toBeLessThan(market.snapshot.block.number)
    await expectFresh(shorter)
    await createPools(world, [token.address, world.addressOf.AAA])
    const again = await refreshed(shorter)
    expect(again.snapshot.pools).toHaveLength(market.snapshot.pools.length)
    await expectFresh(again)
  })

  it('that is older than all remembered blocks causes a full reload', async () => {
    const id = await world.chain.client.snapshot()
    await moveAndMine(2)
    await moveAndMine(2)
    const market = await load()
    await world.chain.client.revert({ id })
    for (let i = 0; i < 4; i++) await moveAndMine(2)
    await expectFresh(await refreshed(market))
  })

  it('keeps the market if the node only lags, and reports a large lag', async () => {
    await moveAndMine(2)
    const start = await load()
    const old = await readHeader(client, start.snapshot.block.number)
    await moveAndMine(2)
    const market = await refreshed(start)
    const venues = venuesOf()
    const behind = { head: { header: old, receivedAtMs: 1 }, venues }
    expect(await advanceMarket(client, market, behind)).toBe(market)
    const header = await readHeader(client, old.number - 1n)
    await expect(
      advanceMarket(client, market, { head: { header, receivedAtMs: 1 }, venues }),
    ).rejects.toMatchObject({ code: 'HEAD_BEHIND' })
  })
})

/** The number of requests until a replica has caught up. */
const LAGS = 3

describe('a node that fails', () => {
  const lost = () => new TypeError('fetch failed')
  const refused = (request: Request) => rpcError(request, { code: -32000, message: 'fetch failed' })

  it.each([
    ['is lost', lost],
    ['is refused', refused],
  ])('so that any one request %s, leaves a whole market or none', async (_, fail) => {
    const market = await load()
    await moveAndMine(5)
    await moveAndMine(5)
    const fresh = comparable(await load())
    let requests = 0
    let done = false
    for (let nth = 1; !done; nth++) {
      requests = nth - 1
      let count = 0
      const failing = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
        if (++count === nth) throw fail(request)
        return ask(request)
      })
      const before = comparable(market)
      try {
        expect(comparable(await refreshed(market, failing))).toEqual(fresh)
        done = count < nth
      } catch (error) {
        expect(String(error)).toContain('fetch failed')
      }
      expect(comparable(market)).toEqual(before)
    }
    // Each request failed once. A refused header or receipt is no failure, because a range of logs replaces it.
    expect(requests).toBeGreaterThan(2)
  })

  it('returns logs of another fork: refused', async () => {
    const market = await load()
    await world.chain.send([swapOf(world, world.pools[0]!, dice)])
    await world.chain.mine()
    const lying = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (request.method === 'eth_getBlockReceipts') throw noReceipts(request)
      const answer = await ask(request)
      if (request.method !== 'eth_getLogs') return answer
      return (answer as { blockHash: string }[]).map((log) => ({
        ...log,
        blockHash: `0x${'12'.repeat(32)}`,
      }))
    })
    await expect(refreshed(market, lying)).rejects.toMatchObject({ code: 'LOGS_MIXED' })
  })

  it('leaves out the logs of the newest block: its pools are read', async () => {
    await world.chain.mine()
    const market = await load()
    await world.chain.send([swapOf(world, world.pools[0]!, dice)])
    await world.chain.mine()
    const lying = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (request.method === 'eth_getBlockReceipts') throw noReceipts(request)
      return request.method === 'eth_getLogs' ? [] : ask(request)
    })
    await expectFresh(await refreshed(market, lying))
  })

  it('lags behind the block of a new pool: retried until it has the pool', async () => {
    const token = await createToken(world.chain, { symbol: 'LATE', name: 'Late', decimals: 9 })
    const market = await load()
    await createPools(world, [token.address, world.addressOf.AAA])
    const known = toHex(market.snapshot.block.number)
    let calls = 0
    // Headers and logs come from one replica; the state comes at first from another one that lags.
    const lagging = createTamperedClient(world.chain.rpcUrl, (request, ask) => {
      if (request.method !== 'eth_call' || calls >= LAGS) return ask(request)
      const [call, at] = request.params as [unknown, unknown]
      if (at !== 'latest') throw rpcError(request, { code: -32000, message: 'header not found' })
      calls++
      return ask({ ...request, params: [call, known] })
    })
    const next = await refreshed(market, lagging)
    expect(calls).toBe(LAGS)
    expect(next.setAside).toEqual(market.setAside)
    expect(next.snapshot.pools).toHaveLength(market.snapshot.pools.length + 2)
    await expectFresh(next)
  })

  it('serves another chain: refused', async () => {
    const other = createTamperedClient(world.chain.rpcUrl, (request, ask) =>
      request.method === 'eth_chainId' ? Promise.resolve('0x1') : ask(request),
    )
    await expect(load(undefined, other)).rejects.toMatchObject({ code: 'WRONG_CHAIN' })
  })
})

describe('a node with limits', () => {
  const isAggregate = (request: Request) => request.method === 'eth_call'

  it('of block range: spans are halved until they pass', async () => {
    const spans: number[] = []
    const limited = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (request.method === 'eth_getLogs') {
        const [filter] = request.params as [{ fromBlock: string; toBlock: string }]
        const span = Number(filter.toBlock) - Number(filter.fromBlock) + 1
        spans.push(span)
        if (span > 3) throw rpcError(request, { code: -32602, message: 'too many blocks' })
      }
      return ask(request)
    })
    expect(comparable(await load(undefined, limited))).toEqual(comparable(await load()))
    expect(Math.max(...spans)).toBeGreaterThan(3)
    expect(spans.filter((span) => span > 3).length).toBeLessThan(16)
  })

  it('of answer size: batches are halved until they pass', async () => {
    let refused = 0
    const limited = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (isAggregate(request) && JSON.stringify(request.params).length > 20_000) {
        refused++
        // Too large at any block, so no weaker block pin is tried.
        expect((request.params as readonly unknown[])[1]).toHaveProperty('blockHash')
        throw rpcError(request, { code: -32008, message: 'Response is too big' })
      }
      return ask(request)
    })
    expect(comparable(await load(undefined, limited))).toEqual(comparable(await load()))
    expect(refused).toBeGreaterThan(0)
  })

  it('of state: latest only, while blocks are mined between its answers', async () => {
    let calls = 0
    const latestOnly = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      if (isAggregate(request)) {
        const [, at] = request.params as [unknown, unknown]
        if (at !== 'latest') throw rpcError(request, { code: -32000, message: 'no such state' })
        if (++calls % 2 === 0) await moveAndMine(3)
      }
      return ask(request)
    })
    const market = await load(undefined, latestOnly)
    expect(calls).toBeGreaterThan(4)
    await expectFresh(market)
    await moveAndMine(8)
    const next = await refreshed(market, latestOnly)
    await expectFresh(next)
    // A pool with a wrong state by its logs is detected at the later block that the node reads.
    const pool = next.snapshot.pools.find(({ family }) => family === 'uniswapV2')!
    const { id } = pool
    const wrong = { ...pool, feePpm: 1 } as typeof pool
    const pools = next.snapshot.pools.map((other) => (other.id === id ? wrong : other))
    const drifted = { ...next, snapshot: { ...next.snapshot, pools } }
    const audit = await auditPools(latestOnly, drifted, { ids: [id], venues: venuesOf() })
    expect(audit.compared).toBe(1)
    expect(audit.drifts).toMatchObject([{ code: 'POOL_DRIFTED', details: { pool: id } }])
    await expectFresh(audit.market)
    const right = await auditPools(latestOnly, next, { ids: [id], venues: venuesOf() })
    expect(right.drifts).toEqual([])
    await expectFresh(right.market)
  })
})
