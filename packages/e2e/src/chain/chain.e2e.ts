import {
  auditPools,
  type Client,
  createClient,
  findPools,
  followMarket,
  loadSnapshot,
  type Market,
} from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import { createToken, createTokens } from '@braid-swap/devnet'
import { encodeFunctionData, parseAbi, RpcRequestError } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyMove, createDice, createPools, swapAny } from './moves.js'
import { type ChainWorld, chainReads, comparable, startChainWorld } from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { venuesOf, load, refreshed, expectFresh } = chainReads(() => ({ world, client }))

const poolOf = (market: Market, family: Pool['family']) =>
  market.snapshot.pools.filter((pool) => pool.family === family)

describe('loadSnapshot', () => {
  it('reads the same pools where the node runs no programs, with many more calls', async () => {
    const asked = { calls: 0, programs: 0 }
    const counting = (runsPrograms: boolean): Client => ({
      ...client,
      request: (async (request: {
        method: string
        params: readonly { to?: string; data: string }[]
      }) => {
        const [call] = request.params ?? []
        if (request.method === 'eth_call') asked.calls += 1
        if (request.method === 'eth_call' && call?.to === undefined) {
          asked.programs += 1
          const error = { code: -32_000, message: 'contract creation is not supported' }
          if (!runsPrograms) throw new RpcRequestError({ body: {}, url: 'http://node', error })
        }
        return client.request(request as never)
      }) as Client['request'],
    })
    const scanned = await load(undefined, counting(true))
    const { calls, programs } = asked
    const ranged = poolOf(scanned, 'uniswapV3')
    expect(programs).toBeGreaterThan(0)
    expect(programs).toBeLessThan(ranged.length / 2)
    const read = await load(undefined, counting(false))
    expect(comparable(read)).toEqual(comparable(scanned))
    expect(asked.calls - calls).toBeGreaterThan(2 * calls)
  })

  it('quotes the same as the chain, with ticks crossed in both directions', async () => {
    const market = await load()
    const quoterAbi = parseAbi([
      'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96)) returns (uint256 amountOut, uint160, uint32 ticksCrossed, uint256)',
    ])
    let crossed = 0
    for (const pool of poolOf(market, 'uniswapV3')) {
      if (pool.family !== 'uniswapV3' || pool.venue !== world.v3.venue.id) continue
      for (const [i, o] of [
        [0, 1],
        [1, 0],
      ] as const) {
        for (const amountIn of [1n, 12345n, 10n ** 20n, 10n ** 23n]) {
          const { result } = await world.chain.client.simulateContract({
            address: world.v3.quoter,
            abi: quoterAbi,
            functionName: 'quoteExactInputSingle',
            args: [
              {
                ...{ tokenIn: pool.tokens[i], tokenOut: pool.tokens[o], amountIn },
                ...{ fee: pool.feePpm, sqrtPriceLimitX96: 0n },
              },
            ],
          })
          crossed += result[2]
          expect(getAmountOut(pool, { in: i, out: o }, amountIn)).toBe(result[0])
        }
      }
    }
    expect(crossed).toBeGreaterThan(8)
  })

  it('finds the same pools by their tokens as by their factories', async () => {
    const { tokens, chain } = world
    const found = await findPools(client, {
      venues: [...venuesOf(), { id: 'ghost', family: 'uniswapV3', factory: tokens[0]!.address }],
      tokens: tokens.map(({ address }) => address),
    })
    expect(found.setAside).toMatchObject([{ venue: 'ghost', code: 'VENUE_UNREADABLE' }])
    const { wrappedNative } = chain
    const market = await loadSnapshot(client, { ...found, venues: venuesOf(), wrappedNative })
    expect(comparable(market)).toEqual(comparable(await load()))
  })

  it('continues the search from the last searched block', async () => {
    const { pools, snapshot } = await load()
    const token = await createToken(world.chain, { symbol: 'LATE', name: 'Late', decimals: 2 })
    await createPools(world, [token.address, world.addressOf.CCC])
    const market = await loadSnapshot(client, {
      ...{ venues: venuesOf(), pools, searchedTo: snapshot.block.number },
      wrappedNative: world.chain.wrappedNative,
    })
    expect(market.pools).toHaveLength(pools.length + 2)
    expect(comparable(market)).toEqual(comparable(await load()))
  })

  it('does not treat a token as broken if the token before it burned the gas', async () => {
    const { chain, addressOf } = world
    // Tokens are read in the order of their addresses, so these are read last, one after the other.
    const specs = [
      { symbol: 'BURN', name: 'Burner', decimals: 18, address: `0xfe${'00'.repeat(19)}` },
      { symbol: 'SLOW', name: 'Slow', decimals: 18, address: `0xff${'00'.repeat(19)}` },
    ] as const
    const tokens = await createTokens(chain, specs)
    const id = await chain.client.snapshot()
    for (const { address } of tokens) await createPools(world, [address, addressOf.AAA], 500)
    await chain.client.setCode({ address: tokens[0]!.address, bytecode: '0xfe' })
    // Counts down from 50,000, which takes 1.3M gas, and returns 18; behind a proxy, which retains
    // enough gas for the rest of the batch.
    const target: Address = `0x${'ab'.repeat(20)}`
    const slow = '0x6200c3505b6001900380600457601260005260206000f3'
    const proxy = `0x60205f5f5f73${target.slice(2)}5afa6022575f5ffd5b60205ff3` as const
    await chain.client.setCode({ address: target, bytecode: slow })
    await chain.client.setCode({ address: tokens[1]!.address, bytecode: proxy })
    const market = await load()
    // It returns 18 to whatever it is asked, so it has decimals, and its transfers move nothing.
    expect(market.flawed.map(({ address, code }) => [address, code])).toEqual([
      [tokens[0]!.address, 'TOKEN_WITHOUT_DECIMALS'],
      [tokens[1]!.address, 'TOKEN_STUCK'],
    ])
    await chain.client.revert({ id })
  })

  it('sets aside and counts an uninitialised pool and a pool whose token has no decimals', async () => {
    const { chain, v3, addressOf } = world
    const mute = await createToken(chain, { symbol: 'MUTE', name: 'Mute', decimals: 18 })
    const [v2Pool] = await createPools(world, [mute.address, addressOf.AAA], 500)
    await chain.client.setCode({ address: mute.address, bytecode: '0xfe' })
    const factoryAbi = parseAbi(['function createPool(address, address, uint24) returns (address)'])
    await chain.execute([
      {
        label: 'create a pool without a price',
        from: chain.deployer,
        to: v3.factory,
        data: encodeFunctionData({
          abi: factoryAbi,
          args: [addressOf.AAA, addressOf.CCC, 100],
        }),
        gas: 6_000_000n,
      },
    ])
    const market = await load()
    const codes = market.setAside.map(({ code }) => code).sort()
    expect(codes).toEqual([
      'POOL_NOT_INITIALISED',
      'TOKEN_WITHOUT_DECIMALS',
      'TOKEN_WITHOUT_DECIMALS',
    ])
    expect(market.setAside.map(({ id }) => id)).toContain(v2Pool!.address)
    expect(market.snapshot.tokens.map(({ address }) => address)).not.toContain(mute.address)
    expect(poolOf(market, 'uniswapV2')).toHaveLength(4)
  })
})

