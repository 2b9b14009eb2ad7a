/**
 * The worth of tokens and the depth of pools. Input: a graph. Output: the solver's reference prices
 * and, at these prices, the trade that moves each pool by 2 %. Floats, for ranking and for people; it is
 * here so that an analyst can sort a market without an order.
 */
import { graphOf, type OpaqueGraph } from './graph.js'
import { type Address, type Hex, NATIVE, wrappedOf } from './hex.js'
import type { Order } from './order.js'
import { referenceOf } from './reference/referencePrices.js'

/**
 * The worth of one raw unit of each token, in wei of the native token, along the deepest paths to it.
 * A token is absent if no path connects it with the native token, or only one with a pool that is not as deep as
 * `least`, in wei of the native token.
 */
export function pricesOfTokens(market: OpaqueGraph, least = 0): ReadonlyMap<Address, number> {
  const graph = graphOf(market)
  const { tree, price, isValued } = referenceOf(graph)
  return new Map(
    graph.tokens.flatMap((token, k): [Address, number][] => {
      if (token === NATIVE) return [[token, 1]]
      return isValued[k] && price[k]! > 0 && tree.width[k]! >= least ? [[token, price[k]!]] : []
    }),
  )
}

/**
 * The depth of each pool: the output of the trade that lowers its price by 2 %, in wei of the native
 * token, in the deepest of its directions. A pool far off the market, or whose tokens have no price, has
 * 0, because its depth at these prices means nothing. Pools that wrap the native token are absent.
 */
export function depthsOfPools(market: OpaqueGraph): ReadonlyMap<Hex, number> {
  const graph = graphOf(market)
  const { isClean, depthOut } = referenceOf(graph)
  const prices = pricesOfTokens(graph)
  return new Map(
    graph.pools.flatMap((id, p): [Hex, number][] => {
      if (id === graph.snapshot.wrappedNative) return []
      const depths = graph.edgesOfPool[p]!.map((e) => {
        const price = prices.get(graph.tokens[graph.to[e]!]!) ?? 0
        return isClean[e] ? depthOut[e]! * price : 0
      })
      return [[id, Math.max(0, ...depths)]]
    }),
  )
}

/**
 * Tokens that trusted tokens back: the ids of two or more pools each, of which each pays out trusted tokens worth
 * `eachWei` of the native token until its price of the token falls by 2 %, and all together `allWei`. What a pool holds
 * of the token itself counts for nothing, because its maker prints it.
 */
export function backedTokens(
  market: OpaqueGraph,
  trusted: ReadonlySet<Address>,
  { eachWei, allWei }: { readonly eachWei: number; readonly allWei: number },
): ReadonlyMap<Address, readonly Hex[]> {
  const graph = graphOf(market)
  const { from, to, tokens, pools, poolOf } = graph
  const { isClean, depthOut } = referenceOf(graph)
  const prices = pricesOfTokens(market)
  const backing = new Map<Address, Map<Hex, number>>()
  for (const [e, k] of to.entries()) {
    const [token, paid] = [tokens[from[e]!]!, tokens[k]!]
    const depth = isClean[e] ? depthOut[e]! * (prices.get(paid) ?? 0) : 0
    if (trusted.has(token) || !trusted.has(paid) || !(depth >= eachWei)) continue
    const of = backing.get(token) ?? new Map()
    const pool = pools[poolOf[e]!]!
    backing.set(token, of.set(pool, Math.max(depth, of.get(pool) ?? 0)))
  }
  const isBacked = (depths: readonly number[]) =>
    depths.length > 1 && depths.reduce((sum, depth) => sum + depth, 0) >= allWei
  return new Map(
    [...backing].flatMap(([token, of]) =>
      isBacked([...of.values()]) ? [[token, [...of.keys()]] as const] : [],
    ),
  )
}

/**
 * How much less an output is worth than the input of its order, in basis points at the prices of the market;
 * below 0 if it is worth more, undefined if a price is unknown.
 */
export function worthLostBps(
  market: OpaqueGraph,
  { tokenIn, tokenOut, amountIn }: Order,
  amountOut: bigint,
): number | undefined {
  const graph = graphOf(market)
  const { price, isValued } = referenceOf(graph)
  const worth = (token: Address, wei: bigint) => {
    const k = graph.tokenNumber.get(wrappedOf(token, graph.snapshot.wrappedNative))
    return k !== undefined && isValued[k] ? Number(wei) * price[k]! : 0
  }
  const [paid, got] = [worth(tokenIn, amountIn), worth(tokenOut, amountOut)]
  return paid > 0 && got > 0 ? (1 - got / paid) * 10_000 : undefined
}
