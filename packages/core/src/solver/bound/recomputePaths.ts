/**
 * The part of the checker for bounds over simple paths. Input: hops, with what they make of a value
 * and what they cost. Output: the most that simple paths make of it. It shares no code with the
 * solver.
 */
import type { Address } from '../../hex.js'

/** A hop between two tokens: what it makes of a value at most, and what it costs. */
export type Link = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly factor: number
  readonly cost: number
}

// Hops tried before the search settles for walks: many more than the solver tries.
const MOST_TRIED = 1_000_000

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
  const walks = bestWalks(links, to, hops)
  const promise = ({ tokenOut, factor }: Link) => factor * (walks[hops]!.get(tokenOut) ?? 0)
  const leaving = byToken([...links].sort((a, b) => promise(b) - promise(a)))
  const passed = new Set<Address>()
  let best = Number.NEGATIVE_INFINITY
  let tried = 0
  const visit = (token: Address, value: number, paid: number, left: number): void => {
    if (token === to) best = Math.max(best, value - paid)
    if (token === to || left === 0) return
    passed.add(token)
    for (const { tokenOut, factor, cost } of leaving.get(token) ?? []) {
      const most = value * factor * (walks[left - 1]!.get(tokenOut) ?? 0) - paid - cost
      if (passed.has(tokenOut) || most <= best) continue
      if (++tried > MOST_TRIED) best = most
      else visit(tokenOut, value * factor, paid + cost, left - 1)
    }
    passed.delete(token)
  }
  visit(from, start, 0, hops)
  return best
}

/** By number of hops and token: the most that a walk of at most so many hops makes of one. */
function bestWalks(links: readonly Link[], to: Address, hops: number) {
  const walks: Map<Address, number>[] = [new Map([[to, 1]])]
  for (let n = 0; n < hops; n++) {
    const next = new Map(walks[n])
    for (const { tokenIn, tokenOut, factor } of links) {
      const reached = factor * (walks[n]!.get(tokenOut) ?? 0)
      if (reached > (next.get(tokenIn) ?? 0)) next.set(tokenIn, reached)
    }
    walks.push(next)
  }
  return walks
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