describe('advanceMarket', () => {
  it('equals a fresh load after arbitrary swaps, mints and burns', async () => {
    const dice = createDice(1)
    let market = await load()
    for (let round = 0; round < 16; round++) {
      for (let blocks = 1 + dice(3); blocks > 0; blocks--) {
        for (let moves = dice(5); moves > 0; moves--) {
          await world.chain.send(await anyMove(world, dice))
        }
        await world.chain.mine()
      }
      const before = market
      market = await refreshed(market)
      expect(market.snapshot.block.number).toBeGreaterThan(before.snapshot.block.number)
      await expectFresh(market)
    }
  })

  it('catches up with many blocks', async () => {
    const dice = createDice(3)
    const market = await load()
    for (const blocks of [1, 90, 1, 30, 1]) {
      for (let moves = 6; moves > 0; moves--) await world.chain.send(await anyMove(world, dice))
      await world.chain.mine()
      await world.chain.client.mine({ blocks })
    }
    const next = await refreshed(market)
    expect(next.snapshot.block.number - market.snapshot.block.number).toBe(128n)
    await expectFresh(next)
  })

  it('reuses the objects of unchanged pools', async () => {
    const market = await load()
    await world.chain.send(swapAny(world, () => 0))
    await world.chain.mine()
    const next = await refreshed(market)
    const kept = next.snapshot.pools.filter((pool) => market.snapshot.pools.includes(pool))
    expect(kept).toHaveLength(market.snapshot.pools.length - 1)
  })

  it('picks up new pools from the logs of their factories', async () => {
    const market = await load()
    const token = await createToken(world.chain, { symbol: 'NEW', name: 'New', decimals: 4 })
    await createPools(world, [token.address, world.addressOf.BBB])
    const next = await refreshed(market)
    expect(next.snapshot.pools).toHaveLength(market.snapshot.pools.length + 2)
    expect(next.snapshot.tokens).toContainEqual({ address: token.address, decimals: 4 })
    await expectFresh(next)
  })
})

