/**
 * A tighter certificate, for an answer that the bound of the dual does not prove. Input: an order, a
 * certificate, and the worth of the answer. Output: a certificate that is not above it. It minimises
 * the relaxed bound over prices and multipliers, and takes the bound over simple paths at each point.
 */

import type { Bound } from '../../certificate/bound.js'
import { edgeAt, type Graph } from '../../graph.js'
import type { Order } from '../../order.js'
import type { Reference } from '../reference/referencePrices.js'
import type { Terms } from '../terms.js'
import type { Scope } from './certificate.js'
import { bestColumn, fillColumns } from './columns.js'
import { minimiseSmoothed } from './minimiseSmoothed.js'
import { edgeOf, type Relaxation, relaxedBound, relaxOrder } from './relaxation.js'
import { boundOverPaths } from './simplePaths.js'
import type { Interior } from './smoothed.js'
import { roundBoundUp } from './upperBound.js'

// An answer this close to its bound, a hundredth of a basis point, needs no tighter one.
const CLOSE_ENOUGH = 1e-6
// The bound is smoothed over these parts of the gap, one after the other.
const SMOOTHINGS = [1 / 16, 1 / 64, 1 / 256, 1 / 1024]
// Edges closed one after the other in the search for the best open ones.
const MOST_CLOSED = 16
// Larger networks cost more time than a tighter bound is worth.
const MOST_EDGES = 20_000

/** What a certificate is tightened for. */
export type Ask = {
  readonly graph: Graph
  readonly reference: Reference
  readonly order: Order
  readonly terms: Terms
  readonly scope: Scope
  /** Worth of the answer, net of gas, in wei of the token out. */
  readonly net: number
  /** The edges of the answer, and ln ν by token at its flows. */
  readonly used: ReadonlySet<number>
  readonly prices: Bound['prices']
  /** Whether to minimise over prices and multipliers too, which takes longer. */
  readonly isMinimised: boolean
}

type PricedGas = Pick<Interior, 'u' | 'gasAbove'>

/** A point and the bound there, in wei of the token out. */
type Proved = PricedGas & {
  readonly legPrice: number
  readonly amount: bigint
  readonly isOpen?: Uint8Array
  /** The best simple path, in local edges. */
  readonly path?: readonly number[]
}

/** A certificate, and the edges of the best simple path at its prices, by graph number. */
export type Tightened = { readonly bound: Bound; readonly path?: Int32Array }

/** The certificate, or one with a lower bound. */
export function tighten(bound: Bound, ask: Ask): Tightened {
  const { graph, reference, order, terms, scope, net } = ask
  const goal = { net, target: net + CLOSE_ENOUGH * Math.abs(net) }
  if (Number(bound.amount) <= goal.target) return { bound }
  const relaxation = relaxOrder(graph, reference, order, terms, new Set(scope.excluded))
  if (!relaxation || relaxation.edges.length > MOST_EDGES) return { bound }
  const u = pricesIn(relaxation, reference, ask.prices)
  const alone = provedOverPaths(relaxation, { u, gasAbove: 0 }, ask.used)
  let best = alone
  if (ask.isMinimised && !(alone && Number(alone.amount) <= goal.target)) {
    const start = { u: pricesIn(relaxation, reference, bound.prices), gasAbove: 0, legPrice: 0 }
    for (const one of descend(relaxation, start, goal, ask.used)) {
      if (!best || one.amount < best.amount) best = one
    }
  }
  const path = alone?.path && Int32Array.from(alone.path, (i) => relaxation.edges[i]!)
  // The open edges of a bound belong to its prices.
  const { open: _, ...rest } = bound
  const tighter =
    best && best.amount < bound.amount
      ? { ...rest, ...leafOf(relaxation, best), amount: best.amount }
      : bound
  return { bound: tighter, ...(path && { path }) }
}

/**
 * The lowest bound over simple paths. First all edges are open that earn but are not used. As long as
 * the best path takes open edges, the one of them that earns least is closed.
 */
