/**
 * A single path by branch and bound over simple paths. Input: a network. Output: a path that can be
 * executed, or nothing.
 *
 * The label-correcting search keeps only the few labels with the highest output per token. If pools
 * have limits, these may overflow every pool that leads on, while a smaller amount would fit. This
 * search prunes a partial path only by a float upper bound, and replays complete paths in integers.
 * No result means that there is no path, unless the tries run out.
 */
import { edgeAt, type Graph, piecesOf } from '../../graph.js'
import { inputForOf, limitOf, outOf } from '../../math/pieces.js'
import { familyOf } from '../../pools/index.js'
import { ROUTER_GAS } from '../../replay.js'
import type { Network } from '../network/problem.js'
import { type Candidate, realisePath } from '../primal/realise.js'
import type { Request, Terms } from '../terms.js'
import { DIGITS, TRIES_PER_SWAP, TRIES_PER_WALK, TRIES_TO_FIND, WEI } from '../tuning.js'

/** Bounds per token on what a path to the sink can do in a number of hops. */
type Prospect = {
  /** Most sink units per unit of the token, at first prices. */
  readonly rate: Float64Array
  /** The smallest amount of which any path can make a wei, with a wei after every hop. */
  readonly least: Float64Array
  /** The largest amount that any path can take. */
  readonly most: Float64Array
}

/**
 * The best path with as few hops as possible that can take the whole amount; `undefined` if none is
 * found. Few hops come first because the limit of a path is then sharpest: with more hops the bound
 * allows cycles, in which a too large amount shrinks until it fits.
 */
export function shortestExactPath(
  network: Network,
  request: Request,
  maxHops: number,
): Candidate | undefined {
  const prospects = [atSink(network)]
  while (prospects.length <= Math.min(maxHops, network.tokens.length - 1)) {
    prospects.push(oneHopMore(network, prospects.at(-1)!))
    const found = search(network, request, prospects)
    if (found) return found
  }
  return undefined
}

function atSink({ tokens, sink }: Network): Prospect {
  const rate = new Float64Array(tokens.length)
  const least = new Float64Array(tokens.length).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(tokens.length)
  rate[sink] = 1
  least[sink] = 1
  most[sink] = Number.POSITIVE_INFINITY
  return { rate, least, most }
}

function oneHopMore({ graph, edges, from, to }: Network, fewer: Prospect): Prospect {
  const [rate, least, most] = [fewer.rate.slice(), fewer.least.slice(), fewer.most.slice()]
  for (let i = 0; i < edges.length; i++) {
    const [a, b, e] = [from[i]!, to[i]!, edges[i]!]
    if (!(fewer.rate[b]! > 0)) continue
    const rateBy = graph.spot[e]! * fewer.rate[b]! * DIGITS
    rate[a] = Math.max(rate[a]!, rateBy)
    if (least[a]! > 1) least[a] = Math.min(least[a]!, leastInto(graph, e, fewer.least[b]!))
    most[a] = Math.max(most[a]!, mostInto(graph, e, fewer.most[b]!))
  }
  return { rate, least, most }
}

/** The smallest input of an edge whose output can reach `least`, a whole number; infinite if none can. */
function leastInto(graph: Graph, e: number, least: number): number {
  const pieces = piecesOf(graph, e)
  const wanted = least / DIGITS - 1e-6
  if (!(wanted < pieces.startOut.at(-1)!)) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.ceil(inputForOf(pieces, wanted) / DIGITS - graph.extraIn[e]!))
}

/** The largest input of an edge whose output must not exceed `most`. */
function mostInto(graph: Graph, e: number, most: number): number {
  const pieces = piecesOf(graph, e)
  const end = pieces.startOut.at(-1)!
  return (most >= end ? limitOf(pieces) : inputForOf(pieces, most)) * DIGITS + WEI
}

/** An extension of a path: a local edge, its output, and the upper bound on the net output. */
type Step = { readonly i: number; readonly y: number; readonly most: number }

