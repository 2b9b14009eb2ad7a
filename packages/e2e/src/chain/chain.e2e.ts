import { type Client, createClient, findPools, loadSnapshot, type Market } from '@braid-swap/chain'
import type { Address, Pool } from '@braid-swap/core'
import { getAmountOut } from '@braid-swap/core/families'
import { createTokens } from '@braid-swap/devnet'
import { createToken } from '@braid-swap/devnet/testing'
import { encodeFunctionData, parseAbi, RpcRequestError } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTamperedClient, type Request, rpcError } from './tampered.js'
import {
  type ChainWorld,
  chainReads,
  comparable,
  createPools,
  startChainWorld,
  swapAll,
} from './world.js'

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

const { venuesOf, load, refreshed, expectFresh } = chainReads(() => ({ world, client }))

const poolOf = (market: Market, family: Pool['family']) =>
  market.state.snapshot.pools.filter((pool) => pool.family === family)

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
    expect(market.trust.flawed.map(({ address, code }) => [address, code])).toEqual([
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
    const codes = market.state.setAside.map(({ code }) => code).sort()
    expect(codes).toEqual([
      'POOL_NOT_INITIALISED',
      'TOKEN_WITHOUT_DECIMALS',
      'TOKEN_WITHOUT_DECIMALS',
    ])
    expect(market.state.setAside.map(({ id }) => id)).toContain(v2Pool!.address)
    expect(market.state.snapshot.tokens.map(({ address }) => address)).not.toContain(mute.address)
    expect(poolOf(market, 'uniswapV2')).toHaveLength(3)
  })
})

describe('advanceMarket', () => {
  it('proves each block by its receipts, so that its logs are not asked for', async () => {
    const market = await load()
    for (let block = 0; block < 3; block++) await swapAll(world)
    const asked: string[] = []
    const by = createTamperedClient(world.chain.rpcUrl, (request, ask) => {
      asked.push(request.method)
      return ask(request)
    })
    await expectFresh(await refreshed(market, by))
    expect(asked.filter((method) => method === 'eth_getBlockReceipts')).toHaveLength(3)
    expect(asked).not.toContain('eth_getLogs')
  })

  it.each<readonly [string, (request: Request) => Error]>([
    ['is lost', () => new TypeError('fetch failed')],
    ['is refused', (request) => rpcError(request, { code: -32000, message: 'fetch failed' })],
  ])('leaves a whole market or none where any one request %s', async (_, fail) => {
    const market = await load()
    for (let block = 0; block < 2; block++) await swapAll(world)
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
})
