/**
 * Tighter bounds, for an answer that the sum over edges does not prove. Input: a relaxation, prices and the edges
 * of the answer. Output: the bound over simple paths with a good choice of open edges, there or where the
 * smoothed bound is lowest.
 */
import { type Point, tradesAt } from '../dual/bestTrades.js'
import type { Relaxation } from '../network/relaxation.js'
import { MOST_CLOSED, SMOOTHINGS } from '../tuning.js'
import { minimiseSmoothed } from './minimiseSmoothed.js'
import { boundOverPaths } from './simplePaths.js'
import type { Proved } from './upperBound.js'

/**
 * The lowest bound over simple paths at a point, and the best path while all edges are open that earn but are not
 * used, by graph number. As long as the best path takes open edges, the one of them that earns least is closed.
 * The path is that of all because an answer grows by it: it has no use for closed edges.
 */
export function boundWithOpen(
  relaxation: Relaxation,
  { u, gasMultiplier }: Point,
  used: ReadonlySet<number>,
): { readonly bound: Proved; readonly path: Int32Array } {
  const { edges } = relaxation
  const point = { u, gasMultiplier }
  const { worth } = tradesAt(relaxation, point)
  let isOpen = Uint8Array.from(worth, (net, i) => (net > 0 && !used.has(edges[i]!) ? 1 : 0))
  const first = boundOverPaths(relaxation, point, isOpen)
  let best = { amount: first.amount, isOpen }
  let { path } = first
  for (let n = 1; n < MOST_CLOSED; n++) {
    const closable = path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (worth[b]! < worth[a]! ? b : a))
    isOpen = isOpen.map((one, i) => (i === least ? 0 : one))
    const next = boundOverPaths(relaxation, point, isOpen)
    if (next.amount < best.amount) best = { amount: next.amount, isOpen }
    path = next.path
  }
  const bound = { ...point, ...best, worth, legPrice: 0 }
  return { bound, path: Int32Array.from(first.path, (i) => edges[i]!) }
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
  return SMOOTHINGS.map((part) => {
    const δ = gap * part
    const least = room > 0 ? gasCost + δ / room : gasCost
    const gasMultiplier = Math.max(point.gasMultiplier, least)
    point = minimiseSmoothed(relaxation, { u: point.u, gasMultiplier }, δ)
    return boundWithOpen(relaxation, point, used).bound
  })
}
