// The contents of a snapshot. Input: a snapshot. Output: counts by family and venue, and each venue's and
// token's depth, so that an analyst sees which pools matter before asking for a quote.

import { type Address, type Block, buildGraph, NATIVE, type Snapshot } from '@braid-swap/core'
import { depthsOfPools, poolsOffMarket } from '@braid-swap/core/advanced'

/** The pools of one venue. Depth: the output of trades that move prices by 2 %, in wei of the native token. */
export type VenueSummary = {
  readonly venue: string
  readonly families: readonly string[]
  readonly pools: number
  readonly depth: bigint
}

/** A token, how many pools trade it, and their depth. */
export type TokenSummary = {
  readonly token: Address
  readonly pools: number
  readonly depth: bigint
}

/** A snapshot in figures; venues and tokens with the deepest first. Wrapping is not counted as a pool. */
export type MarketSummary = {
  readonly chainId: number
  readonly block: Block
  readonly pools: number
  /** Pools that a quote leaves out, because their price is far off the market. */
  readonly offMarket: number
  /** Pools that change without a log; their state is known at one block only. */
  readonly sampled: number
  readonly families: Readonly<Record<string, number>>
  readonly venues: readonly VenueSummary[]
  readonly tokens: readonly TokenSummary[]
}

/** Summarises a market. */
export function describeMarket(snapshot: Snapshot): MarketSummary {
  const { chainId, block, wrappedNative } = snapshot
  const graph = buildGraph(snapshot)
  const depths = depthsOfPools(graph)
  const families = new Map<string, number>()
  const venues = new Map<string, { families: Set<string>; pools: number; depth: number }>()
  const tokens = new Map<Address, { pools: number; depth: number }>(
    snapshot.tokens.flatMap(({ address }) =>
      address === NATIVE ? [] : [[address, { pools: 0, depth: 0 }]],
    ),
  )
  const pools = snapshot.pools.filter(({ id }) => id !== wrappedNative)
  for (const pool of pools) {
    const depth = depths.get(pool.id) ?? 0
    families.set(pool.family, (families.get(pool.family) ?? 0) + 1)
    const venue = venues.get(pool.venue) ?? { families: new Set(), pools: 0, depth: 0 }
    venue.families.add(pool.family)
    venues.set(pool.venue, { ...venue, pools: venue.pools + 1, depth: venue.depth + depth })
    for (const token of pool.tokens) {
      const sum = tokens.get(token)
      if (sum) tokens.set(token, { pools: sum.pools + 1, depth: sum.depth + depth })
    }
  }
  return {
    ...{ chainId, block, pools: pools.length, offMarket: poolsOffMarket(graph).length },
    sampled: pools.filter(({ sampledAt }) => sampledAt !== undefined).length,
    families: Object.fromEntries([...families].sort(([a], [b]) => (a < b ? -1 : 1))),
    venues: deepestFirst(venues, ([venue, sum]) => ({
      ...{ venue, families: [...sum.families].sort(), pools: sum.pools, depth: inWei(sum.depth) },
    })),
    tokens: deepestFirst(tokens, ([token, sum]) => ({
      ...{ token, pools: sum.pools, depth: inWei(sum.depth) },
    })),
  }
}

function deepestFirst<K, V extends { readonly depth: number }, T>(
  sums: ReadonlyMap<K, V>,
  describe: (entry: readonly [K, V]) => T,
): readonly T[] {
  return [...sums].sort(([, a], [, b]) => b.depth - a.depth).map(describe)
}

/** A float in wei as an integer; 0 if it is none. */
function inWei(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.floor(value)) : 0n
}
