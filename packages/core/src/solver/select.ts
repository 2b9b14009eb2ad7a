import type { Graph } from '../graph.js'
import type { Address, Hex } from '../hex.js'
import type { Order } from '../order.js'
import { waysBetween } from './blocks.js'
import { makeProblem, type Problem } from './problem.js'
import { type Reference, throughputOf } from './reference.js'

// Up to so many tokens are all taken; of more, those that can let most through.
const WHOLE = 96
const HUBS = 40
const NEIGHBOURS = 8

/** Tokens to solve on, and those left out that acyclic routes can pass. */
type Choice = { readonly tokens: ReadonlySet<number>; readonly beyond: readonly number[] }

/** Tokens and edges of the graph between two tokens, by their own local numbers. */
export type Network = Pick<
  Problem,
  'graph' | 'tokens' | 'edges' | 'from' | 'to' | 'source' | 'sink'
>

/** All that acyclic routes of an order can pass, however large: to search, not to solve on. */
export function selectNetwork(
  graph: Graph,
  reference: Reference,
  order: Order,
  excludedPools: ReadonlySet<Hex> | undefined,
): Network | undefined {
  const source = graph.tokenNumber.get(order.tokenIn)
  const sink = graph.tokenNumber.get(order.tokenOut)
  if (source === undefined || sink === undefined || source === sink) return undefined
  const ways = waysBetween(reference.blocks, source, sink)
  const tokens = Int32Array.from(new Set([source, sink, ...ways.tokens])).sort()
  const ends = { source, sink, beyond: [], excludedPools }
  const edges = edgesAmong(graph, reference, tokens, ends)
  const local = new Int32Array(graph.tokens.length)
  for (const [k, token] of tokens.entries()) local[token] = k
  return {
    ...{ graph, tokens, edges, source: local[source]!, sink: local[sink]! },
    from: edges.map((e) => local[graph.from[e]!]!),
    to: edges.map((e) => local[graph.to[e]!]!),
  }
}

/**
 * The part of the graph that an order is solved on: the tokens that acyclic routes can pass, or of
 * many those that every route passes, those that most can pass through, the deepest neighbours of
 * the ends and the deepest way between them. Where there was a problem before, its tokens and those
 * that pricing the rest has found worth adding.
 */
export function selectProblem(
  graph: Graph,
  reference: Reference,
  order: Order,
  terms: {
    readonly excludedPools?: ReadonlySet<Hex> | undefined
    readonly grown?: { readonly before: Problem; readonly by: readonly number[] } | undefined
    /** Tokens to take in whatever their depth. */
    readonly through?: readonly number[] | undefined
  },
): Problem | undefined {
  const source = graph.tokenNumber.get(order.tokenIn)
  const sink = graph.tokenNumber.get(order.tokenOut)
  if (source === undefined || sink === undefined || source === sink) return undefined
  const { grown, through = [] } = terms
  const choice = grown
    ? widen(grown.before, grown.by)
    : chooseFirst(graph, reference, [source, sink], through)
  const tokens = Int32Array.from(choice.tokens).sort()
  const { beyond } = choice
  const edges = edgesAmong(graph, reference, tokens, { source, sink, beyond, ...terms })
  return makeProblem(graph, { tokens, edges, source, sink, beyond, amount: Number(order.amountIn) })
}

function chooseFirst(
  graph: Graph,
  reference: Reference,
  [source, sink]: readonly [number, number],
  through: readonly number[],
): Choice {
  const ways = waysBetween(reference.blocks, source, sink)
  const tokens =
    ways.tokens.length <= WHOLE
      ? new Set(ways.tokens)
      : chooseTokens(graph, reference, ways.tokens, [source, sink, ...ways.cuts])
  for (const k of [source, sink, ...through]) tokens.add(k)
  return { tokens, beyond: ways.tokens.filter((k) => !tokens.has(k)) }
}

function widen({ tokens, beyond }: Problem, by: readonly number[]): Choice {
  const all = new Set([...tokens, ...by])
  return { tokens: all, beyond: beyond.filter((k) => !all.has(k)) }
}

