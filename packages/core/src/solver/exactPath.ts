/**
 * The best single path, by branch and bound over simple paths.
 *
 * The fast search of `paths.ts` keeps a few ways per token, those that bring most. Where pools have
 * limits that is not enough: what brings most may fit no pool that leads on, where less would. This
 * search leaves out only what cannot be better: floats say the most that can come of a way, and whole
 * paths are walked in exact integers. So what it finds is the best, and where it finds nothing there is
 * nothing, unless the number of hops it may try runs out.
 */
import { type Graph, piecesOf } from '../graph.js'
import { inputForOf, limitOf, outOf } from '../math/pieces.js'
import type { Order } from '../order.js'
import { estimateGas } from '../pools/index.js'
import { ROUTER_GAS } from '../route.js'
import type { Found } from './found.js'
import type { Network } from './select.js'
import { settleFlow } from './settle.js'
import type { Terms } from './terms.js'

// Floats lose some digits, and curves end some wei before their pools: nothing is left out for that.
const [DIGITS, WEI] = [1 + 1e-8, 1e4]
// A swap and a walk in integers take about as long as so many tries.
const [TRIES_PER_SWAP, TRIES_PER_WALK] = [20, 100]

/** What a path must be, and what may be spent on the search. */
export type PathTerms = Terms & {
  readonly maxHops: number
  /** Only a path that nets more is looked for, in wei of the token out. */
  readonly floor: number
  /** How many hops may be tried before the search ends with the best so far. */
  readonly tries: number
  /** Prices of the tokens, ν, and each edge's surplus at them: the nearer to the optimum the shorter the search. */
  readonly dual?: { readonly ν: Float64Array; readonly surplus: Float64Array }
}

/** What can still come of an amount of each token in a number of hops: no path does better. */
type Prospect = {
  /** Most units of the sink that a unit brings, at first prices. */
  readonly rate: Float64Array
  /** The most that any path on can take. */
  readonly most: Float64Array
  /** Most that the edges of a path on earn at the prices of the dual, less their gas. */
  readonly worth: Float64Array
}

/** The path that nets most and more than `floor`, walked; `undefined` if none is found. */
export function bestExactPath(network: Network, order: Order, terms: PathTerms): Found | undefined {
  const prospects = [atSink(network)]
  while (prospects.length <= terms.maxHops) {
    prospects.push(oneHopMore(network, prospects.at(-1)!, terms))
  }
  return search(network, order, terms, prospects)
}

/**
 * A path with as few hops as possible that can take the whole amount; `undefined` if none is found.
 * Few hops come first because what a path may take is then told most sharply: with more, an amount
 * seems to fit because it could go in a circle until enough of it is lost.
 */
export function shortestExactPath(
  network: Network,
  order: Order,
  terms: PathTerms,
): Found | undefined {
  const prospects = [atSink(network)]
  const maxHops = Math.min(terms.maxHops, network.tokens.length - 1)
  while (prospects.length <= maxHops) {
    prospects.push(oneHopMore(network, prospects.at(-1)!, terms))
    const found = search(network, order, terms, prospects)
    if (found) return found
  }
  return undefined
}

function atSink({ tokens, sink }: Network): Prospect {
  const rate = new Float64Array(tokens.length)
  const most = new Float64Array(tokens.length)
  const worth = new Float64Array(tokens.length).fill(Number.NEGATIVE_INFINITY)
  rate[sink] = 1
  most[sink] = Number.POSITIVE_INFINITY
  worth[sink] = 0
  return { rate, most, worth }
}

function oneHopMore(
  { graph, edges, from, to }: Network,
  fewer: Prospect,
  { gasCost, dual }: PathTerms,
): Prospect {
  const [rate, most, worth] = [fewer.rate.slice(), fewer.most.slice(), fewer.worth.slice()]
  for (let i = 0; i < edges.length; i++) {
    const [a, b, e] = [from[i]!, to[i]!, edges[i]!]
    if (!(fewer.rate[b]! > 0)) continue
    rate[a] = Math.max(rate[a]!, graph.spot[e]! * fewer.rate[b]! * DIGITS)
    most[a] = Math.max(most[a]!, mostInto(graph, e, fewer.most[b]!))
    if (!dual) continue
    const extra = dual.ν[a]! * graph.extraIn[e]!
    const earned = dual.surplus[i]! + extra - gasCost * graph.gas[e]!
    worth[a] = Math.max(worth[a]!, earned + fewer.worth[b]!)
  }
  return { rate, most, worth }
}

