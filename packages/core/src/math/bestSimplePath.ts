/**
 * The best simple path, by depth-first search. Input: edges, the factor by which each multiplies a value, and what it
 * costs. Output: the path to the sink that makes most of a value. Bounds and the search for routes ask for it.
 */
import { bestWalks } from './bestWalks.js'

/** The ends of each edge, the number of `tokens`, the token at which paths end, and the most `legs` of a path. */
type Network = {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly tokens: ArrayLike<number>
  readonly sink: number
  readonly legs: number
}

/** Hops tried before walks count: with 1,500, one bound in six is higher, by up to 6 bp. */
const MAX_HOPS_TRIED = 5000

/**
 * A search for the simple path to the sink that makes most of a value at a token, less its costs: depth-first,
 * pruned by the best walks, without edges that a parallel one beats in factor and cost. After
 * {@link MAX_HOPS_TRIED} it counts what walks could make, and has no path.
 */
export function simplePathSearch(
  network: Network,
  factor: Float64Array,
  costs: Float64Array,
): (start: number, value: number) => { readonly worth: number; readonly path: readonly number[] } {
  const { from, to, tokens, sink, legs } = network
  const hops = Math.min(legs, tokens.length - 1)
  const walks = bestWalks(network, factor, hops)
  const walkFrom = (token: number, left: number) => walks[Math.min(left, walks.length - 1)]![token]!
  // Good edges first, because they prune the others.
  const promise = factor.map((one, i) => one * walkFrom(to[i]!, hops))
  const leaving = Array.from(tokens, (): number[] => [])
  for (const i of [...factor.keys()].sort((i, j) => promise[j]! - promise[i]! || i - j)) {
    const others = leaving[from[i]!]!
    if (!others.some((j) => to[j] === to[i] && costs[j]! <= costs[i]!)) others.push(i)
  }
  const isPassed = new Uint8Array(tokens.length)
  const passed: number[] = []
  let tried = 0
  let best: { worth: number; path: readonly number[] }
  const visit = (k: number, value: number, paid: number, left: number): void => {
    if (k === sink && value - paid > best.worth) best = { worth: value - paid, path: [...passed] }
    if (k === sink || left === 0) return
    isPassed[k] = 1
    for (const i of leaving[k]!) {
      const [next, reach, cost] = [to[i]!, value * factor[i]!, paid + costs[i]!]
      const worth = reach * walkFrom(next, left - 1) - cost
      if (isPassed[next] || !(worth > best.worth)) continue
      if (tried++ > MAX_HOPS_TRIED) {
        best = { worth, path: [] }
        continue
      }
      passed.push(i)
      visit(next, reach, cost, left - 1)
      passed.pop()
    }
    isPassed[k] = 0
  }
  return (start, value) => {
    best = { worth: Number.NEGATIVE_INFINITY, path: [] }
    visit(start, value, 0, hops)
    return best
  }
}