describe('followMarket', () => {
  it('yields each head once, in order, each equal to a fresh load', async () => {
    const dice = createDice(2)
    const stop = new AbortController()
    const given: Market[] = []
    const errors: unknown[] = []
    const following = followMarket({
      ...{ client, venues: venuesOf(), start: await load(), signal: stop.signal, pollMs: 5 },
      onSnapshot: (market) => given.push(market),
      onError: (error) => errors.push(error),
    })
    for (let round = 1; round <= 5; round++) {
      await world.chain.send(await anyMove(world, dice))
      await world.chain.mine()
      await expect.poll(() => given.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(round)
    }
    stop.abort()
    await following
    expect(errors).toEqual([])
    const numbers = given.map(({ snapshot }) => snapshot.block.number)
    expect(numbers).toEqual([...new Set(numbers)].sort())
    for (const market of given) await expectFresh(market)
  })
})

describe('auditPools', () => {
  it('reports nothing about a pool whose logs gave the right state', async () => {
    const market = await load()
    for (const { id } of market.pools) {
      const audit = await auditPools(client, market, { ids: [id], venues: venuesOf() })
      // Logs do not update a pool that is set aside.
      const compared = market.snapshot.pools.some((pool) => pool.id === id) ? 1 : 0
      expect(audit).toEqual({ market, compared, drifts: [] })
    }
  })

  it('reports and replaces a state that differs from the chain', async () => {
    const market = await load()
    const wrong = market.snapshot.pools.map((pool) =>
      pool.family === 'uniswapV3' ? { ...pool, tick: pool.tick + 1 } : pool,
    )
    const { id } = poolOf(market, 'uniswapV3')[0]!
    const drifted = { ...market, snapshot: { ...market.snapshot, pools: wrong } }
    const audit = await auditPools(client, drifted, { ids: [id], venues: venuesOf() })
    expect(audit.drifts).toMatchObject([{ code: 'POOL_DRIFTED', details: { pool: id } }])
    const pick = (list: readonly Pool[]) => list.find((pool) => pool.id === id)
    expect(pick(audit.market.snapshot.pools)).toEqual(pick(market.snapshot.pools))
    expect(audit.market.snapshot.block).toEqual(market.snapshot.block)
  })

  it('adds a pool that was set aside once it is readable', async () => {
    const market = await load()
    const { id, venue } = poolOf(market, 'uniswapV2')[0]!
    const code = 'POOL_CALL_FAILED'
    const without = {
      ...market,
      snapshot: {
        ...market.snapshot,
        pools: market.snapshot.pools.filter((pool) => pool.id !== id),
      },
      setAside: [...market.setAside, { id, venue, code, message: '' } as const],
    }
    const audit = await auditPools(client, without, { ids: [id], venues: venuesOf() })
    expect(audit).toMatchObject({ compared: 0, drifts: [] })
    expect(comparable(audit.market)).toEqual(comparable(market))
  })
})
