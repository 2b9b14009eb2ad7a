/**
 * The price tree: a widest-path tree from the wrapped native token, whose paths give every token a
 * price. Input: a graph. Output: {@link PriceTree}.
 *
 * A path is better if its narrowest pool is deeper, then if it has fewer hops, then if its last edge
 * has the lower number. A path is worse than any part of it that begins at the root. So the tree in
 * which no edge offers a token a better path is unique: it is the tree that {@link growTree} grows
 * greedily, as Dijkstra's algorithm does. {@link followTree} therefore begins with the tree of the
 * block before and corrects it until no edge offers better: the result is the tree of the snapshot
 * alone.
 */
import type { Graph } from '../graph.js'
import { makeHeap, popHeap, pushHeap } from './maxHeap.js'

/** Weight of a pool that trades in one direction: it prices a token only if no other pool does. */
const ONE_SIDED = 1e-12
/** Rounds of corrections after which a new price tree takes less time; a block rarely needs three. */
const MAX_TREE_ROUNDS = 8

/** A price and a path for every token. */
export type PriceTree = {
  /** Value of one raw unit of each token, in raw units of the root of its component. */
  readonly price: Float64Array
  /** Depth of the narrowest pool on each token's path, in raw units of that root. */
  readonly width: Float64Array
  /** Number of edges on each token's path. */
  readonly hops: Int32Array
  /** The last edge of each token's path; −1 for a root. */
  readonly edgeInto: Int32Array
  /**
   * Per token, the number of its component: first that of the wrapped native token, then those of
   * the tokens with the lowest numbers, which are their roots.
   */
  readonly component: Int32Array
}

/** The price tree, grown from its roots. */
export function growTree(graph: Graph): PriceTree {
  const { tokens, firstFrom, from, to } = graph
  const tree = emptyTree(tokens.length)
  const { width, hops, edgeInto, component } = tree
  // The greatest width offered to each token. Smaller ones are not worth a push.
  const offered = new Float64Array(tokens.length)
  const heap = makeHeap(from.length)
  let count = 0
  for (const root of rootsFirst(graph)) {
    if (width[root]! > 0) continue
    setRoot(tree, root)
    component[root] = count
    grow(root)
    while (popHeap(heap)) {
      const e = heap.entries[heap.size]! % from.length
      const k = to[e]!
      if (width[k]! > 0) continue
      edgeInto[k] = e
      extendPath(graph, tree, k)
      component[k] = count
      grow(k)
    }
    count++
  }
  return tree

  function grow(k: number): void {
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      const other = to[e]!
      if (width[other]! > 0) continue
      const offer = offerOf(graph, tree, e)
      if (!(offer > 0 && offer >= offered[other]!)) continue
      offered[other] = offer
      // Among equal widths, fewer hops come first, then the lower edge number.
      pushHeap(heap, offer, (hops[k]! + 1) * from.length + e)
    }
  }
}

/**
 * The price tree of a graph, from the tree of a graph with the same pools in other states;
 * `undefined` if tokens have joined or left a component, or if too much has changed.
 */
export function followTree(graph: Graph, before: PriceTree): PriceTree | undefined {
  const edgeInto = before.edgeInto.slice()
  const isOpen = new Uint8Array(edgeInto.length).fill(1)
  let tree = treeAlong(graph, edgeInto, before.component)
  for (let round = 0; round < MAX_TREE_ROUNDS; round++) {
    const corrected = takeBetterEdges(graph, tree, isOpen)
    if (!(corrected > 0)) return corrected === 0 ? tree : undefined
    const next = treeAlong(graph, edgeInto, before.component)
    // Only an edge at a token whose path has changed may now offer better.
    for (let k = 0; k < isOpen.length; k++) isOpen[k] = isSamePath(tree, next, k) ? 0 : 1
    tree = next
  }
  return undefined
}

function isSamePath(some: PriceTree, other: PriceTree, k: number): boolean {
  const isSameWidth = some.width[k] === other.width[k] && some.hops[k] === other.hops[k]
  return isSameWidth && some.price[k] === other.price[k]
}

/** The tree with the given last edges, each token after the token before it. */
function treeAlong(graph: Graph, edgeInto: Int32Array, component: Int32Array): PriceTree {
  const tree = { ...emptyTree(edgeInto.length), edgeInto, component }
  const isKnown = new Uint8Array(edgeInto.length)
  const path = new Int32Array(edgeInto.length)
  for (let k = 0; k < edgeInto.length; k++) {
    let length = 0
    for (let at = k; !isKnown[at]; at = graph.from[edgeInto[at]!]!) {
      isKnown[at] = 1
      if (edgeInto[at]! < 0) {
        setRoot(tree, at)
        break
      }
      path[length++] = at
    }
    while (length > 0) extendPath(graph, tree, path[--length]!)
  }
  return tree
}