function provedOverPaths(
  relaxation: Relaxation,
  at: PricedGas,
  used: ReadonlySet<number>,
): Proved | undefined {
  const gasMultiplier = relaxation.terms.gasCost + at.gasAbove
  const earned = earningsOf(relaxation, { u: at.u, gasMultiplier }, used)
  let isOpen = Uint8Array.from(earned, (value) => (value > 0 ? 1 : 0))
  let best: Proved | undefined
  for (let n = 0; n < MOST_CLOSED; n++) {
    const sum = boundOverPaths(relaxation, { u: at.u, gasMultiplier }, isOpen)
    if (!sum) break
    const amount = roundBoundUp(sum)
    if (!best || amount < best.amount) best = { ...at, isOpen, amount, legPrice: 0, path: sum.path }
    const closable = sum.path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (earned[b]! < earned[a]! ? b : a))
    isOpen = isOpen.slice()
    isOpen[least] = 0
  }
  return best
}

/** What each unused edge earns at the prices, net of gas. */
function earningsOf(
  relaxation: Relaxation,
  { u, gasMultiplier }: { readonly u: Float64Array; readonly gasMultiplier: number },
  used: ReadonlySet<number>,
): Float64Array {
  const { edges, from, to, logSpot, mostIn, columns } = relaxation
  return Float64Array.from(edges, (e, i) => {
    const [a, b] = [from[i]!, to[i]!]
    if (used.has(e) || !(logSpot[i]! > u[a]! - u[b]!)) return 0
    const prices = [Math.exp(u[a]!), Math.exp(u[b]!)] as const
    fillColumns(columns, edgeOf(relaxation, i), prices, mostIn[a]!)
    const best = bestColumn(columns, gasMultiplier)
    return Math.max(0, columns.surplus[best]! - gasMultiplier * columns.gas[best]!)
  })
}

/** ln ν by local token: that of the certificate, else the reference price. */
function pricesIn(
  { graph, tokens, sink }: Relaxation,
  { price }: Reference,
  prices: Bound['prices'],
) {
  const atSink = price[tokens[sink]!]!
  return Float64Array.from(tokens, (k) => prices[graph.tokens[k]!] ?? Math.log(price[k]! / atSink))
}

type Goal = { readonly net: number; readonly target: number }

/** Bounds found while the relaxed bound is minimised from a point. */
function descend(
  relaxation: Relaxation,
  start: Interior,
  goal: Goal,
  used: ReadonlySet<number>,
): readonly Proved[] {
  const { room, legs } = relaxation
  let point = start
  const found = [provedAt(relaxation, start)]
  const gap = Number(found[0]!.amount) - goal.net
  for (const smoothing of SMOOTHINGS) {
    const δ = gap * smoothing
    const inside = {
      u: point.u,
      gasAbove: Number.isFinite(room) ? Math.max(point.gasAbove, δ / room) : 0,
      legPrice: Number.isFinite(legs) ? Math.max(point.legPrice, δ / legs) : 0,
    }
    point = minimiseSmoothed(relaxation, inside, δ).point
    for (const at of [point, { ...point, gasAbove: 0 }]) {
      found.push(provedAt(relaxation, at))
    }
    const one = provedOverPaths(relaxation, point, used)
    if (one) found.push(one)
    if (found.some(({ amount }) => Number(amount) <= goal.target)) break
  }
  return found
}

function provedAt(relaxation: Relaxation, { u, gasAbove }: PricedGas): Proved {
  const at = { u, gasMultiplier: relaxation.terms.gasCost + gasAbove }
  const sum = relaxedBound(relaxation, at)
  return { u, gasAbove, amount: roundBoundUp(sum), legPrice: sum.legPrice }
}

function leafOf(
  { graph, tokens, edges, terms }: Relaxation,
  { u, gasAbove, legPrice, isOpen }: Proved,
) {
  const prices = Object.fromEntries(Array.from(tokens, (k, i) => [graph.tokens[k]!, u[i]!]))
  const gasMultiplier = terms.gasCost + gasAbove
  if (!isOpen) return { prices, gasMultiplier, legPrice }
  const open = Array.from(edges)
    .filter((_, i) => isOpen[i])
    .map((e) => {
      const { pool, tokenIn, tokenOut } = edgeAt(graph, e)
      return { pool: pool.id, tokenIn, tokenOut }
    })
  return { prices, gasMultiplier, legPrice, open }
}
