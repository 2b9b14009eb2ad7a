/**
 * Quarantine of pools far off the market. Input: a graph and its price tree. Output: the edges of the
 * other pools. A stale, taxed or poisoned pool would otherwise fill route and bound with arbitrage.
 */
import { DEPTH_MOVE, edgeAt, type Graph } from '../graph.js'
import { NATIVE } from '../hex.js'
import type { PriceTree } from './priceTree.js'

/**
 * A pool is quarantined if its arbitrage against the reference prices exceeds this fraction of its
 * depth: it is stale, taxed or poisoned. For a constant product this means 10 % off the market.
 */
const ARBITRAGE_OF_DEPTH = 0.25

/** Per edge: 1 if it can trade and its pool agrees with the prices of the tree, 0 otherwise. */
export function cleanEdges(graph: Graph, { price, edgeInto }: PriceTree): Uint8Array {
  const { from, to, spot, reverse, firstFrom, poolOf, edgesOfPool, depthOut } = graph
  const isClean = new Uint8Array(from.length).fill(1)
  const inTree = new Uint8Array(edgesOfPool.length)
  for (const e of edgeInto) if (e >= 0) inTree[poolOf[e]!] = 1
  for (let e = 0; e < from.length; e++) {
    if (spot[e] === 0) isClean[e] = 0
    if (!(spot[e]! * price[to[e]!]! > price[from[e]!]!) || inTree[poolOf[e]!]) continue
    const ratio = price[from[e]!]! / price[to[e]!]!
    // Within this distance of the market, its arbitrage is at most that fraction of its depth.
    if (ratio > spot[e]! * (1 - DEPTH_MOVE)) continue
    const { curve } = edgeAt(graph, e)
    const x = curve.inputAt(ratio)
    if (!(curve.out(x) - ratio * x > ARBITRAGE_OF_DEPTH * depthOut[e]!)) continue
    for (const sibling of edgesOfPool[poolOf[e]!]!) isClean[sibling] = 0
  }
  // The router wraps and unwraps, so no path passes through the native token itself.
  const native = graph.tokenNumber.get(NATIVE)
  if (native === undefined) return isClean
  for (let e = firstFrom[native]!; e < firstFrom[native + 1]!; e++) {
    isClean[e] = isClean[reverse[e]!] = 0
  }
  return isClean
}