/**
 * Replaces the last edge of every token that an edge offers a better path, by the best such edge.
 * Returns the number of these tokens; NaN if components have changed. Looks only at edges from or
 * to an open token.
 *
 * The new last edges form no cycle, because each path offered is worse than the path of the token
 * that offers it, and better than the path of the token that takes it.
 */
function takeBetterEdges(graph: Graph, tree: PriceTree, isOpen: Uint8Array): number {
  const { from, to, depthIn } = graph
  const { price, width, hops, edgeInto, component } = tree
  const best = { width: width.slice(), hops: hops.slice(), edgeInto: edgeInto.slice() }
  for (let e = 0; e < from.length; e++) {
    const [a, b] = [from[e]!, to[e]!]
    if (!(isOpen[a] || isOpen[b]) || component[a]! > component[b]!) continue
    const isLater = component[a]! < component[b]!
    // The offer is at most this. The test spares most edges the look at their reverse.
    const most = price[a]! * depthIn[e]!
    if (most > 0 && most < best.width[b]! && !isLater) continue
    const offer = offerOf(graph, tree, e)
    if (!(offer > 0)) continue
    if (isLater) return Number.NaN
    const fewer = best.hops[b]! - hops[a]! - 1
    const isTieBreak =
      offer === best.width[b]! && (fewer > 0 || (fewer === 0 && e < best.edgeInto[b]!))
    if (!(offer > best.width[b]! || isTieBreak)) continue
    best.width[b] = offer
    best.hops[b] = hops[a]! + 1
    best.edgeInto[b] = e
  }
  let corrected = 0
  for (let k = 0; k < edgeInto.length; k++) {
    if (!(best.width[k]! > 0)) return Number.NaN
    if (best.edgeInto[k] === edgeInto[k]) continue
    edgeInto[k] = best.edgeInto[k]!
    corrected++
  }
  return corrected
}

function emptyTree(size: number): PriceTree {
  return {
    price: new Float64Array(size),
    width: new Float64Array(size),
    hops: new Int32Array(size),
    edgeInto: new Int32Array(size).fill(-1),
    component: new Int32Array(size),
  }
}

/** The wrapped native token, then all tokens: the roots, and tokens that are on a path already. */
function rootsFirst({ tokens, tokenNumber, snapshot }: Graph): readonly number[] {
  const native = tokenNumber.get(snapshot.wrappedNative)
  return native === undefined ? [...tokens.keys()] : [native, ...tokens.keys()]
}

function setRoot({ price, width }: PriceTree, k: number): void {
  price[k] = 1
  width[k] = Number.POSITIVE_INFINITY
}

/** Sets the price, width and hops of a token by its last edge. */
function extendPath(graph: Graph, tree: PriceTree, k: number): void {
  const e = tree.edgeInto[k]!
  const a = graph.from[e]!
  tree.width[k] = offerOf(graph, tree, e)
  tree.hops[k] = tree.hops[a]! + 1
  tree.price[k] = tree.price[a]! / midRate(graph, e)
}

/** Width of the path that an edge offers: that of its token in, or its own depth if that is less. */
function offerOf(graph: Graph, { price, width }: PriceTree, e: number): number {
  const a = graph.from[e]!
  return Math.min(width[a]!, price[a]! * depthOf(graph, e))
}

/**
 * Depth of a pool in units of an edge's token in, because the other token has no price yet: the
 * smaller of this edge's input and the reverse edge's output. Almost zero if one side is exhausted.
 */
function depthOf({ depthIn, depthOut, reverse }: Graph, e: number): number {
  const there = depthIn[e]!
  const back = depthOut[reverse[e]!]!
  return there > 0 && back > 0 ? Math.min(there, back) : ONE_SIDED * Math.max(there, back)
}

/**
 * Rate of an edge before its fee: the geometric mean of its spot rate and the inverse reverse rate.
 */
function midRate({ spot, reverse }: Graph, e: number): number {
  const there = spot[e]!
  const back = spot[reverse[e]!]!
  if (there > 0 && back > 0) return Math.sqrt(there / back)
  return there > 0 ? there : 1 / back
}
