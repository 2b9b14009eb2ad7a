/**
 * Reference prices of the market, independent of any order: a maximum-bottleneck (widest-path) tree
 * grown by Prim's algorithm from the wrapped native token. Input: a graph. Output: {@link
 * Reference}. The prices value gas, show which pools are far off the market, and rank tokens by
 * depth.
 */
import type { Graph } from '../../graph.js'
import { type Hex, NATIVE } from '../../hex.js'
import { type Blocks, findBlocks } from './blockCutTree.js'
import { makeHeap, popHeap, pushHeap } from './maxHeap.js'

/**
 * Facts about the market that do not depend on an order: a price for every token, the pools that
 * agree with these prices, and the tokens that a swap can pass through.
 */
export type Reference = {
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

const DEPTH_MOVE = 0.02

/**
 * A pool is set aside if its arbitrage against the reference prices exceeds this fraction of its
 * own depth: it is stale, taxed or poisoned. For a constant product this means 10 % off the market.
 */
const ARBITRAGE_OF_DEPTH = 0.25

const known = new WeakMap<Graph, Reference>()

/**
 * Precomputes the data of a graph, so that the first quote does not pay for it. With the graph
 * `before`, it measures only pools that changed. Call it on every new graph before quoting from it.
 */
export function precomputeReference(graph: Graph, before?: Graph): Graph {
  throughputOf(graph, referenceOf(graph, before))
  return graph
}

/** The reference of a graph, cached. With the graph `before`, only changed pools are measured. */
export function referenceOf(graph: Graph, before?: Graph): Reference {
  const made = known.get(graph)
  if (made) return made
  const isSame = before && before.edgesOfPool === graph.edgesOfPool
  const earlier = isSame ? known.get(before) : undefined
  const reference = buildReference(graph, earlier && { graph: before!, reference: earlier })
  known.set(graph, reference)
  return reference
}

const asides = new WeakMap<Uint8Array, readonly Hex[]>()

/** Ids of the pools that could trade but are not clean; cached per reference. */
export function setAsideOf(graph: Graph, { isClean }: Reference): readonly Hex[] {
  const made = asides.get(isClean)
  if (made) return made
  const ids = new Set<Hex>()
  for (let e = 0; e < isClean.length; e++) {
    if (isClean[e] || !(graph.spot[e]! > 0)) continue
    const { pool, tokenIn, tokenOut } = graph.edges[e]!
    if (tokenIn !== NATIVE && tokenOut !== NATIVE) ids.add(pool.id)
  }
  const list = [...ids].sort()
  asides.set(isClean, list)
  return list
}

const throughputs = new WeakMap<Reference, Throughput>()

/** Ranks the tokens by throughput; cached per reference. */
export function throughputOf(graph: Graph, reference: Reference): Throughput {
  const { isClean, depthOut, price } = reference
  const made = throughputs.get(reference)
  if (made) return made
  const { firstFrom, to } = graph
  const capacity = new Float64Array(price.length)
  for (let k = 0; k < price.length; k++) {
    let [first, second, current, neighbour] = [0, 0, 0, -1]
    const close = () => {
      second = Math.max(second, Math.min(first, current))
      first = Math.max(first, current)
      current = 0
    }
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      if (!isClean[e]) continue
      if (to[e] !== neighbour) close()
      neighbour = to[e]!
      current += depthOut[e]! * price[to[e]!]!
    }
    close()
    capacity[k] = second
  }
  const ranked = Array.from(price, (_, k) => k)
    .filter((k) => capacity[k]! > 0)
    .sort((a, b) => capacity[b]! - capacity[a]! || a - b)
  throughputs.set(reference, { ranked })
  return { ranked }
}

/**
 * Prices the tokens along the maximum-bottleneck tree. Only the depths of unchanged pools are
 * reused from `before`. The reference is a function of the snapshot alone, so a quote does not
 * depend on the sequence of blocks that led to it.
 */
function buildReference(graph: Graph, before?: { graph: Graph; reference: Reference }): Reference {
  const isKept = (e: number) => before?.graph.edges[e] === graph.edges[e]
  const depthIn = before?.reference.depthIn.slice() ?? new Float64Array(graph.edges.length)
  const depthOut = before?.reference.depthOut.slice() ?? new Float64Array(graph.edges.length)
  for (let e = 0; e < graph.edges.length; e++) {
    if (isKept(e)) continue
    const { curve } = graph.edges[e]!
    depthIn[e] = graph.spot[e]! > 0 ? curve.inputAt(graph.spot[e]! * (1 - DEPTH_MOVE)) : 0
    depthOut[e] = graph.spot[e]! > 0 ? curve.out(depthIn[e]!) : 0
  }
  const { price, isValued, tree } = growTree(graph, depthIn, depthOut)
  const treeParent = new Int32Array(graph.tokens.length).fill(-1)
  for (const e of tree) treeParent[graph.to[e]!] = graph.from[e]!
  const found = cleanEdges(graph, price, depthOut, tree)
  // Few blocks change the set of clean pools. Everything that depends only on that set is reused.
  if (before && isEqual(found, before.reference.isClean)) {
    const { isClean, blocks } = before.reference
    return { price, isValued, treeParent, depthIn, depthOut, isClean, blocks }
  }
  const isClean = found
  const root = graph.tokenNumber.get(graph.snapshot.wrappedNative) ?? -1
  const blocks = findBlocks(graph, usableEitherWay(graph, isClean), root)
  return { price, isValued, treeParent, depthIn, depthOut, isClean, blocks }
}

