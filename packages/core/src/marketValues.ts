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
 * A token that no pool connects with the native token is absent.
 */
export function pricesOfTokens(market: OpaqueGraph): ReadonlyMap<Address, number> {
  const graph = graphOf(market)
  const { price, isValued } = referenceOf(graph)
  return new Map(
    graph.tokens.flatMap((token, k): [Address, number][] => {
      if (token === NATIVE) return [[token, 1]]
      return isValued[k] && price[k]! > 0 ? [[token, price[k]!]] : []
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
