import type { Graph } from '../graph.js'
import type { Address, Hex } from '../hex.js'
import type { Order } from '../order.js'
import { makeProblem, type Problem } from './problem.js'
import { type Reference, throughputOf } from './reference.js'

// Up to so many core tokens are all taken; of a larger core, those that can let most through.
const CORE_TOKENS = 96
const HUBS = 40
const NEIGHBOURS = 8

/**
 * The part of the graph that an order is solved on: its two tokens, the chains that hang them on
 * the core, and the core itself, or of a large core the tokens that most can pass through, the
 * deepest neighbours of both ends and the deepest way between them; `extra` adds what pricing the rest has found worth adding.
 */
export function selectProblem(
  graph: Graph,
  reference: Reference,
  order: Order,
  terms: {
    readonly excludedPools?: ReadonlySet<Hex> | undefined
    readonly extra: readonly number[]
  },
): Problem | undefined {
  const source = graph.tokenNumber.get(order.tokenIn)
  const sink = graph.tokenNumber.get(order.tokenOut)
  if (source === undefined || sink === undefined || source === sink) return undefined
  const chosen = new Set<number>(terms.extra)
  const ends = [...chain(reference, source), ...chain(reference, sink)]
  for (const k of ends) chosen.add(k)
  const { ranked } = throughputOf(graph, reference)
  const isSmall = isSolvedWhole(graph, reference)
  for (const k of isSmall ? ranked : ranked.slice(0, HUBS)) chosen.add(k)
  if (!isSmall) {
    for (const k of nearest(graph, reference, ends)) chosen.add(k)
    for (const k of between(graph, reference, source, sink)) chosen.add(k)
    // The deepest way between any two tokens leads along the price tree.
    for (const end of [source, sink]) {
      for (let k = end; k >= 0; k = reference.treeParent[k]!) chosen.add(k)
    }
  }
  const tokens = Int32Array.from(chosen).sort()
  const edges = edgesAmong(graph, reference, tokens, { source, sink, ...terms })
  return makeProblem(graph, { tokens, edges, source, sink, amount: Number(order.amountIn) })
}

/** Whether every problem on the graph holds the whole core, so that nothing lies beyond it. */
export function isSolvedWhole(graph: Graph, reference: Reference): boolean {
  return throughputOf(graph, reference).ranked.length <= CORE_TOKENS
}

/** The token and those it hangs on, up to the first of the core. */
function chain({ isCore, parent }: Reference, token: number): readonly number[] {
  const links: number[] = []
  for (let k = token; k >= 0; k = parent[k]!) {
    links.push(k)
    if (isCore[k]) break
  }
  return links
}

/** The core tokens with the deepest pools to any of `ends`. */
function nearest(graph: Graph, reference: Reference, ends: readonly number[]): readonly number[] {
  return ends.flatMap((end) => deepest(neighbourDepths(graph, reference, end)))
}

/** The tokens that both ends have pools with, by the smaller of the two depths. */
function between(
  graph: Graph,
  reference: Reference,
  source: number,
  sink: number,
): readonly number[] {
  const toSink = new Map(neighbourDepths(graph, reference, sink).map((n) => [n.token, n.depth]))
  const shared = neighbourDepths(graph, reference, source)
    .filter(({ token }) => toSink.has(token))
    .map(({ token, depth }) => ({ token, depth: Math.min(depth, toSink.get(token)!) }))
  return deepest(shared)
}

type Neighbour = { readonly token: number; readonly depth: number }

function neighbourDepths(graph: Graph, reference: Reference, end: number): readonly Neighbour[] {
  const { firstFrom, to } = graph
  const depths: { readonly token: number; depth: number }[] = []
  for (let e = firstFrom[end]!; e < firstFrom[end + 1]!; e++) {
    if (!reference.isClean[e] || !reference.isCore[to[e]!]) continue
    const depth = reference.depthOut[e]! * reference.price[to[e]!]!
    const last = depths.at(-1)
    if (last?.token === to[e]!) last.depth += depth
    else depths.push({ token: to[e]!, depth })
  }
  return depths
}

function deepest(neighbours: readonly Neighbour[]): readonly number[] {
  return [...neighbours]
    .sort((a, b) => b.depth - a.depth || a.token - b.token)
    .slice(0, NEIGHBOURS)
    .map(({ token }) => token)
}

/**
 * The edges that an acyclic route from source to sink can use: none into the source or out of the
 * sink. A pool of the two ends themselves is taken however far off the market it stands.
 */
function edgesAmong(
  graph: Graph,
  { isClean }: Reference,
  tokens: Int32Array,
  terms: {
    readonly source: number
    readonly sink: number
    readonly excludedPools?: ReadonlySet<Hex> | undefined
  },
): Int32Array {
  const { from, to, spot, firstFrom } = graph
  const { source, sink, excludedPools } = terms
  const isChosen = new Uint8Array(graph.tokens.length)
  for (const k of tokens) isChosen[k] = 1
  isChosen[source] = 0
  const edges: number[] = []
  for (const k of tokens) {
    if (k === sink) continue
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      const isDirect = from[e] === source && to[e] === sink && spot[e]! > 0
      if (!isChosen[to[e]!] || !(isClean[e] || isDirect)) continue
      if (!excludedPools?.has(graph.edges[e]!.pool.id)) edges.push(e)
    }
  }
  return Int32Array.from(edges)
}

/** Prices to start from: ln of a raw unit's worth in raw units of the token out, by address. */
export type StartPrices = Readonly<Record<Address, number>>
