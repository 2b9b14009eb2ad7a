/**
 * A tighter certificate, for an answer that the bound of the dual does not prove. Input: an order, a
 * certificate, and the worth of the answer. Output: a certificate that is not above it. It takes the
 * bound over simple paths at the answer's prices and, if asked, where the smoothed bound is lowest.
 */
import { type Point, tradesAt } from '../dual/bestTrades.js'
import type { Relaxation } from '../network/relaxation.js'
import { MOST_CLOSED, MOST_EDGES, OPTIMALITY_GAP, SMOOTHINGS } from '../tuning.js'
import { minimiseSmoothed, type Smooth } from './minimiseSmoothed.js'
import { boundOverPaths } from './simplePaths.js'
import { type Proved, roundBoundUp } from './upperBound.js'

/** What a bound is tightened for. */
export type Ask = {
  /** Worth of the answer, net of gas, in wei of the token out. */
  readonly net: number
  /** The edges of the answer, by graph number, and ln ν by local token at its flows. */
  readonly used: ReadonlySet<number>
  readonly u: Float64Array
  /** Whether to minimise over prices and the multiplier of gas too, which takes longer. */
  readonly isDeep: boolean
}

/** A bound, and the best simple path at the answer's prices while all edges are open that earn, by graph number. */
export type Tightened = { readonly bound: Proved; readonly path?: Int32Array }

/** The bound, or a lower one. */
export function tighten(relaxation: Relaxation, bound: Proved, ask: Ask): Tightened {
  const { net, used, isDeep } = ask
  const isProved = ({ amount }: Proved) => Number(amount) <= net + OPTIMALITY_GAP * Math.abs(net)
  if (isProved(bound) || relaxation.edges.length > MOST_EDGES) return { bound }
  const { gasCost } = relaxation.terms
  const first = provedAt(relaxation, { u: ask.u, gasMultiplier: gasCost }, used)
  if (!first) return { bound }
  let best: Proved = first.bound.amount < bound.amount ? first.bound : bound
  if (isDeep && !isProved(first.bound)) {
    for (const one of descend(relaxation, bound.u, Number(bound.amount) - net, used)) {
      if (one && one.bound.amount < best.amount) best = one.bound
    }
  }
  return { bound: best, path: Int32Array.from(first.path, (i) => relaxation.edges[i]!) }
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
): { readonly bound: Proved; readonly path: readonly number[] } | undefined {
  const { edges } = relaxation
  const { worth } = tradesAt(relaxation, point)
  let isOpen = Uint8Array.from(worth, (net, i) => (net > 0 && !used.has(edges[i]!) ? 1 : 0))
  let best: ReturnType<typeof provedAt>
  for (let n = 0; n < MOST_CLOSED; n++) {
    const sum = boundOverPaths(relaxation, point, isOpen)
    if (!sum) break
    const amount = roundBoundUp(sum)
    if (!best || amount < best.bound.amount) {
      best = {
        bound: { ...point, amount, worth, legPrice: 0, isOpen },
        path: best?.path ?? sum.path,
      }
    }
    const closable = sum.path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (worth[b]! < worth[a]! ? b : a))
    isOpen = isOpen.slice()
    isOpen[least] = 0
  }
  return best
}

/** The bounds where the smoothed bound is lowest. */
function* descend(
  relaxation: Relaxation,
  u: Float64Array,
  gap: number,
  used: ReadonlySet<number>,
): Generator<ReturnType<typeof provedAt>> {
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
