/**
 * Tighter bounds, for an answer that the sum over edges does not prove. Input: a relaxation, prices and the edges
 * of the answer. Output: the bound over simple paths with a good choice of open edges, there or where the
 * smoothed bound is lowest.
 */
import { type Point, tradesAt } from '../dual/bestTrades.js'
import type { Relaxation } from '../network/relaxation.js'
import { MOST_CLOSED, MOST_EDGES, SMOOTHINGS } from '../tuning.js'
import { minimiseSmoothed } from './minimiseSmoothed.js'
import { boundOverPaths } from './simplePaths.js'
import { type Proved, roundBoundUp } from './upperBound.js'

/** A bound, and the best simple path while all edges are open that earn, by graph number. */
export type Tightened = { readonly bound: Proved; readonly path: Int32Array }

/**
 * The lowest bound over simple paths at a point; `undefined` if it takes too long to find. First all edges are
 * open that earn but are not used, by graph number. As long as the best path takes open edges, the one of them
 * that earns least is closed. The path kept is the first: an answer grows by it, and a later one has no use
 * for closed edges.
 */
export function boundWithOpen(
  relaxation: Relaxation,
  { u, gasMultiplier }: Point,
  used: ReadonlySet<number>,
): Tightened | undefined {
  const { edges } = relaxation
  if (edges.length > MOST_EDGES) return undefined
  const point = { u, gasMultiplier }
  const { worth } = tradesAt(relaxation, point)
  let isOpen = Uint8Array.from(worth, (net, i) => (net > 0 && !used.has(edges[i]!) ? 1 : 0))
  let best: Tightened | undefined
  for (let n = 0; n < MOST_CLOSED; n++) {
    const sum = boundOverPaths(relaxation, point, isOpen)
    if (!sum) break
    const amount = roundBoundUp(sum)
    if (!best || amount < best.bound.amount) {
      const path = best?.path ?? Int32Array.from(sum.path, (i) => edges[i]!)
      best = { bound: { ...point, amount, worth, legPrice: 0, isOpen }, path }
    }
    const closable = sum.path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (worth[b]! < worth[a]! ? b : a))
    isOpen = isOpen.slice()
    isOpen[least] = 0
  }
  return best
}

/** Bounds where the smoothed bound is lowest, from the prices of one that is above the answer by `gap`. */
export function boundsAtMinimum(
  relaxation: Relaxation,
  { u }: Point,
  gap: number,
  used: ReadonlySet<number>,
): readonly Proved[] {
  const { room, gasCost } = relaxation.terms
  let point: Point = { u, gasMultiplier: gasCost }
  return SMOOTHINGS.flatMap((part) => {
    const δ = gap * part
    const least = room > 0 ? gasCost + δ / room : gasCost
    const gasMultiplier = Math.max(point.gasMultiplier, least)
    point = minimiseSmoothed(relaxation, { u: point.u, gasMultiplier }, δ)
    return boundWithOpen(relaxation, point, used)?.bound ?? []
  })
}