function search(
  network: Network,
  request: Request,
  prospects: readonly Prospect[],
): Candidate | undefined {
  const { graph, edges, to, source, sink } = network
  const leaving = edgesByToken(network)
  const isPassed = new Uint8Array(network.tokens.length)
  const path: number[] = []
  let best: Candidate | undefined
  let net = Number.NEGATIVE_INFINITY
  let tries = TRIES_TO_FIND

  const stepsFrom = (k: number, x: number, gas: number): readonly Step[] => {
    const prospect = prospects[prospects.length - 2 - path.length]!
    const steps: Step[] = []
    for (let i = leaving[k]!; i < leaving[k + 1]!; i++) {
      if (isPassed[to[i]!] || !(prospect.rate[to[i]!]! > 0)) continue
      tries--
      const step = stepBy(network, i, { x, gas, prospect }, request.terms)
      if (step && step.most > net) steps.push(step)
    }
    return steps.sort((a, b) => b.most - a.most || a.i - b.i)
  }
  const settle = (): void => {
    tries -= TRIES_PER_WALK
    const found = realisePath(network, Int32Array.from(path), request)
    if (!found || found.realised.net <= net) return
    net = found.realised.net
    best = found
  }
  const visit = (k: number, x: number, gasBefore: number): void => {
    if (k === sink) settle()
    if (k === sink || path.length === prospects.length - 1) return
    isPassed[k] = 1
    for (const { i, y, most } of stepsFrom(k, x, gasBefore)) {
      if (most <= net || tries <= 0) break
      const ticks = gasOfTicks(graph, edges[i]!, x)
      if (ticks > 0) tries -= TRIES_PER_SWAP
      if (most - request.terms.gasCost * ticks <= net) continue
      path.push(i)
      visit(to[i]!, y, gasBefore + graph.gas[edges[i]!]! + ticks)
      path.pop()
    }
    isPassed[k] = 0
  }
  const amountIn = Number(request.order.amountIn)
  const { least, most } = prospects.at(-1)!
  if (amountIn >= least[source]! && amountIn <= most[source]!) visit(source, amountIn, 0)
  return best
}

/** Local edge i with input x; `undefined` if no path can continue through it. */
function stepBy(
  { graph, edges, to }: Network,
  i: number,
  before: { readonly x: number; readonly gas: number; readonly prospect: Prospect },
  { gasCost, maxGas }: Terms,
): Step | undefined {
  const e = edges[i]!
  const b = to[i]!
  const { x, prospect } = before
  const pieces = piecesOf(graph, e)
  if (x > limitOf(pieces) * DIGITS + WEI) return undefined
  // The chain pays whole wei. The tolerance keeps a float error from losing one.
  const y = Math.floor(outOf(pieces, x + graph.extraIn[e]!) * (1 + 1e-12) + 1e-6)
  if (y < 1 || y - WEI > prospect.most[b]! * DIGITS) return undefined
  if (y < prospect.least[b]!) return undefined
  const gas = before.gas + graph.gas[e]! + ROUTER_GAS
  if (gas > maxGas) return undefined
  return { i, y, most: y * prospect.rate[b]! - gasCost * gas }
}

/** Gas of an edge beyond its least, for crossing ticks; 0 for a pool without ticks. */
function gasOfTicks(graph: Graph, e: number, x: number): number {
  const { gas, custodyGas, stepGas } = graph
  if (stepGas[e] === 0) return 0
  const { pool, direction } = edgeAt(graph, e)
  return Math.max(
    0,
    familyOf(graph.families, pool).estimateGas(pool, direction, BigInt(x)) -
      custodyGas[e]! -
      gas[e]!,
  )
}

/** Local edges by the token they leave: those of token k from `first[k]` up to `first[k + 1]`. */
function edgesByToken({ from, tokens }: Network): Int32Array {
  const first = new Int32Array(tokens.length + 1)
  for (const k of from) first[k + 1]!++
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  return first
}