/** The most an edge takes where no more than `most` may come out. */
function mostInto(graph: Graph, e: number, most: number): number {
  const pieces = piecesOf(graph, e)
  const end = pieces.startOut.at(-1)!
  return (most >= end ? limitOf(pieces) : inputForOf(pieces, most)) * DIGITS + WEI
}

/** A way to go on: a local edge, what it brings, and the most that can come of it. */
type Step = { readonly i: number; readonly y: number; readonly most: number }

function search(
  network: Network,
  order: Order,
  terms: PathTerms,
  prospects: readonly Prospect[],
): Found | undefined {
  const { graph, edges, to, source, sink } = network
  const leaving = edgesByToken(network)
  const isPassed = new Uint8Array(network.tokens.length)
  const path: number[] = []
  const amounts: number[] = []
  let best: Found | undefined
  let net = terms.floor
  let tries = terms.tries

  const stepsFrom = (k: number, x: number, gas: number): readonly Step[] => {
    const prospect = prospects[prospects.length - 2 - path.length]!
    const steps: Step[] = []
    for (let i = leaving[k]!; i < leaving[k + 1]!; i++) {
      if (isPassed[to[i]!] || !(prospect.rate[to[i]!]! > 0)) continue
      tries--
      const step = stepBy(network, i, { x, gas }, prospect, terms)
      if (step && step.most > net) steps.push(step)
    }
    return steps.sort((a, b) => b.most - a.most || a.i - b.i)
  }
  const settle = (): void => {
    tries -= TRIES_PER_WALK
    const flow = new Map(path.map((i, n) => [graph.edges[edges[i]!]!, amounts[n]!] as const))
    const settled = settleFlow(flow, order, terms)
    if (!settled || settled.net <= net) return
    net = settled.net
    best = { settled, edges: Int32Array.from(path, (i) => edges[i]!) }
  }
  const visit = (k: number, x: number, gasBefore: number): void => {
    if (k === sink) settle()
    if (k === sink || path.length === prospects.length - 1) return
    isPassed[k] = 1
    amounts.push(x)
    for (const { i, y, most } of stepsFrom(k, x, gasBefore)) {
      if (most <= net || tries <= 0) break
      const ticks = gasOfTicks(graph, edges[i]!, x)
      if (ticks > 0) tries -= TRIES_PER_SWAP
      if (most - terms.gasCost * ticks <= net) continue
      path.push(i)
      visit(to[i]!, y, gasBefore + graph.gas[edges[i]!]! + ticks)
      path.pop()
    }
    amounts.pop()
    isPassed[k] = 0
  }
  const amountIn = Number(order.amountIn)
  if (amountIn <= prospects.at(-1)!.most[source]!) visit(source, amountIn, 0)
  return best
}

/** Local edge i taking x of its token; `undefined` if no path goes on by it. */
function stepBy(
  { graph, edges, to }: Network,
  i: number,
  before: { readonly x: number; readonly gas: number },
  prospect: Prospect,
  { gasCost, maxGas, dual }: PathTerms,
): Step | undefined {
  const e = edges[i]!
  const b = to[i]!
  const { x } = before
  const pieces = piecesOf(graph, e)
  if (x > limitOf(pieces) * DIGITS + WEI) return undefined
  // The chain pays whole wei; a float that is a little too low must not lose one.
  const y = Math.floor(outOf(pieces, x + graph.extraIn[e]!) * (1 + 1e-12) + 1e-6)
  if (y < 1 || y - WEI > prospect.most[b]! * DIGITS) return undefined
  const gas = before.gas + graph.gas[e]! + ROUTER_GAS
  if (gas > maxGas) return undefined
  const byRate = y * prospect.rate[b]!
  const byDual = dual ? y * dual.ν[b]! + prospect.worth[b]! : byRate
  return { i, y, most: Math.min(byRate, byDual) - gasCost * gas }
}

/** Gas that an edge takes beyond its least for crossing ticks on the way; 0 where it has none. */
function gasOfTicks({ edges, gas, stopGas, stepGas }: Graph, e: number, x: number): number {
  if (stepGas[e] === 0) return 0
  const { pool, direction } = edges[e]!
  return Math.max(0, estimateGas(pool, direction, BigInt(x)) - stopGas[e]! - gas[e]!)
}

/** Local edges by the token they leave: those of token k from `first[k]` up to `first[k + 1]`. */
function edgesByToken({ from, tokens }: Network): Int32Array {
  const first = new Int32Array(tokens.length + 1)
  for (const k of from) first[k + 1]!++
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  return first
}
