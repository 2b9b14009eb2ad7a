/**
 * The paths and walks of the checker of bounds. Input: edges, and what they make of a value. Output:
 * the best that walks and simple paths make of it. It shares no code with the solver.
 */
import type { Address } from '../hex.js'

/** An edge between two tokens. */
type Edge = { readonly tokenIn: Address; readonly tokenOut: Address }

/** An edge, what it makes of a value at most, and what it costs. */
export type Link = Edge & { readonly factor: number; readonly cost: number }

/** The value after an edge, which of two values is better, and which way to walk. */
type Rule<E> = {
  readonly after: (value: number, edge: E) => number
  readonly isBetter: (one: number, other: number) => boolean
  readonly isBackward?: boolean
}

/**
 * The best values that walks of at most n hops make of those at the start, for n from 0 to `hops`
 * (Bellman–Ford). It ends early if more hops change nothing.
 */
export function bestWalks<E extends Edge>(
  edges: readonly E[],
  start: ReadonlyMap<Address, number>,
  hops: number,
  { after, isBetter, isBackward = false }: Rule<E>,
): readonly ReadonlyMap<Address, number>[] {
  const walks = [start]
  for (let n = 0; n < hops; n++) {
    const next = new Map(walks[n])
    let isSettled = true
    for (const edge of edges) {
      const [from, to] = isBackward ? [edge.tokenOut, edge.tokenIn] : [edge.tokenIn, edge.tokenOut]
      const value = walks[n]!.get(from)
      if (value === undefined) continue
      const reached = after(value, edge)
      const known = next.get(to)
      if (known !== undefined && !isBetter(reached, known)) continue
      next.set(to, reached)
      isSettled = false
    }
    if (isSettled) break
    walks.push(next)
  }
  return walks
}

/** The edges on walks of at most `hops` hops between two tokens. */
export function withinHops<E extends Edge>(
  edges: readonly E[],
  { tokenIn, tokenOut }: Edge,
  hops: number,
): readonly E[] {
  const after = (count: number) => count + 1
  const isBetter = (one: number, other: number) => one < other
  const rule = { after, isBetter }
  const away = bestWalks(edges, new Map([[tokenIn, 0]]), hops, rule).at(-1)!
  const left = bestWalks(edges, new Map([[tokenOut, 0]]), hops, { ...rule, isBackward: true }).at(
    -1,
  )!
  const far = Number.POSITIVE_INFINITY
  return edges.filter(
    (edge) => (away.get(edge.tokenIn) ?? far) + 1 + (left.get(edge.tokenOut) ?? far) <= hops,
  )
}

// Hops tried before the search settles for walks: many more than the solver tries.
const MAX_TRIED = 1_000_000

/**
 * The most that a simple path of at most `hops` hops makes of `start`, a value at the token `from`,
 * less the costs on the way. It is an upper bound in any case: where the search gives up, it counts
 * what walks could make.
 */
export function bestSimplePath(
  links: readonly Link[],
  { from, to, hops }: { readonly from: Address; readonly to: Address; readonly hops: number },
  start: number,
): number {
  const walks = bestWalks(links, new Map([[to, 1]]), hops, {
    after: (value, { factor }) => value * factor,
    isBetter: (one, other) => one > other,
    isBackward: true,
  })
  const walk = (left: number) => walks[Math.min(left, walks.length - 1)]!
  const promise = ({ tokenOut, factor }: Link) => factor * (walk(hops).get(tokenOut) ?? 0)
  const leaving = byToken([...links].sort((a, b) => promise(b) - promise(a)))
  const passed = new Set<Address>()
  let best = Number.NEGATIVE_INFINITY
  let tried = 0
  const visit = (token: Address, value: number, paid: number, left: number): void => {
    if (token === to) best = Math.max(best, value - paid)
    if (token === to || left === 0) return
    passed.add(token)
    for (const { tokenOut, factor, cost } of leaving.get(token) ?? []) {
      const most = value * factor * (walk(left - 1).get(tokenOut) ?? 0) - paid - cost
      if (passed.has(tokenOut) || most <= best) continue
      if (++tried > MAX_TRIED) best = most
      else visit(tokenOut, value * factor, paid + cost, left - 1)
    }
    passed.delete(token)
  }
  visit(from, start, 0, hops)
  return best
}

/** The links that leave each token, without those that a parallel one before them beats in cost too. */
function byToken(links: readonly Link[]): ReadonlyMap<Address, readonly Link[]> {
  const leaving = new Map<Address, Link[]>()
  for (const link of links) {
    const known = leaving.get(link.tokenIn) ?? []
    const isBeaten = known.some(
      ({ tokenOut, cost }) => tokenOut === link.tokenOut && cost <= link.cost,
    )
    if (!isBeaten) leaving.set(link.tokenIn, [...known, link])
  }
  return leaving
}
