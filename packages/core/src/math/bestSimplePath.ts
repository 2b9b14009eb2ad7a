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

/** What a path makes of a value, less its costs; without a path it is what walks could make. */
export type BestPath = { readonly worth: number; readonly path: readonly number[] }

/**
 * Searches, by the costs of the edges, for the simple path to the sink that makes most of a value at a token, less its
 * costs: depth-first, pruned by the best walks, without edges that a parallel one beats in factor and cost. After
 * {@link MAX_HOPS_TRIED} a search counts what walks could make, and has no path.
 */
export function simplePathSearch(
  network: Network,
  factor: Float64Array,
): (costs: Float64Array) => (start: number, value: number) => BestPath {
  const { to, tokens, legs } = network
  const hops = Math.min(legs, tokens.length - 1)
  const walks = bestWalks(network, factor, hops)
  // By the hops left, of which no more than there are rounds count.
  const walksOf = Array.from({ length: hops + 1 }, (_, n) => walks[Math.min(n, walks.length - 1)]!)
  // Good edges first, because they prune the others.
  const promise = factor.map((one, i) => one * walksOf[hops]![to[i]!]!)
  const order = [...factor.keys()].sort((i, j) => promise[j]! - promise[i]! || i - j)
  return (costs) => searchWith({ ...network, factor, costs, order, walksOf })
}

type Pruned = Network & {
  readonly factor: Float64Array
  readonly costs: Float64Array
  /** The edges, those that promise most first. */
  readonly order: readonly number[]
  /** By the hops left and the token, the most that walks make of a unit. */
  readonly walksOf: readonly Float64Array[]
}

function searchWith({ from, to, tokens, sink, factor, costs, order, walksOf }: Pruned) {
  const leaving = Array.from(tokens, (): number[] => [])
  for (const i of order) {
    const others = leaving[from[i]!]!
    if (!others.some((j) => to[j] === to[i] && costs[j]! <= costs[i]!)) others.push(i)
  }
  const isPassed = new Uint8Array(tokens.length)
  const passed: number[] = []
  let tried = 0
  let best: BestPath
  const visit = (k: number, value: number, paid: number, left: number): void => {
    if (k === sink && value - paid > best.worth) best = { worth: value - paid, path: [...passed] }
    if (k === sink || left === 0) return
    isPassed[k] = 1
    const rest = walksOf[left - 1]!
    for (const i of leaving[k]!) {
      const next = to[i]!
      if (isPassed[next]) continue
      const reach = value * factor[i]!
      const cost = paid + costs[i]!
      const worth = reach * rest[next]! - cost
      if (!(worth > best.worth)) continue
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
  return (start: number, value: number): BestPath => {
    best = { worth: Number.NEGATIVE_INFINITY, path: [] }
    visit(start, value, 0, walksOf.length - 1)
    return best
  }
}
