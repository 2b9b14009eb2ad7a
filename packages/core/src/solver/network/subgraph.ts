/**
 * Chooses the part of the market on which an order is solved and bounded. Input: graph, reference and order. Output: the {@link Relaxation},
 * all that the routes of the order can pass, over which a bound is taken; and of it the {@link Problem}, at
 * most about a hundred tokens, so that the time of the dual does not depend on the number of tokens in the market.
 */
import { firstOf, localNumbers } from '../../edgeOrder.js'
import type { Graph } from '../../graph.js'
import { hopsFrom } from '../../math/hopsFrom.js'
import { tokensBetween } from '../../reference/blockCutTree.js'
import { initialPrices } from '../../reference/initialPrices.js'
import { type Reference, throughputOf } from '../../reference/referencePrices.js'
import type { SolveInput, StartPrices, Terms } from '../terms.js'
import { HUBS, MAX_WHOLE_TOKENS, NEIGHBOURS } from '../tuning.js'
import { makeProblem, type Network, type Problem } from './problem.js'

/** The tokens and edges that routes can pass, in local numbers. */
export type Relaxation = Network & {
  readonly reference: Reference
  readonly amount: number
  readonly terms: Terms
  /** Most hops of a route. */
  readonly legs: number
  /** 1 for each edge on a walk of so few hops from source to sink. */
  readonly isWithin: Uint8Array
  /** The edges from source to sink. */
  readonly direct: readonly number[]
}

/**
 * Everything that acyclic routes of an order can pass, of any size. Edges into the source and out of the sink are
 * left out. A pool between the two ends is included no matter how far off the market it is. `undefined` if the
 * ends are unknown or the same.
 */
export function relaxOrder(request: SolveInput): Relaxation | undefined {
  const { graph, reference, order, terms, excludedPools, onlyIntermediates } = request
  const start = graph.tokenNumber.get(order.tokenIn)
  const end = graph.tokenNumber.get(order.tokenOut)
  if (start === undefined || end === undefined || start === end) return undefined
  const usable = reference.isClean.slice()
  for (let e = graph.firstFrom[start]!; e < graph.firstFrom[start + 1]!; e++) {
    usable[graph.reverse[e]!] = 0
    if (graph.to[e] === end && graph.spot[e]! > 0) usable[e] = 1
  }
  usable.fill(0, graph.firstFrom[end]!, graph.firstFrom[end + 1]!)
  for (const id of excludedPools)
    for (const e of graph.edgesOfPool[graph.poolNumber.get(id) ?? -1] ?? []) usable[e] = 0
  const mayPass = (k: number) =>
    k === start || k === end || onlyIntermediates!.has(graph.tokens[k]!)
  const onWay = tokensBetween(reference.blocks, start, end)
  const passed = onlyIntermediates ? onWay.filter(mayPass) : onWay
  const tokens = new Int32Array(onWay.length > 0 ? passed : [start, end].sort((a, b) => a - b))
  const local = localNumbers(graph.tokens.length, tokens)
  const part = edgesAmong(graph, { first: graph.firstFrom, to: graph.to }, tokens, local, usable)
  const { edges, from, to, first, entering } = part
  const [source, sink] = [local[start]!, local[end]!]
  const before = hopsFrom(source, first, to)
  const leastGas = edges.reduce((least, e) => Math.min(least, graph.gas[e]!), Infinity)
  const legs = Math.min(terms.maxLegs, Math.max(1, Math.floor(terms.room / leastGas)))
  const after = hopsFrom(sink, entering.firstInto, entering.fromOfInto)
  const isWithin = new Uint8Array(edges.length)
  for (let i = 0; i < isWithin.length; i++)
    if (before[from[i]!]! + after[to[i]!]! < legs) isWithin[i] = 1
  const direct: number[] = []
  for (let i = first[source]!; i < first[source + 1]!; i++) if (to[i] === sink) direct.push(i)
  const network = { graph, source, sink, tokens, outside: [], ...part }
  const amount = Number(order.amountIn)
  return { ...network, reference, amount, terms, legs, isWithin, direct }
}

/**
 * The part of a relaxation that the order is solved on, at the prices given or else those of the reference: all of
 * it, or if it has too many tokens, some of them and those of `also`, by graph number. `undefined` if it leads nowhere.
 */
