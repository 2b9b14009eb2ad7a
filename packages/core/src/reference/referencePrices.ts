/**
 * Reference prices of the market, independent of any order. They follow a widest-path tree from the
 * wrapped native token. Input: a graph. Output: {@link Reference}. The prices value gas, show which
 * pools are far off the market, and rank tokens by depth.
 */
import { type Graph, graphOf, type OpaqueGraph } from '../graph.js'
import { type Hex, NATIVE } from '../hex.js'
import { type Blocks, findBlocks } from './blockCutTree.js'
import { followTree, growTree, type PriceTree } from './priceTree.js'
import { cleanEdges } from './quarantine.js'

/**
 * Facts about the market that do not depend on an order: a price for every token, the pools that
 * agree with these prices, and the tokens that a swap can pass through.
 */
export type Reference = {
  /** The tree that the prices follow. */
  readonly tree: PriceTree
  /** Value of one raw unit of each token, in wei of the wrapped native token. */
  readonly price: Float64Array
  /** Per token: 1 if its price is in native wei, 0 off the native token's component. */
  readonly isValued: Uint8Array
  /** Per token: its parent in the price tree, on the widest path from the root; −1 for a root. */
  readonly treeParent: Int32Array
  /** Per edge: input of a trade that lowers its marginal price by 2 %. */
  readonly depthIn: Float64Array
  /** Per edge: output of that trade. */
  readonly depthOut: Float64Array
  /** Per edge: 1 if it can trade and its pool agrees with the prices, 0 otherwise. */
  readonly isClean: Uint8Array
  /** Biconnected components of the graph of clean pools. */
  readonly blocks: Blocks
}

/** Tokens ranked by how much can pass through them: the depth of the second deepest neighbour. */
export type Throughput = {
  /** Tokens with at least two neighbours, the highest throughput first. */
  readonly ranked: readonly number[]
}

const known = new WeakMap<Graph, Reference>()

/**
 * Precomputes the data of a graph, so that the first quote does not pay for it. With the graph
 * `before`, it corrects the price tree of that graph. Call it on every new graph before quoting from
 * it.
 */
export function precomputeReference<G extends OpaqueGraph>(graph: G, before?: OpaqueGraph): G {
  referenceOf(graphOf(graph), before && graphOf(before))
  return graph
}

/** The reference of a graph, cached. It takes less time with `before`, the graph of the last block. */
export function referenceOf(graph: Graph, before?: Graph): Reference {
  const made = known.get(graph)
  if (made) return made
  const isSame =
    before?.edgesOfPool === graph.edgesOfPool &&
    before.snapshot.wrappedNative === graph.snapshot.wrappedNative
  const reference = buildReference(graph, isSame ? known.get(before) : undefined)
  known.set(graph, reference)
  return reference
}

const asides = new WeakMap<Graph, readonly Hex[]>()

/** Ids of the pools that could trade but are not clean; cached per graph. */
export function setAsideOf(graph: Graph, { isClean }: Reference): readonly Hex[] {
  const made = asides.get(graph)
  if (made) return made
  const { from, to, spot, pools, poolOf } = graph
  const native = graph.tokenNumber.get(NATIVE)
  const ids = new Set<Hex>()
  for (let e = 0; e < isClean.length; e++) {
    if (isClean[e] || !(spot[e]! > 0) || from[e] === native || to[e] === native) continue
    ids.add(pools[poolOf[e]!]!)
  }
  const list = [...ids].sort()
  asides.set(graph, list)
  return list
}

const throughputs = new WeakMap<Reference, Throughput>()

/** Ranks the tokens by throughput; cached per reference, on the first quote that needs it. */
export function throughputOf(graph: Graph, reference: Reference): Throughput {
  const made = throughputs.get(reference)
  if (made) return made
  const { isClean, depthOut, price } = reference
  const { firstFrom, to } = graph
  const capacity = new Float64Array(price.length)
  const ranked: number[] = []
  for (let k = 0; k < price.length; k++) {
    let [first, second] = [0, 0]
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; ) {
      const neighbour = to[e]!
      let depth = 0
      for (; e < firstFrom[k + 1]! && to[e] === neighbour; e++) {
        if (isClean[e]) depth += depthOut[e]! * price[neighbour]!
      }
      second = Math.max(second, Math.min(first, depth))
      first = Math.max(first, depth)
    }
    capacity[k] = second
    if (second > 0) ranked.push(k)
  }
  ranked.sort((a, b) => capacity[b]! - capacity[a]! || a - b)
  throughputs.set(reference, { ranked })
  return { ranked }
}

/**
 * Prices the tokens along the price tree. From `before`, the tree is followed and what depends only
 * on the set of clean pools is reused if the set is the same. The reference is a function of the
 * snapshot alone, so a quote does not depend on the sequence of blocks that led to it.
 */
function buildReference(graph: Graph, before?: Reference): Reference {
  const tree = (before && followTree(graph, before.tree)) ?? growTree(graph)
  const { price, edgeInto, component } = tree
  const root = graph.tokenNumber.get(graph.snapshot.wrappedNative) ?? -1
  const isValued = new Uint8Array(component.length)
  const treeParent = new Int32Array(component.length).fill(-1)
  for (let k = 0; k < component.length; k++) {
    if (root >= 0 && component[k] === 0) isValued[k] = 1
    if (edgeInto[k]! >= 0) treeParent[k] = graph.from[edgeInto[k]!]!
  }
  const { depthIn, depthOut } = graph
  const known = { tree, price, isValued, treeParent, depthIn, depthOut }
  const isClean = cleanEdges(graph, tree)
  if (before && isEqual(isClean, before.isClean)) {
    return { ...known, isClean: before.isClean, blocks: before.blocks }
  }
  return { ...known, isClean, blocks: findBlocks(graph, usableEitherWay(graph, isClean), root) }
}

function isEqual(some: Uint8Array, others: Uint8Array): boolean {
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}

function usableEitherWay(graph: Graph, isClean: Uint8Array): Uint8Array {
  return isClean.map((clean, e) => clean || isClean[graph.reverse[e]!]!)
}
