import {
  type Address,
  buildGraph,
  type Graph,
  NATIVE,
  type Pool,
  type Snapshot,
} from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { getSqrtPriceAtTick } from '@braid-swap/core/families'

/** Address of the wrapped native token. */
export const WHYPE: Address = '0x5555555555555555555555555555555555555555'
/** Six decimals; the token that prices are stated in. */
export const USDC: Address = '0xb88339cb7199b77e23db6e890353e22632ba630f'
/** Eight decimals; reached from HYPE directly and through USDC. */
export const UBTC: Address = '0x9fdbda0a5e284c32744d2f17ee5c74b284993463'
/** Eighteen decimals; one shallow pool, with WHYPE. */
export const PURR: Address = '0x9b498c3c8a0b8cd8ba1d9851d40d186f1872b44e'
/** A token whose one pool nothing else touches. */
export const ISLAND: Address = '0x00000000000000000000000000000000000151a1'
/** The other token of that pool. */
export const REEF: Address = '0x00000000000000000000000000000000000151a2'

const E6 = 10n ** 6n
const E8 = 10n ** 8n
const E18 = 10n ** 18n

const poolId = (n: number): Address => toHex(0x9000 + n, 20)

function v2(
  n: number,
  tokens: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
): Pool {
  return { family: 'uniswapV2', id: poolId(n), venue: 'test-v2', tokens, reserves, feePpm: 3000 }
}

/** 40 USDC a HYPE: 1.0001^tick = 40e6 / 1e18 wei. */
const v3: Pool = {
  family: 'uniswapV3',
  id: poolId(3),
  venue: 'test-v3',
  tokens: [WHYPE, USDC],
  feePpm: 500,
  tickSpacing: 10,
  sqrtPriceX96: getSqrtPriceAtTick(-239_431),
  tick: -239_431,
  liquidity: 40_000_000_000_000_000n,
  ticks: [
    { index: -245_000, liquidityNet: 10_000_000_000_000_000n },
    { index: -240_000, liquidityNet: 30_000_000_000_000_000n },
    { index: -239_000, liquidityNet: -30_000_000_000_000_000n },
    { index: -235_000, liquidityNet: -10_000_000_000_000_000n },
  ],
}

/**
 * A market of six pools made by hand: WHYPE and USDC through two V2 pools and one V3 pool, UBTC
 * reached from both, a shallow PURR and an island.
 */
export const frozenSnapshot: Snapshot = {
  chainId: 999,
  block: {
    number: 123n,
    hash: `0x${'ab'.repeat(32)}`,
    timestamp: 1_790_000_000n,
    gasPrice: 100_000_000n,
    gasLimit: 2_000_000n,
  },
  wrappedNative: WHYPE,
  tokens: [
    { address: NATIVE, decimals: 18 },
    { address: WHYPE, decimals: 18 },
    { address: USDC, decimals: 6 },
    { address: UBTC, decimals: 8 },
    { address: PURR, decimals: 18 },
    { address: ISLAND, decimals: 18 },
    { address: REEF, decimals: 18 },
  ],
  pools: [
    { family: 'wrap', id: WHYPE, venue: 'whype', tokens: [NATIVE, WHYPE] },
    v2(1, [WHYPE, USDC], [50_000n * E18, 2_000_000n * E6]),
    v2(2, [WHYPE, USDC], [20_000n * E18, 801_000n * E6]),
    v3,
    v2(4, [WHYPE, UBTC], [25_000n * E18, 10n * E8]),
    v2(5, [UBTC, USDC], [15n * E8, 1_500_000n * E6]),
    v2(6, [WHYPE, PURR], [50n * E18, 14_000n * E18]),
    v2(7, [ISLAND, REEF], [E18, E18]),
  ],
}

/** {@link frozenSnapshot} indexed. */
export const frozenGraph: Graph = buildGraph(frozenSnapshot)