export function selectProblem(
  relaxation: Relaxation,
  also: Iterable<number> = [],
  start: StartPrices = {},
): Problem | undefined {
  const { graph, source, sink, tokens } = relaxation
  const local = localNumbers(graph.tokens.length, tokens)
  const wanted =
    tokens.length > MAX_WHOLE_TOKENS ? [...chooseTokens(relaxation, local), ...also] : tokens
  const chosen = Int32Array.from(new Set([...wanted].map((k) => local[k]!))).sort()
  const isIn = localNumbers(tokens.length, chosen)
  const part = edgesAmong(graph, relaxation, chosen, isIn)
  const ends = { source: isIn[source]!, sink: isIn[sink]! }
  if (!Number.isFinite(hopsFrom(ends.source, part.first, part.to)[ends.sink])) return undefined
  const outside = [...tokens].filter((_, n) => isIn[n]! < 0)
  const network = { graph, ...ends, tokens: chosen.map((n) => tokens[n]!), outside, ...part }
  const problem = makeProblem(network, relaxation.amount)
  problem.u.set(initialPrices(problem, relaxation.reference, start))
  return problem
}

/** The edges between some tokens, ascending, of edges that are sorted by token; those that are usable, by default all. */
function edgesAmong(
  graph: Graph,
  all: Pick<Network, 'first' | 'to'> & { readonly edges?: Int32Array },
  tokens: Int32Array,
  local: Int32Array,
  usable?: Uint8Array,
) {
  const { first: firstOfAll, to: toOfAll, edges: numbers } = all
  const most = tokens.reduce((sum, k) => sum + firstOfAll[k + 1]! - firstOfAll[k]!, 0)
  const [edges, from, to] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)]
  const first = new Int32Array(tokens.length + 1)
  let count = 0
  for (let n = 0; n < tokens.length; n++) {
    const end = firstOfAll[tokens[n]! + 1]!
    for (let i = firstOfAll[tokens[n]!]!; i < end; i++) {
      const next = local[toOfAll[i]!]!
      if (next < 0 || (usable && !usable[i])) continue
      edges[count] = numbers ? numbers[i]! : i
      from[count] = n
      to[count++] = next
    }
    first[n + 1] = count
  }
  const used = (rows: Int32Array) => rows.subarray(0, count)
  return withEntering(graph, { edges: used(edges), from: used(from), to: used(to), first })
}

/** Edges with the rows of those that lead into each token. */
function withEntering(
  { logSpot: logSpotOf }: Graph,
  rows: Pick<Network, 'from' | 'to' | 'first' | 'edges'>,
) {
  const { edges, from, to, first } = rows
  const firstInto = firstOf(to, first.length - 1)
  const next = firstInto.slice()
  const [into, fromOfInto] = [new Int32Array(to.length), new Int32Array(to.length)]
  const [logSpot, logSpotOfInto] = [new Float64Array(to.length), new Float64Array(to.length)]
  for (let i = 0; i < to.length; i++) {
    const n = next[to[i]!]!++
    into[n] = i
    fromOfInto[n] = from[i]!
    logSpot[i] = logSpotOfInto[n] = logSpotOf[edges[i]!]!
  }
  return { ...rows, logSpot, entering: { firstInto, into, fromOfInto, logSpotOfInto } }
}

/**
 * The tokens with the highest throughput, of all and of the neighbours of both ends, and the widest path between
 * the ends, with which come the tokens that every route passes; by graph number, as `local` is.
 */
function chooseTokens(relaxation: Relaxation, local: Int32Array): readonly number[] {
  const { graph, reference, tokens, source, sink } = relaxation
  const ranked = throughputOf(graph, reference).ranked.filter((k) => local[k]! >= 0)
  const ends = [tokens[source]!, tokens[sink]!]
  // A path through a neighbour of both has two hops. It can win by its gas where its pools earn nothing,
  // and column generation looks at what pools earn.
  const nextTo = new Uint8Array(local.length)
  for (const [n, k] of ends.entries())
    for (let e = graph.firstFrom[k]!; e < graph.firstFrom[k + 1]!; e++)
      nextTo[graph.to[e]!]! |= 1 << n
  const shared = ranked.filter((k) => nextTo[k] === 3).slice(0, NEIGHBOURS)
  const chosen = [...ends, ...ranked.slice(0, HUBS), ...shared]
  // The widest path between any two tokens runs along the price tree.
  for (const end of ends)
    for (let k = end; k >= 0; k = reference.treeParent[k]!) if (local[k]! >= 0) chosen.push(k)
  return chosen
}
