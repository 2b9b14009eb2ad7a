import {
  advanceMarket,
  type Client,
  createClient,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import { createTokens, readV2Pool, sortTokens, v2PoolCalls, v3PoolCalls } from '@braid-swap/devnet'
import { expect } from 'vitest'
import { anyMove, createDice, createPools, type Dice } from './moves.js'
import { createTamperedClient } from './tampered.js'
import { type ChainReads, type ChainWorld, chainReads, startChainWorld, v3Spec } from './world.js'

/** A world whose blocks are undone, and functions to read and follow its market. */
export type ReorganisedWorld = ChainReads & {
  readonly world: ChainWorld
  readonly client: Client
  /** Makes some random moves and mines their block. */
  readonly mineBlock: (moves: number) => Promise<void>
  /** Follows the head like the loop, with the previous markets. */
  readonly followTo: (past: readonly Market[], market: Market, by?: Client) => Promise<Market>
}

/** Starts the world; the caller must stop its `world.chain`. */
export async function startReorganisedWorld(dice: Dice = createDice(5)): Promise<ReorganisedWorld> {
  const world = await startChainWorld()
  const client = createClient(world.chain.rpcUrl)
  const reads = chainReads(() => ({ world, client }))
  return {
    ...reads,
    ...{ world, client },
    mineBlock: async (moves) => {
      for (let i = 0; i < moves; i++) await world.chain.send(await anyMove(world, dice))
      await world.chain.mine()
    },
    followTo: async (past, market, by = client) => {
      const head = { header: await readHeader(by, 'latest'), receivedAtMs: 1 }
      return advanceMarket(by, market, { head, venues: reads.venuesOf(), past })
    },
  }
}

async function newTokens({ world }: ReorganisedWorld, name: string) {
  const specs = ['A', 'B'].map((x) => ({ symbol: `${name}${x}`, name, decimals: 6 }))
  return (await createTokens(world.chain, specs)).map(({ address }) => address)
}

/**
 * Follows `depth` blocks in which pools are created and one is destroyed, undoes them, and expects
 * that the market followed from there has no trace of them, and that nothing is read again.
 */
export async function undoBlocks(reorganised: ReorganisedWorld, depth: number): Promise<void> {
  const { world, load, expectFresh, mineBlock, followTo } = reorganised
  const { chain, addressOf, v2, v3 } = world
  const tokens = await newTokens(reorganised, `D${depth}`)
  // Before the branch, so that the branch's undoing also restores the destroyed pool.
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
  expect(market.trail.at(-1)).toMatchObject({
    number: ancestor + 1n,
    created: expect.arrayContaining([gone.address]),
  })
  expect(market.trail.at(-1)!.created.length).toBe(2)
  const held = (address: string) => market.snapshot.pools.some((pool) => pool.id === address)
  expect([held(gone.address), held(old!.address)]).toEqual([true, false])
  while (market.snapshot.block.number < ancestor + BigInt(depth)) {
    await mineBlock(1)
    await advance()
  }
  expect(market.snapshot.block.number).toBe(ancestor + BigInt(depth))

  await chain.client.revert({ id })
  await mineBlock(0)
  let reads = 0
  const counting = createTamperedClient(chain.rpcUrl, (request, ask) => {
    if (request.method === 'eth_call') reads += 1
    return ask(request)
  })
  market = await followTo(past, market, counting)
  expect([held(gone.address), held(old!.address)]).toEqual([false, true])
  expect(market.trail.at(-1)!.number).toBe(ancestor + 1n)
  await expectFresh(market)
  // The market of the ancestor is unchanged, so nothing is read again.
  expect(reads).toBe(0)
  await mineBlock(2)
  await expectFresh(await followTo(past, market))
}
