/**
 * Biconnected components and their block-cut tree (Hopcroft and Tarjan 1973). Input: the graph of
 * usable edges, taken as undirected. Output: the tokens that an acyclic route between two tokens
 * can pass. All other tokens are excluded from the search and from the bound without loss.
 */
import type { Graph } from '../graph.js'

/**
 * The block-cut forest of the tokens. A block is a biconnected component: a maximal set of tokens
 * that no single token separates. Blocks share the cut tokens.
 */
export type Blocks = {
  /** Per token: the block that connects it towards the root of its tree, −1 for the root. */
  readonly blockOf: Int32Array
  /** Per token: blocks between it and the root of its tree. */
  readonly depth: Int32Array
  /** Per block: its token nearest the root, and all of its tokens ascending. */
  readonly top: readonly number[]
  readonly tokens: readonly (readonly number[])[]
}

/** Splits the undirected graph of usable edges into blocks by an iterative depth-first search. */
export function findBlocks(graph: Graph, isUsable: Uint8Array, root: number): Blocks {
  const { tokens, firstFrom, to } = graph
  const n = tokens.length
  const blockOf = new Int32Array(n).fill(-1)
  const depth = new Int32Array(n)
  const blocks: (readonly number[])[] = []
  const entered = new Int32Array(n).fill(-1)
  // Entry time of the earliest token that a token or its descendants have an edge to.
  const low = new Int32Array(n)
  const next = new Int32Array(n)
  const parent = new Int32Array(n).fill(-1)
  const open: number[] = []
  let clock = 0
  for (let s = -1; s < n; s++) {
    const start = s < 0 ? root : s
    if (start >= 0 && entered[start]! < 0) descend(start)
  }
  for (let b = blocks.length - 1; b >= 0; b--) {
    const [top, ...below] = blocks[b]!
    for (const k of below) depth[k] = depth[top!]! + 1
  }
  const tops = blocks.map(([first]) => first!)
  return { blockOf, depth, top: tops, tokens: blocks.map((block) => block.toSorted(ascending)) }

  function descend(start: number): void {
    enter(start)
    for (let k = start; k >= 0; ) {
      const e = next[k]!
      if (e < firstFrom[k + 1]!) {
        next[k] = e + 1
        const other = to[e]!
        if (!isUsable[e]) continue
        if (entered[other]! < 0) {
          parent[other] = k
          enter(other)
          k = other
        } else if (other !== parent[k]) {
          low[k] = Math.min(low[k]!, entered[other]!)
        }
        continue
      }
      const above = parent[k]!
      if (above >= 0) {
        low[above] = Math.min(low[above]!, low[k]!)
        if (low[k]! >= entered[above]!) close(above, k)
      }
      k = above
    }
    open.pop()
  }

  function enter(k: number): void {
    entered[k] = clock
    low[k] = clock++
    next[k] = firstFrom[k]!
    open.push(k)
  }

  function close(top: number, child: number): void {
    const below = open.splice(open.lastIndexOf(child))
    for (const k of below) blockOf[k] = blocks.length
    blocks.push([top, ...below])
  }
}

/**
 * The tokens that acyclic routes between two tokens can pass, ascending, with both ends: those of the blocks on
 * the tree path. None if the two are not connected.
 */
export function tokensBetween(blocks: Blocks, source: number, sink: number): readonly number[] {
  const { blockOf, depth } = blocks
  const passed = new Set<number>()
  let [a, b] = [source, sink]
  while (a !== b && blockOf[a] !== blockOf[b]) {
    const deeper = depth[a]! >= depth[b]! ? a : b
    const block = blockOf[deeper]!
    if (block < 0) return []
    passed.add(block)
    const top = blocks.top[block]!
    if (deeper === a) a = top
    else b = top
  }
  if (a !== b) {
    // Both are roots: their trees are not connected.
    if (blockOf[a]! < 0) return []
    passed.add(blockOf[a]!)
  }
  const [only, ...others] = [...passed].map((block) => blocks.tokens[block]!)
  if (only && others.length === 0) return only
  const tokens = new Set([only ?? [], ...others].flat())
  return [...tokens].sort(ascending)
}

function ascending(a: number, b: number): number {
  return a - b
}
