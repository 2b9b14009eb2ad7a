/**
 * Choice of the subgraph that an order is solved on. Input: graph, reference and order. Output: a
 * {@link Problem} of at most about a hundred tokens, and the tokens left outside. It keeps the time
 * of the dual independent of the number of tokens in the market.
 */
import type { Graph } from '../../graph.js'
import { type Between, tokensBetween } from '../../reference/blockCutTree.js'
import { type Reference, throughputOf } from '../../reference/referencePrices.js'
import type { Request } from '../terms.js'
import { HUBS, NEIGHBOURS, WHOLE } from '../tuning.js'
import { makeProblem, type Problem } from './problem.js'

/** The tokens to solve on, and the tokens left outside that acyclic routes can pass. */
type Choice = { readonly tokens: ReadonlySet<number>; readonly beyond: readonly number[] }

/** What of a request decides where its routes can pass. */
type Place = Pick<Request, 'graph' | 'reference' | 'order' | 'excludedPools' | 'onlyIntermediates'>

/** The part of the graph between two tokens, in local numbers. */
export type Network = Pick<
  Problem,
  'graph' | 'tokens' | 'edges' | 'from' | 'to' | 'source' | 'sink'
>

/**
 * Everything that acyclic routes of an order can pass, of any size: for path search, not for the
 * dual.
 */
export function selectNetwork(request: Place): Network | undefined {
  const { graph } = request
  const ends = endsOf(request)
  if (!ends) return undefined
  const { source, sink } = ends
  const ways = waysOf(request, [source, sink])
  const tokens = Int32Array.from(new Set([source, sink, ...ways.tokens])).sort()
  const edges = edgesAmong(request, tokens, { ...ends, beyond: [] })
  const local = new Int32Array(graph.tokens.length)
  for (const [k, token] of tokens.entries()) local[token] = k
  return {
    graph,
    tokens,
    edges,
    source: local[source]!,
    sink: local[sink]!,
    from: edges.map((e) => local[graph.from[e]!]!),
    to: edges.map((e) => local[graph.to[e]!]!),
  }
}

/**
 * The part of the graph that an order is solved on. It contains all tokens that acyclic routes can
 * pass. If these are too many, it contains the tokens that every route passes, the tokens with the
 * highest throughput, the deepest neighbours of the ends, and the widest path between the ends.
 * With `grown`, it contains the tokens of the previous problem and the given outside tokens.
 */
export function selectProblem(
  request: Request,
  taken: {
    readonly grown?: { readonly before: Problem; readonly by: readonly number[] } | undefined
    /** Tokens to include regardless of depth. */
    readonly through?: readonly number[] | undefined
  } = {},
): Problem | undefined {
  const { graph, order } = request
  const ends = endsOf(request)
  if (!ends) return undefined
  const { source, sink } = ends
  const { grown, through = [] } = taken
  const choice = grown
    ? widen(grown.before, grown.by)
    : chooseFirst(request, [source, sink], through)
  const tokens = Int32Array.from(choice.tokens).sort()
  const { beyond } = choice
  const edges = edgesAmong(request, tokens, { source, sink, beyond })
  return makeProblem(graph, { tokens, edges, source, sink, beyond, amount: Number(order.amountIn) })
}

/** The graph numbers of the two tokens; `undefined` if they are unknown or the same. */
function endsOf({ graph: { tokenNumber }, order }: Place) {
  const source = tokenNumber.get(order.tokenIn)
  const sink = tokenNumber.get(order.tokenOut)
  return source === undefined || sink === undefined || source === sink
    ? undefined
    : { source, sink }
}

/** The tokens that acyclic routes can pass, and may by the options. */
function waysOf(
  { graph, reference, onlyIntermediates }: Place,
  [source, sink]: readonly [number, number],
): Between {
  const ways = tokensBetween(reference.blocks, source, sink)
  if (!onlyIntermediates) return ways
  const mayPass = (k: number) =>
    k === source || k === sink || onlyIntermediates.has(graph.tokens[k]!)
  return { tokens: ways.tokens.filter(mayPass), cuts: ways.cuts.filter(mayPass) }
}

function chooseFirst(
  request: Place,
  [source, sink]: readonly [number, number],
  through: readonly number[],
): Choice {
  const { graph, reference } = request
  const ways = waysOf(request, [source, sink])
  const tokens =
    ways.tokens.length <= WHOLE
      ? new Set(ways.tokens)
      : chooseTokens(graph, reference, ways.tokens, [source, sink, ...ways.cuts])
  for (const k of [source, sink, ...through]) tokens.add(k)
  return { tokens, beyond: ways.tokens.filter((k) => !tokens.has(k)) }
}

function widen({ tokens, outside }: Problem, by: readonly number[]): Choice {
  const all = new Set([...tokens, ...by])
  return { tokens: all, beyond: outside.filter((k) => !all.has(k)) }
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
  // The widest path between any two tokens runs along the price tree.
  for (const end of ends) {
    for (let k = end; k >= 0; k = reference.treeParent[k]!) if (onWay[k]) chosen.add(k)
  }
  return chosen
}

/**
 * The neighbours that both lists contain, each with the smaller of its two depths. A path through one
 * has two hops. It can win by its gas where its pools earn nothing, and column generation looks at what
 * pools earn.
 */
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
 * The edges that an acyclic route from source to sink can use. Edges into the source, edges out of
 * the sink, and edges that are on no path from source to sink are left out. A path through outside
 * tokens counts. A pool between the two ends is included no matter how far off the market it is.
 */
function edgesAmong(
  { graph, reference: { isClean }, excludedPools }: Place,
  tokens: Int32Array,
  {
    source,
    sink,
    beyond,
  }: {
    readonly source: number
    readonly sink: number
    readonly beyond: readonly number[]
  },
): Int32Array {
  const { from, to, spot, firstFrom } = graph
  const role = new Uint8Array(graph.tokens.length)
  for (const k of tokens) role[k] = CHOSEN
  for (const k of beyond) role[k] = BEYOND
  role[source] = 0
  const edges: number[] = []
  // A token next to an outside token may be reached through it, and may lead on through it.
  const isReached = new Uint8Array(graph.tokens.length)
  const leadsOn = new Uint8Array(graph.tokens.length)
  for (const k of tokens) {
    if (k === sink) continue
    for (let e = firstFrom[k]!; e < firstFrom[k + 1]!; e++) {
      const isDirect = from[e] === source && to[e] === sink && spot[e]! > 0
      if (role[to[e]!] === BEYOND && isClean[e]) isReached[k] = leadsOn[k] = 1
      if (role[to[e]!] !== CHOSEN || !(isClean[e] || isDirect)) continue
      if (!excludedPools.has(graph.pools[graph.poolOf[e]!]!)) edges.push(e)
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

/** Marks all tokens that the edges reach from the marked tokens. */
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
