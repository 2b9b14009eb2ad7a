import type { Address, Hex, Snapshot } from '@braid-swap/core'
import { type Edges, indexEdges } from './edges.js'
import { type ReferencePrices, referencePrices } from './prices.js'

/** A snapshot with the index and prices that all routers and the evaluator use, built once. */
export type Market = {
  readonly name: string
  readonly snapshot: Snapshot
  readonly edges: Edges
  readonly prices: ReferencePrices
  /** The token that counts as a dollar. */
  readonly dollar: Address
}

/** Indexes and prices a snapshot. */
export function toMarket(name: string, snapshot: Snapshot, dollar: Address): Market {
  const edges = indexEdges(snapshot)
  const prices = referencePrices(edges, snapshot.wrappedNative)
  return { name, snapshot, edges, prices, dollar }
}

/** The same snapshot without some pools. */
export function removePools(snapshot: Snapshot, ids: ReadonlySet<Hex>): Snapshot {
  return { ...snapshot, pools: snapshot.pools.filter((pool) => !ids.has(pool.id)) }
}

/** Decimals of a token; 18 for one that the snapshot does not list. */
export function decimalsOf(market: Market, token: Address): number {
  return market.snapshot.tokens.find(({ address }) => address === token)?.decimals ?? 18
}

/** Wei of `token` worth `dollars` at the reference prices; 0n for an unpriced token. */
export function weiOfDollars(market: Market, token: Address, dollars: number): bigint {
  const dollarPrice = market.prices.priceOf.get(market.dollar)
  const price = market.prices.priceOf.get(token)
  if (dollarPrice === undefined || price === undefined) return 0n
  const wei = (dollars * 10 ** decimalsOf(market, market.dollar) * dollarPrice) / price
  return Number.isFinite(wei) ? BigInt(Math.floor(wei)) : 0n
}
