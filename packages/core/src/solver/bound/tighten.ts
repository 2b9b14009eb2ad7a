/**
 * A tighter certificate, for an answer that the bound of the dual does not prove. Input: an order, a
 * certificate, and the worth of the answer. Output: a certificate that is not above it. It takes the
 * bound over simple paths at the answer's prices and, if asked, where the smoothed bound is lowest.
 */
import type { Bound } from '../../certificate/bound.js'
import { edgeAt } from '../../graph.js'
import { bestTrade } from '../dual/arbitrage.js'
import { initialPrices } from '../network/problem.js'
import type { Request } from '../terms.js'
import { MOST_CLOSED, MOST_EDGES, OPTIMALITY_GAP, SMOOTHINGS } from '../tuning.js'
import { minimiseSmoothed, type Smooth } from './minimiseSmoothed.js'
import { boundOverPaths, type Point, type Relaxation, relaxOrder } from './simplePaths.js'
import { pricesOf, roundBoundUp } from './upperBound.js'

/** What a certificate is tightened for. */
export type Ask = {
  /** Worth of the answer, net of gas, in wei of the token out. */
  readonly net: number
  /** The edges of the answer, and ln ν by token at its flows. */
  readonly used: ReadonlySet<number>
  readonly prices: Bound['prices']
  /** Whether to minimise over prices and the multiplier of gas too, which takes longer. */
  readonly isDeep: boolean
}

/** A point and the bound there, in wei of the token out. */
type Proved = Point & {
  readonly amount: bigint
  readonly isOpen: Uint8Array
  /** The best simple path while all edges are open that earn, in local edges. */
  readonly path: readonly number[]
}

/** A certificate, and the edges of the best simple path at its prices, by graph number. */
export type Tightened = { readonly bound: Bound; readonly path?: Int32Array }

/** The certificate, or one with a lower bound. */
export function tighten(bound: Bound, ask: Ask, request: Request): Tightened {
  const { net, used, isDeep } = ask
  const { reference, terms } = request
  const isProved = (amount: bigint) => Number(amount) <= net + OPTIMALITY_GAP * Math.abs(net)
  if (isProved(bound.amount)) return { bound }
  const relaxation = relaxOrder(request)
  if (!relaxation || relaxation.edges.length > MOST_EDGES) return { bound }
  const u = initialPrices(relaxation, reference, ask.prices)
  const first = provedAt(relaxation, { u, gasMultiplier: terms.gasCost }, used)
  if (!first) return { bound }
  let best = first
  if (isDeep && !isProved(first.amount)) {
    const start = initialPrices(relaxation, reference, bound.prices)
    for (const one of descend(relaxation, start, Number(bound.amount) - net, used)) {
      if (one && one.amount < best.amount) best = one
    }
  }
  const path = Int32Array.from(first.path, (i) => relaxation.edges[i]!)
  if (best.amount >= bound.amount) return { bound, path }
  return { bound: { ...bound, ...pointOf(relaxation, best), amount: best.amount }, path }
}

/**
 * The lowest bound over simple paths at a point. First all edges are open that earn but are not used.
 * As long as the best path takes open edges, the one of them that earns least is closed. The path kept is the
 * first, through all edges that earn: an answer grows by it, and a later one has no use for closed edges.
 */
function provedAt(
  relaxation: Relaxation,
  point: Point,
  used: ReadonlySet<number>,
): Proved | undefined {
  const earned = earningsOf(relaxation, point, used)
  let isOpen = Uint8Array.from(earned, (value) => (value > 0 ? 1 : 0))
  let best: Proved | undefined
  for (let n = 0; n < MOST_CLOSED; n++) {
    const sum = boundOverPaths(relaxation, point, isOpen)
    if (!sum) break
    const amount = roundBoundUp(sum)
    if (!best || amount < best.amount) {
      best = { isOpen, amount, path: best?.path ?? sum.path, ...point }
    }
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
  { u, gasMultiplier }: Point,
  used: ReadonlySet<number>,
): Float64Array {
  const { graph, edges, from, to } = relaxation
  return Float64Array.from(edges, (e, i) => {
    const [uIn, uOut] = [u[from[i]!]!, u[to[i]!]!]
    if (used.has(e) || !(graph.logSpot[e]! > uIn - uOut)) return 0
    const prices = [Math.exp(uIn), Math.exp(uOut)] as const
    return Math.max(0, bestTrade(graph, e, prices, gasMultiplier).net)
  })
}

/** The bounds where the smoothed bound is lowest. */
function* descend(
  relaxation: Relaxation,
  u: Float64Array,
  gap: number,
  used: ReadonlySet<number>,
): Generator<Proved | undefined> {
  const { room, gasCost } = relaxation.terms
  let point: Smooth = { u, above: 0 }
  for (const part of SMOOTHINGS) {
    const δ = gap * part
    const above = room > 0 ? Math.max(point.above, δ / room) : 0
    point = minimiseSmoothed(relaxation, { u: point.u, above }, δ)
    const at = { u: point.u, gasMultiplier: gasCost + point.above }
    yield provedAt(relaxation, at, used)
  }
}

/** The prices, multipliers and open edges of a certificate. */
function pointOf(relaxation: Relaxation, { u, gasMultiplier, isOpen }: Proved) {
  const edges = relaxation.edges.filter((_, i) => isOpen[i])
  const open = Array.from(edges, (e) => {
    const { pool, tokenIn, tokenOut } = edgeAt(relaxation.graph, e)
    return { pool: pool.id, tokenIn, tokenOut }
  })
  return { prices: pricesOf(relaxation, u), gasMultiplier, legPrice: 0, open }
}
