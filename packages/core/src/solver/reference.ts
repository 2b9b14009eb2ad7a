import type { Graph } from '../graph.js'
import { type Hex, NATIVE } from '../hex.js'
import { type Blocks, findBlocks } from './blocks.js'
import { makeHeap, popHeap, pushHeap } from './heap.js'

/**
 * What the market says of itself before any order: a price for every token, which pools agree with
 * it, and which tokens a swap can pass through.
 */
export type Reference = {
  /** Value of one raw unit of each token, in wei of the wrapped native token. */
  readonly price: Float64Array
  /** Per token: 1 if its price is in native wei, 0 off the native token's component. */
  readonly isValued: Uint8Array
  /** Per token: the one that its price was taken from, by the deepest way from the root; −1 for a root. */
  readonly treeParent: Int32Array
  /** Per edge: input of a trade that moves its price by 2 %. */
  readonly depthIn: Float64Array
  /** Per edge: output of that trade. */
  readonly depthOut: Float64Array
  /** Per edge: 1 if its pool agrees with the prices, 0 if it looks like free money. */
  readonly isClean: Uint8Array
  /** How the clean pools hang together. */
  readonly blocks: Blocks
}

/** How much can pass through each token: the depth of its second deepest neighbour. */
export type Throughput = {
  /** Tokens with two neighbours or more, those that let most through first. */
  readonly ranked: readonly number[]
}

const DEPTH_MOVE = 0.02

/**
 * A pool whose arbitrage against the reference prices exceeds this part of its own depth is set
 * aside: it is stale, taxed or poisoned. For a constant product that is 10 % off the market.
 */
const ARBITRAGE_OF_DEPTH = 0.25

const known = new WeakMap<Graph, Reference>()

/**
 * Does what the first quote on a graph would else wait for. Given the graph `before` it costs
 * little more than what the block moved; call it on every new graph before quoting from it.
 */
export function prepare(graph: Graph, before?: Graph): Graph {
  throughputOf(graph, referenceOf(graph, before))
  return graph
}

/** The reference of a graph, made once; with the graph `before` only what moved is measured anew. */
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

/** Ids of the pools that are not clean though they could trade; made once for every reference. */
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

/** Ranks the tokens; made once for every reference. */
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
 * Prices by the maximum-bottleneck tree from the wrapped native token, the deepest pools first. Only
 * the depths of pools that did not move are taken over from `before`: the reference is a function of
 * the snapshot alone, so a quote does not depend on which blocks the market was followed through.
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
  // Few blocks change which pools are clean: what follows from that alone is taken over.
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
  // The greatest key that each token was offered under: of lesser ones it need not be told.
  const offered = new Float64Array(tokens.length)
  const heap = makeHeap(from.length)
  const tree: number[] = []
  const root = graph.tokenNumber.get(snapshot.wrappedNative)
  const starts = Array.from(tokens, (_, k) => k)
  for (const start of root === undefined ? starts : [root, ...starts]) {
    if (!Number.isNaN(price[start]!)) continue
    // Off the native token's component prices are relative to a token of their own.
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

// A pool that trades one way only bounds the price from one side: it speaks where no other does.
const ONE_SIDED = 1e-12

/**
 * Depth of a pool in units of an edge's token in, for the other token has no price yet: what goes
 * in one way and comes out the other, the smaller of the two; next to nothing where one side is
 * exhausted.
 */
function depthOf(graph: Graph, depthIn: Float64Array, depthOut: Float64Array, e: number): number {
  const there = depthIn[e]!
  const back = depthOut[graph.reverse[e]!]!
  return there > 0 && back > 0 ? Math.min(there, back) : ONE_SIDED * Math.max(there, back)
}

/** Rate of an edge before its fee: the geometric mean of what it pays there and asks back. */
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
    // So near the market it earns no more than this part of its depth.
    if (ratio > spot[e]! * (1 - DEPTH_MOVE)) continue
    const { curve } = edges[e]!
    const x = curve.inputAt(ratio)
    if (curve.out(x) - ratio * x > ARBITRAGE_OF_DEPTH * depthOut[e]!) setAside(e)
  }
  // Wrapping is the router's business: no path passes through the native token itself.
  const native = tokenNumber.get(NATIVE)
  for (let e = 0; e < edges.length; e++) if (from[e] === native || to[e] === native) isClean[e] = 0
  return isClean
}
