import { snapshotIdOf } from '@braid-swap/api'
import {
  advanceMarket,
  type Client,
  loadSnapshot,
  type Market,
  readHeader,
  type Venue,
} from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import {
  approveCall,
  type Chain,
  createTokens,
  type DevnetPool,
  type DevnetToken,
  deployPancakeV3,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  mintCalls,
  type PancakeV3,
  sortTokens,
  startChain,
  swapCall,
  toSqrtPriceX96,
  type UniswapV2,
  type UniswapV3,
  type V3PoolSpec,
} from '@braid-swap/devnet'
import { createPancakePool, createV2Pool, createV3Pool } from '@braid-swap/devnet/testing'
import { expect } from 'vitest'

/** A small market with all cases that the loader must handle. */
export type ChainWorld = {
  /** Tokens by symbol. */
  readonly addressOf: Readonly<Record<'AAA' | 'BBB' | 'CCC', Address>>
  readonly chain: Chain
  readonly trader: Address
  readonly v2: UniswapV2
  readonly v3: UniswapV3
  readonly pancake: PancakeV3
  readonly tokens: readonly DevnetToken[]
  readonly pools: readonly DevnetPool[]
}

/** Three tokens, three V2 pools, four V3 pools of all spacings and two of PancakeSwap's, and a trader with plenty. */
export async function startChainWorld(): Promise<ChainWorld> {
  const chain = await startChain()
  const tokens = await createTokens(chain, [
    { symbol: 'AAA', name: 'Token A', decimals: 18 },
    { symbol: 'BBB', name: 'Token B', decimals: 6 },
    { symbol: 'CCC', name: 'Token C', decimals: 8 },
  ])
  const v2 = await deployUniswapV2(chain, 'test-v2')
  const v3 = await deployUniswapV3(chain, 'test-v3')
  const [a, b, c] = tokens.map((token) => token.address) as [Address, Address, Address]
  const pools: DevnetPool[] = []
  for (const [x, y] of [
    [a, b],
    [b, c],
    [a, c],
  ] as const) {
    pools.push(
      await createV2Pool(chain, v2, {
        tokens: sortTokens(x, y),
        amounts: [10n ** 24n, 10n ** 24n],
      }),
    )
  }
  for (const [x, y, feePpm] of [
    [a, b, 100],
    [a, b, 500],
    [b, c, 3000],
    [a, c, 10000],
  ] as const) {
    pools.push(await createV3Pool(chain, v3, v3Spec(v3, sortTokens(x, y), feePpm)))
  }
  const pancake = await deployPancakeV3(chain, 'test-pancake')
  for (const [x, y, feePpm] of [
    [a, b, 2500],
    [b, c, 100],
  ] as const) {
    pools.push(await createPancakePool(chain, pancake, v3Spec(pancake, sortTokens(x, y), feePpm)))
  }
  const trader = chain.accounts[1]!.address
  await chain.execute(
    [a, b, c].flatMap((token) => [
      ...mintCalls(chain.deployer, { token, to: trader, amount: 10n ** 30n }),
      approveCall(token, { owner: trader, spender: v2.router }),
      approveCall(token, { owner: trader, spender: v3.router }),
      approveCall(token, { owner: trader, spender: pancake.router }),
    ]),
  )
  return { chain, trader, v2, v3, pancake, tokens, pools, addressOf: { AAA: a, BBB: b, CCC: c } }
}

/** A V3 pool at price 1 with a narrow, an uneven and a full-range position. */
export function v3Spec(
  v3: Pick<UniswapV3, 'tickSpacings'>,
  tokens: readonly [Address, Address],
  feePpm: number,
): V3PoolSpec {
  const spacing = v3.tickSpacings[feePpm]!
  return {
    tokens,
    feePpm,
    sqrtPriceX96: toSqrtPriceX96(1),
    positions: [
      { tickLower: -10 * spacing, tickUpper: 10 * spacing, liquidity: 10n ** 24n },
      { tickLower: -300 * spacing, tickUpper: 7 * spacing, liquidity: 3n * 10n ** 23n },
      { ...fullRange(spacing), liquidity: 10n ** 23n },
    ],
  }
}

/** Swaps once through each pool in a new block. */
export async function swapAll({
  chain,
  trader,
  v2,
  v3,
  pancake,
  pools,
}: ChainWorld): Promise<void> {
  const calls = pools.map((pool, i) => {
    const [tokenIn, tokenOut] = pool.tokens
    const deployment = [v2, v3, pancake].find(({ venue }) => venue.id === pool.venue)!
    const amountIn = 10n ** BigInt(14 + i)
    return swapCall(deployment, { pool, from: trader, tokenIn, tokenOut, amountIn })
  })
  await chain.execute(calls)
}

/** Creates one V2 and one V3 pool of two tokens without a common pool. */
export async function createPools(
  { chain, v2, v3 }: ChainWorld,
  [x, y]: readonly [Address, Address],
  feePpm = 3000,
): Promise<readonly DevnetPool[]> {
  const tokens = sortTokens(x, y)
  return [
    await createV2Pool(chain, v2, { tokens, amounts: [10n ** 20n, 10n ** 20n] }),
    await createV3Pool(chain, v3, v3Spec(v3, tokens, feePpm)),
  ]
}

/** The reads of the loader's tests. */
export type ChainReads = {
  readonly venuesOf: () => readonly Venue[]
  readonly load: (block?: bigint, by?: Client) => Promise<Market>
  readonly refreshed: (market: Market, by?: Client) => Promise<Market>
  /** Fails unless the followed market equals a fresh load of the same block. */
  readonly expectFresh: (market: Market) => Promise<void>
}

/** The reads of a world and its client, taken from a function because they start after the module. */
export function chainReads(
  setting: () => { readonly world: ChainWorld; readonly client: Client },
): ChainReads {
  const venuesOf = () => {
    const { v2, v3, pancake } = setting().world
    return [v2.venue, v3.venue, pancake.venue]
  }
  const load = (block?: bigint, by = setting().client) =>
    loadSnapshot(by, {
      venues: venuesOf(),
      wrappedNative: setting().world.chain.wrappedNative,
      ...(block !== undefined && { block }),
    })
  const refreshed = async (market: Market, by = setting().client) =>
    advanceMarket(by, market, {
      head: { header: await readHeader(setting().client, 'latest'), receivedAtMs: 1 },
      venues: venuesOf(),
    })
  const expectFresh = async (market: Market) => {
    expect(comparable(market)).toEqual(comparable(await load(market.state.snapshot.block.number)))
  }
  return { venuesOf, load, refreshed, expectFresh }
}

/**
 * A market in a comparable form, without order, clock and gas price: a load reads the price of now. The
 * snapshot's id is derived from its text, so it also detects another order of fields.
 */
export function comparable({ state }: Market): object {
  const { block, ...rest } = state.snapshot
  const snapshot = { ...rest, block: { ...block, gasPrice: 0n } }
  const byId = <T extends { id: Address }>(list: readonly T[]) =>
    [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    ...snapshot,
    id: snapshotIdOf(snapshot),
    pools: byId(snapshot.pools),
    tokens: [...snapshot.tokens].sort((a, b) => (a.address < b.address ? -1 : 1)),
    refs: byId(state.pools),
    setAside: byId(state.setAside),
  }
}