function isEqual(some: Uint8Array, others: Uint8Array): boolean {
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}

function growTree(graph: Graph, depthIn: Float64Array, depthOut: Float64Array) {
  const { tokens, firstFrom, from, to, snapshot } = graph
  const price = new Float64Array(tokens.length).fill(Number.NaN)
  const isValued = new Uint8Array(tokens.length)
  // The greatest key under which each token is in the heap. Smaller keys are not worth a push.
  const offered = new Float64Array(tokens.length)
  const heap = makeHeap(from.length)
  const tree: number[] = []
  const root = graph.tokenNumber.get(snapshot.wrappedNative)
  const starts = Array.from(tokens, (_, k) => k)
  for (const start of root === undefined ? starts : [root, ...starts]) {
    if (!Number.isNaN(price[start]!)) continue
    // In other components, prices are relative to an arbitrary token of the component.
    price[start] = 1
    isValued[start] = start === root ? 1 : 0
    grow(start, Number.POSITIVE_INFINITY)
    while (popHeap(heap)) {
      const edge = heap.edges[heap.size]!
      const k = to[edge]!
      if (!Number.isNaN(price[k]!)) continue
      price[k] = price[from[edge]!]! / midRate(graph, edge)
      isValued[k] = isValued[start]!
      tree.push(edge)
      grow(k, heap.keys[heap.size]!)
    }
  }
  return { price, isValued, tree }

  function grow(k: number, bottleneck: number): void {
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      const other = to[e]!
      if (!Number.isNaN(price[other]!)) continue
      const key = Math.min(bottleneck, price[k]! * depthOf(graph, depthIn, depthOut, e))
      if (!(key > 0 && key >= offered[other]!)) continue
      offered[other] = key
      pushHeap(heap, key, e)
    }
  }
}

// A pool that trades in one direction only bounds the price from one side. It prices a token only
// if no other pool does.
const ONE_SIDED = 1e-12

/**
 * Depth of a pool in units of an edge's token in, because the other token has no price yet: the
 * smaller of this edge's input and the reverse edge's output. Almost zero if one side is exhausted.
 */
function depthOf(graph: Graph, depthIn: Float64Array, depthOut: Float64Array, e: number): number {
  const there = depthIn[e]!
  const back = depthOut[graph.reverse[e]!]!
  return there > 0 && back > 0 ? Math.min(there, back) : ONE_SIDED * Math.max(there, back)
}

/**
 * Rate of an edge before its fee: the geometric mean of its spot rate and the inverse reverse rate.
 */
function midRate(graph: Graph, e: number): number {
  const there = graph.spot[e]!
  const back = graph.spot[graph.reverse[e]!]!
  if (there > 0 && back > 0) return Math.sqrt(there / back)
  return there > 0 ? there : 1 / back
}

function usableEitherWay(graph: Graph, isClean: Uint8Array): Uint8Array {
  return isClean.map((clean, e) => clean || isClean[graph.reverse[e]!]!)
}

function cleanEdges(
  graph: Graph,
  price: Float64Array,
  depthOut: Float64Array,
  tree: readonly number[],
): Uint8Array {
  const { edges, from, to, spot, poolOf, edgesOfPool, tokenNumber } = graph
  const isClean = new Uint8Array(edges.length).fill(1)
  const setAside = (e: number) => {
    for (const sibling of edgesOfPool[poolOf[e]!]!) isClean[sibling] = 0
  }
  const inTree = new Uint8Array(edgesOfPool.length)
  for (const e of tree) inTree[poolOf[e]!] = 1
  for (let e = 0; e < edges.length; e++) {
    if (spot[e] === 0) isClean[e] = 0
    if (!(spot[e]! * price[to[e]!]! > price[from[e]!]!) || inTree[poolOf[e]!]) continue
    const ratio = price[from[e]!]! / price[to[e]!]!
    // Within this distance of the market, its arbitrage is at most that fraction of its depth.
    if (ratio > spot[e]! * (1 - DEPTH_MOVE)) continue
    const { curve } = edges[e]!
    const x = curve.inputAt(ratio)
    if (curve.out(x) - ratio * x > ARBITRAGE_OF_DEPTH * depthOut[e]!) setAside(e)
  }
  // The router wraps and unwraps, so no path passes through the native token itself.
  const native = tokenNumber.get(NATIVE)
  for (let e = 0; e < edges.length; e++) if (from[e] === native || to[e] === native) isClean[e] = 0
  return isClean
}