function chooseTokens(
  graph: Graph,
  reference: Reference,
  ways: readonly number[],
  ends: readonly number[],
): Set<number> {
  const onWay = new Uint8Array(graph.tokens.length)
  for (const k of ways) onWay[k] = 1
  const depths = ends.map((end) => neighbourDepths(graph, reference, end))
  const chosen = new Set(ends)
  let hubs = 0
  for (const k of throughputOf(graph, reference).ranked) {
    if (hubs === HUBS) break
    if (!onWay[k]) continue
    chosen.add(k)
    hubs++
  }
  for (const neighbours of [...depths, shared(depths[0]!, depths[1]!)]) {
    for (const k of deepest(neighbours.filter(({ token }) => onWay[token]))) chosen.add(k)
  }
  // The deepest way between any two tokens leads along the price tree.
  for (const end of ends) {
    for (let k = end; k >= 0; k = reference.treeParent[k]!) if (onWay[k]) chosen.add(k)
  }
  return chosen
}

/** The tokens that both have pools with, by the smaller of the two depths. */
function shared(some: readonly Neighbour[], others: readonly Neighbour[]): readonly Neighbour[] {
  const known = new Map(others.map(({ token, depth }) => [token, depth]))
  return some
    .filter(({ token }) => known.has(token))
    .map(({ token, depth }) => ({ token, depth: Math.min(depth, known.get(token)!) }))
}

type Neighbour = { readonly token: number; readonly depth: number }

function neighbourDepths(graph: Graph, reference: Reference, end: number): readonly Neighbour[] {
  const { firstFrom, to } = graph
  const depths: { readonly token: number; depth: number }[] = []
  for (let e = firstFrom[end]!; e < firstFrom[end + 1]!; e++) {
    if (!reference.isClean[e]) continue
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
 * sink, nor where the source does not lead or what does not lead to the sink, be it by tokens left
 * out. A pool of the two ends themselves is taken however far off the market it stands.
 */
function edgesAmong(
  graph: Graph,
  { isClean }: Reference,
  tokens: Int32Array,
  terms: {
    readonly source: number
    readonly sink: number
    readonly beyond: readonly number[]
    readonly excludedPools?: ReadonlySet<Hex> | undefined
  },
): Int32Array {
  const { from, to, spot, firstFrom } = graph
  const { source, sink, beyond, excludedPools } = terms
  const role = new Uint8Array(graph.tokens.length)
  for (const k of tokens) role[k] = CHOSEN
  for (const k of beyond) role[k] = BEYOND
  role[source] = 0
  const edges: number[] = []
  // Tokens that lead on through tokens left out, and so may be reached from them too.
  const isReached = new Uint8Array(graph.tokens.length)
  const leadsOn = new Uint8Array(graph.tokens.length)
  for (const k of tokens) {
    if (k === sink) continue
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      const isDirect = from[e] === source && to[e] === sink && spot[e]! > 0
      if (role[to[e]!] === BEYOND && isClean[e]) isReached[k] = leadsOn[k] = 1
      if (role[to[e]!] !== CHOSEN || !(isClean[e] || isDirect)) continue
      if (!excludedPools?.has(graph.edges[e]!.pool.id)) edges.push(e)
    }
  }
  isReached[source] = 1
  leadsOn[sink] = 1
  reach(edges, from, to, isReached)
  reach(edges, to, from, leadsOn)
  return Int32Array.from(edges.filter((e) => isReached[from[e]!] && leadsOn[to[e]!]))
}

const CHOSEN = 1
const BEYOND = 2

/** Marks the tokens that the edges lead to from those marked already. */
function reach(
  edges: readonly number[],
  from: Int32Array,
  to: Int32Array,
  isReached: Uint8Array,
): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const e of edges) {
      if (!isReached[from[e]!] || isReached[to[e]!]) continue
      isReached[to[e]!] = 1
      isSettled = false
    }
  }
}

/** Prices to start from: ln of a raw unit's worth in raw units of the token out, by address. */
export type StartPrices = Readonly<Record<Address, number>>
