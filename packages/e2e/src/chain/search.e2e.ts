import {
  type Client,
  createClient,
  followMarket,
  loadSnapshot,
  type Market,
  type PoolRef,
  readHeader,
  type Searched,
  type SearchPart,
  searchPools,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTamperedClient } from './tampered.js'
import { type ChainWorld, chainReads, comparable, startChainWorld } from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
  // Enough past blocks that the search needs several parts.
  await world.chain.client.mine({ blocks: 3_500 })
})
afterAll(() => world?.chain.stop())

const { venuesOf, load } = chainReads(() => ({ world, client }))

async function parts(searched?: Searched, most = Number.POSITIVE_INFINITY, by = client) {
  const given: SearchPart[] = []
  const to = await readHeader(client, 'latest')
  const search = searchPools(by, { venues: venuesOf(), to, ...(searched && { searched }) })
  for await (const part of search) {
    given.push(part)
    if (given.length === most) break
  }
  return given
}

const idsOf = (given: readonly SearchPart[]) =>
  given.flatMap(({ refs }) => refs.map(({ id }) => id)).sort()

describe('a search', () => {
  it('makes progress with each part and finds the same pools as a load', async () => {
    const all = await parts()
    const left = all.map((part) => Number(part.left))
    expect(left).toEqual([...left].sort((a, b) => b - a))
    expect(left.at(-1)).toBe(0)
    expect(left.length).toBeGreaterThan(4)
    expect(idsOf(all)).toEqual((await load()).pools.map(({ id }) => id).sort())
  })

  it('resumes after an interruption and finds each pool once', async () => {
    const all = await parts()
    for (let cut = 1; cut < all.length; cut++) {
      const before = await parts(undefined, cut)
      const after = await parts(before.at(-1)!.searched)
      expect(idsOf([...before, ...after])).toEqual(idsOf(all))
    }
  })

  it('of a venue added later begins at its own first block', async () => {
    const [v2, v3, pancake] = venuesOf()
    const { searched } = (await parts()).at(-1)!
    const known = { [v2!.id]: searched[v2!.id]!, [pancake!.id]: searched[pancake!.id]! }
    const from: bigint[] = []
    const watched = createTamperedClient(world.chain.rpcUrl, (request, ask) => {
      const [filter] = (request.params ?? []) as [{ fromBlock?: string; address?: string[] }]
      if (request.method === 'eth_getLogs') {
        from.push(BigInt(filter.fromBlock!))
        expect(filter.address).toEqual([v3!.factory])
      }
      return ask(request)
    })
    const added = await parts(known, undefined, watched)
    expect(from[0]).toBe(v3!.fromBlock)
    const ids = world.pools.filter(({ venue }) => venue === v3!.id).map(({ address }) => address)
    expect(idsOf(added)).toEqual(ids.sort())
  })

  it('leaves out a pair that does not return its tokens, but keeps its venue', async () => {
    const { chain, pools } = world
    const [first] = pools.filter(({ family }) => family === 'uniswapV2')
    const id = await chain.client.snapshot()
    await chain.client.setCode({ address: first!.address, bytecode: '0xfe' })
    const [listed] = await parts(undefined, 1)
    await chain.client.revert({ id })
    expect(listed!.setAside).toMatchObject([{ id: first!.address, code: 'POOL_CALL_FAILED' }])
    expect(listed!.refs).toHaveLength(2)
  })

  it('retries a factory that did not answer', async () => {
    const { chain, v2 } = world
    const id = await chain.client.snapshot()
    await chain.client.setCode({ address: v2.factory, bytecode: '0xfe' })
    const all = await parts()
    await chain.client.revert({ id })
    expect(all[0]!.setAside).toMatchObject([{ id: v2.factory, code: 'VENUE_UNREADABLE' }])
    expect(all.at(-1)!.searched).not.toHaveProperty(v2.venue.id)
    expect(idsOf(await parts(all.at(-1)!.searched))).toHaveLength(3)
  })
})

it('pools found while following join the market with the next head', async () => {
  const whole = await load()
  const [first, ...rest] = whole.pools
  const start = await loadSnapshot(client, {
    ...{ pools: [first!], searchedTo: whole.snapshot.block.number, venues: venuesOf() },
    wrappedNative: world.chain.wrappedNative,
  })
  const stop = new AbortController()
  const given: Market[] = []
  const waiting: PoolRef[] = [...rest, rest[0]!]
  const following = followMarket({
    ...{ client, start, venues: venuesOf(), signal: stop.signal, pollMs: 5 },
    newPools: () => waiting.splice(0, 3),
    onSnapshot: (market) => given.push(market),
    onError: (error) => expect.fail(String(error)),
  })
  while (waiting.length > 0) {
    const before = given.length
    await world.chain.mine()
    await expect.poll(() => given.length, { timeout: 20_000 }).toBeGreaterThan(before)
  }
  stop.abort()
  await following
  const market = given.at(-1)!
  const served = market.snapshot.pools.map(({ id }) => id as Address)
  expect(served).toHaveLength(whole.snapshot.pools.length)
  expect(comparable(market)).toEqual(comparable(await load(market.snapshot.block.number)))
})
