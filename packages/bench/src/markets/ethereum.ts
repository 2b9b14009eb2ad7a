import type { Address, Hex, Pool, Snapshot } from '@braid-swap/core'
import { readReferenceVector } from '@braid-swap/vectors'
import { type Market, removePools, toMarket } from '../market.js'

const WETH: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const USDC: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const GAS_LIMIT = 30_000_000n

/** One of the ten large trades with its known results; amounts in wei. */
export type ReferenceTrade = {
  readonly name: string
  readonly from: Address
  readonly to: Address
  readonly amountIn: bigint
  /** Output of the best unsplit path of at most four hops, without gas. */
  readonly bestSinglePath: bigint
  /** Convex optimum over the clean pools, without gas. */
  readonly reference: bigint
}

/** The reference market, with and without quarantined pools. */
export type EthereumMarket = {
  /** Pools that are not quarantined, for measuring trades. */
  readonly clean: Market
  /** Every pool, with scams and dead ones, for measuring coverage. */
  readonly whole: Market
  readonly trades: readonly ReferenceTrade[]
}

/** Ethereum at block 24721407: 1,350 pools with complete ticks, 1,192 tokens. */
export function loadEthereum(): EthereumMarket {
  const raw = readReferenceVector('markets/ethereum-24721407.json') as RawMarket
  const reference = readReferenceVector('markets/reference.json') as RawReference
  const snapshot = toSnapshot(raw)
  const clean = removePools(snapshot, new Set(reference.quarantined))
  return {
    clean: toMarket('ethereum-24721407', clean, USDC),
    whole: toMarket('ethereum-24721407, quarantined pools included', snapshot, USDC),
    trades: reference.trades.map((trade) => ({
      name: trade.name,
      from: trade.from,
      to: trade.to,
      amountIn: BigInt(trade.amountIn),
      bestSinglePath: BigInt(trade.bestSinglePath),
      reference: BigInt(trade.reference),
    })),
  }
}

function toSnapshot(raw: RawMarket): Snapshot {
  return {
    chainId: 1,
    block: {
      number: BigInt(raw.block),
      hash: `0x${raw.block.toString(16).padStart(64, '0')}`,
      timestamp: 0n,
      gasPrice: 0n,
      gasLimit: GAS_LIMIT,
    },
    wrappedNative: WETH,
    tokens: Object.entries(raw.tokens).map(([address, { decimals }]) => ({
      address: address as Address,
      decimals,
    })),
    pools: raw.pools.map(toPool),
  }
}

function toPool(raw: RawPool): Pool {
  const base = { id: raw.id, tokens: raw.tokens, venue: raw.system.replaceAll('_', '-') }
  if (raw.type === 'v2') {
    return {
      ...base,
      family: 'uniswapV2',
      reserves: [BigInt(raw.reserve0), BigInt(raw.reserve1)],
      feePpm: raw.feeBps * 100,
    }
  }
  return {
    ...base,
    family: 'uniswapV3',
    feePpm: raw.feePips,
    tickSpacing: raw.tickSpacing,
    sqrtPriceX96: BigInt(raw.sqrtPriceX96),
    tick: raw.tick,
    liquidity: BigInt(raw.liquidity),
    ticks: raw.ticks.map(([index, net]) => ({ index, liquidityNet: BigInt(net) })),
  }
}

type RawMarket = {
  readonly block: number
  readonly tokens: Readonly<Record<string, { readonly decimals: number }>>
  readonly pools: readonly RawPool[]
}

type RawPool = {
  readonly id: Hex
  readonly system: string
  readonly tokens: readonly [Address, Address]
} & (
  | {
      readonly type: 'v2'
      readonly feeBps: number
      readonly reserve0: string
      readonly reserve1: string
    }
  | {
      readonly type: 'v3'
      readonly feePips: number
      readonly tickSpacing: number
      readonly liquidity: string
      readonly sqrtPriceX96: string
      readonly tick: number
      readonly ticks: readonly (readonly [number, string])[]
    }
)

type RawReference = {
  readonly quarantined: readonly Hex[]
  readonly trades: readonly {
    readonly name: string
    readonly from: Address
    readonly to: Address
    readonly amountIn: string
    readonly bestSinglePath: string
    readonly reference: string
  }[]
}
