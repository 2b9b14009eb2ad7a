import { type Client, createClient, type Market, readHeader, refresh } from '@braid-swap/chain'
import { createTokens } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyMove, createDice, createPools } from './chainMoves.js'
import { createTamperedClient } from './chainTampered.js'
import { type ChainWorld, chainReads, comparable, startChainWorld } from './chainWorld.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { venuesOf, load, expectFresh } = chainReads(() => ({ world, client }))
const dice = createDice(5)

async function mineBlock(moves: number) {
  for (let i = 0; i < moves; i++) await world.chain.send(await anyMove(world, dice))
  await world.chain.mine()
}

/** Follows the head as the loop does, with the markets before. */
async function followTo(past: readonly Market[], market: Market, by = client) {
  const head = { header: await readHeader(by, 'latest'), receivedAtMs: 1 }
  return refresh(by, market, { head, venues: venuesOf(), past })
}

const newTokens = async (name: string) => {
  const specs = ['A', 'B'].map((x) => ({ symbol: `${name}${x}`, name, decimals: 6 }))
  return (await createTokens(world.chain, specs)).map(({ address }) => address)
}

describe('a reorganisation that undoes pools', () => {
  it.each([1, 2, 3, 5, 8, 13, 20])('of %d blocks leaves no trace of the branch', async (depth) => {
    const { chain, addressOf } = world
    const tokens = await newTokens(`D${depth}`)
    // Before it, so that it is undone together with what it destroys.
    const [old] = await createPools(world, [tokens[0]!, addressOf.AAA], 500)
    let market = await load()
    const past: Market[] = []
    const advance = async () => {
      past.push(market)
      market = await followTo(past, market)
    }
    await mineBlock(2)
    await advance()
    const ancestor = market.snapshot.block.number
    const id = await chain.client.snapshot()

    // A pool is created, and one destroyed: its code is gone, and a log tells of it.
    const [gone] = await createPools(world, [tokens[1]!, addressOf.BBB], 500)
    await chain.client.setCode({ address: old!.address, bytecode: '0x60006000a000' })
    const poke = { from: chain.deployer, to: old!.address, gas: 100_000n, label: 'poke' }
    await chain.send([poke])
    await mineBlock(1)
    await advance()
    const held = (address: string) => market.snapshot.pools.some((pool) => pool.id === address)
    expect([held(gone!.address), held(old!.address)]).toEqual([true, false])
    while (market.snapshot.block.number < ancestor + BigInt(depth)) {
      await mineBlock(1)
      await advance()
    }

    await chain.client.revert({ id })
    await mineBlock(0)
    let reads = 0
    const counting = createTamperedClient(chain.rpcUrl, (request, ask) => {
      if (request.method === 'eth_call') reads += 1
      return ask(request)
    })
    market = await followTo(past, market, counting)
    expect([held(gone!.address), held(old!.address)]).toEqual([false, true])
    expect(market.trail.at(-1)!.number).toBe(ancestor + 1n)
    await expectFresh(market)
    // The market of the ancestor was never anything else: nothing is read again.
    expect(reads).toBe(0)
    await mineBlock(2)
    await expectFresh(await followTo(past, market))
  })

  it('keeps a market whose own block is still on the chain', async () => {
    const market = await load()
    await mineBlock(1)
    const lying = createTamperedClient(world.chain.rpcUrl, async (request, ask) => {
      const answer = await ask(request)
      const isHead = request.method === 'eth_getBlockByNumber'
      const { number } = Object(answer) as { number?: string }
      if (!isHead || BigInt(number ?? 0) <= market.snapshot.block.number) return answer
      return { ...(answer as object), parentHash: `0x${'13'.repeat(32)}` }
    })
    const before = comparable(market)
    await expect(followTo([], market, lying)).rejects.toMatchObject({ code: 'NOT_CONTINUOUS' })
    expect(comparable(market)).toEqual(before)
  })
})
