import {
  advanceMarket,
  type Client,
  createClient,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import { createTokens, readV2Pool, sortTokens, v2PoolCalls, v3PoolCalls } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullRun } from '../draws.js'
import { createTamperedClient } from './tampered.js'
import {
  type ChainWorld,
  chainReads,
  comparable,
  createPools,
  startChainWorld,
  swapAll,
  v3Spec,
} from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { venuesOf, load, expectFresh } = chainReads(() => ({ world, client }))

/** Follows the head like the loop, with the previous markets. */
async function followTo(past: readonly Market[], market: Market, by = client): Promise<Market> {
  const head = { header: await readHeader(by, 'latest'), receivedAtMs: 1 }
  return advanceMarket(by, market, { head, venues: venuesOf(), past })
}

async function newTokens(name: string) {
  const specs = ['A', 'B'].map((x) => ({ symbol: `${name}${x}`, name, decimals: 6 }))
  return (await createTokens(world.chain, specs)).map(({ address }) => address)
}

/**
 * Follows `depth` blocks in which pools are created and one is destroyed, undoes them, and expects
 * that the market followed from there has no trace of them, and that nothing is read again.
 */
async function undoBlocks(depth: number): Promise<void> {
  const { chain, addressOf, v2, v3 } = world
  const tokens = await newTokens(`D${depth}`)
  // Before the branch, so that the branch's undoing also restores the destroyed pool.
  const [old] = await createPools(world, [tokens[0]!, addressOf.AAA], 500)
  let market = await load()
  const past: Market[] = []
  const advance = async () => {
    past.push(market)
    market = await followTo(past, market)
  }
  await swapAll(world)
  await advance()
  const ancestor = market.state.snapshot.block.number
  const id = await chain.client.snapshot()

  // One block creates pools and destroys one: its code disappears, and a log reports it.
  const pair = sortTokens(tokens[1]!, addressOf.BBB)
  await chain.client.setCode({ address: old!.address, bytecode: '0x60006000a000' })
  await chain.send([
    ...v2PoolCalls(chain, v2, { tokens: pair, amounts: [10n ** 20n, 10n ** 20n] }),
    ...v3PoolCalls(chain, v3, v3Spec(v3, pair, 500)),
    { from: chain.deployer, to: old!.address, gas: 100_000n, label: 'poke' },
  ])
  await chain.mine()
  await advance()
  const gone = await readV2Pool(chain, v2, pair)
  expect(market.cursor.trail.at(-1)).toMatchObject({
    number: ancestor + 1n,
    created: expect.arrayContaining([gone.address]),
  })
  expect(market.cursor.trail.at(-1)!.created.length).toBe(2)
  const held = (address: string) => market.state.snapshot.pools.some((pool) => pool.id === address)
  expect([held(gone.address), held(old!.address)]).toEqual([true, false])
  while (market.state.snapshot.block.number < ancestor + BigInt(depth)) {
    await swapAll(world)
    await advance()
  }
  expect(market.state.snapshot.block.number).toBe(ancestor + BigInt(depth))

  await chain.client.revert({ id })
  await chain.mine()
  let reads = 0
  const counting = createTamperedClient(chain.rpcUrl, (request, ask) => {
    if (request.method === 'eth_call') reads += 1
    return ask(request)
  })
  market = await followTo(past, market, counting)
  expect([held(gone.address), held(old!.address)]).toEqual([false, true])
  expect(market.cursor.trail.at(-1)!.number).toBe(ancestor + 1n)
  await expectFresh(market)
  // The market of the ancestor is unchanged, so nothing is read again.
  expect(reads).toBe(0)
  await swapAll(world)
  await expectFresh(await followTo(past, market))
}

describe('a reorganisation that undoes pools', () => {
  it.each(isFullRun ? Array.from({ length: 20 }, (_, i) => i + 1) : [1, 2, 7, 20])(
    'of %d blocks leaves no trace of the branch',
    undoBlocks,
  )

  it('keeps a market whose block is still on the chain', async () => {
    const market = await load()
    await swapAll(world)
    const lying = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      const answer = await ask(request)
      const isHead = request.method === 'eth_getBlockByNumber'
      const { number } = Object(answer) as { number?: string }
      if (!isHead || BigInt(number ?? 0) <= market.state.snapshot.block.number) return answer
      return { ...(answer as object), parentHash: `0x${'13'.repeat(32)}` }
    })
    const before = comparable(market)
    await expect(followTo([], market, lying)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
    expect(comparable(market)).toEqual(before)
  })
})
