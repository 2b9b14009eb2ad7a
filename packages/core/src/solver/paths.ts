import { limitOf, outOf } from '../math/pieces.js'
import { ROUTER_GAS } from '../route.js'
import type { Problem } from './problem.js'
import { gasAfter, gasOf } from './support.js'
import type { Terms } from './terms.js'

/** Most hops of a single path, where the caller does not say. */
export const MAX_HOPS = 5

/** A path of local edges with what it brings less the gas of its hops, in sink units. */
export type Path = { readonly edges: Int32Array; readonly net: number }

// Ways kept per token and number of hops: the best alone may pass the very token wanted next.
const WAYS = 3
// A pool's curve is above what it pays but for the rounding of floats.
const ROUNDING = 1 + 1e-12
const DUST = 1e-12

/**
 * The ways that reach each token in a number of hops, the best first: `WAYS` slots per token with
 * the amount brought, its rank (what is left of it when the gas is paid), the gas so far, the last
 * edge, and the slot that the way came from.
 */
type Reach = {
  readonly amount: Float64Array
  readonly rank: Float64Array
  readonly gas: Float64Array
  readonly edge: Int32Array
  readonly before: Int32Array
}

/** What edges have taken before; whether others are closed. */
export type Taken = { readonly amounts: Float64Array; readonly isClosed: boolean }

/** A search under way: what each round of hops reached so far, and what a way must bring to go on. */
type Search = {
  readonly problem: Problem
  readonly gasCost: number
  /** Most gas of all hops together. */
  readonly maxGas: number
  readonly taken: Taken | undefined
  /** Gas in units of each token, by the prices that the search starts from. */
  readonly gasPrice: Float64Array
  /** By most hops left: the most sink units that a unit of each token can bring. */
  readonly mostTo: readonly Float64Array[]
  readonly reached: Reach[]
  /** Less than this net is none of the paths wanted. */
  least: number
}

/**
 * For every number of hops up to `maxHops` the few simple paths that bring most for the whole amount,
 * by dynamic programming (Bellman–Ford by rounds) over a few ways per token, the best net of gas first.
 * What edges have `taken` comes first in their pools, and they cost no more gas. Where only the best
 * `wanted` of all are asked for, ways are left that could not become one of them.
 */
export function bestPaths(
  problem: Problem,
  maxHops: number,
  { gasCost, maxGas }: Pick<Terms, 'gasCost' | 'maxGas'>,
  { taken, wanted }: { readonly taken?: Taken; readonly wanted?: number } = {},
): readonly Path[] {
  const { u, amount, source, sink } = problem
  const start = emptyReach(u.length)
  start.amount[source * WAYS] = amount
  const search: Search = {
    problem,
    gasCost,
    maxGas: maxGas - ROUTER_GAS,
    taken,
    gasPrice: u.map((uk) => gasCost / Math.exp(uk)),
    mostTo: mostToSink(problem, maxHops),
    reached: [start],
    least: Number.NEGATIVE_INFINITY,
  }
  const paths: Path[] = []
  for (let hop = 0; hop < maxHops; hop++) {
    const next = goOn(search)
    search.reached.push(next)
    for (let slot = sink * WAYS; slot < (sink + 1) * WAYS; slot++) {
      const brought = next.amount[slot]!
      if (brought === 0) break
      const net = brought - gasCost * next.gas[slot]!
      paths.push({ edges: trace(search.reached, slot), net })
    }
    if (wanted !== undefined && paths.length >= wanted) {
      search.least = paths.map(({ net }) => net).sort((a, b) => b - a)[wanted - 1]!
    }
  }
  return paths.sort((a, b) => b.net - a.net || a.edges.length - b.edges.length)
}

/** The ways of one hop more. */
function goOn(search: Search): Reach {
  const { γ, price, u, bundles, source, sink } = search.problem
  const next = emptyReach(u.length)
  for (let b = 0; b < bundles.from.length; b++) {
    const k = bundles.to[b]!
    if (bundles.from[b] === sink || k === source) continue
    const first = bundles.from[b]! * WAYS
    let isOpen = false
    for (let slot = first; slot < first + WAYS; slot++) {
      isOpen ||= mayBring(search, next, slot, k, bundles.rate[b]!)
    }
    if (!isOpen) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
      const rate = γ[i]! * price[i]!
      for (let slot = first; slot < first + WAYS; slot++) {
        if (mayBring(search, next, slot, k, rate)) tryEdge(search, next, slot, i)
      }
    }
  }
  return next
}

/**
 * Whether a way may go on to token k at a rate. A pool pays at most its first price, and what is no
 * better than the worst kept is none of the few: most edges, and most bundles, are done with here.
 */
function mayBring(search: Search, next: Reach, slot: number, k: number, rate: number): boolean {
  const last = search.reached.at(-1)!
  const x = last.amount[slot]!
  if (x === 0) return false
  return isOneOfFew(search, next, k, Math.max(DUST, x * rate * ROUNDING), last.gas[slot]!)
}

/** Whether y of token k for so much gas may be one of the ways kept, and lead to a path wanted. */
function isOneOfFew(search: Search, { rank }: Reach, k: number, y: number, gas: number): boolean {
  const { gasCost, gasPrice, mostTo, reached, least } = search
  if (!(y - gasPrice[k]! * gas > rank[(k + 1) * WAYS - 1]!)) return false
  const most = mostTo[mostTo.length - reached.length]![k]!
  return most > 0 && !(y * most - gasCost * gas < least)
}

/** Goes on by an edge from a way of the last round, and keeps that if it is one of the few. */
function tryEdge(search: Search, next: Reach, slot: number, i: number): void {
  const { problem, maxGas, taken, gasPrice, reached } = search
  const { to, pieces } = problem
  const last = reached.at(-1)!
  const k = to[i]!
  const x = last.amount[slot]!
  const before = taken?.amounts[i] ?? 0
  if (before + x > limitOf(pieces[i]!)) {
    problem.isCramped = true
    return
  }
  if (taken?.isClosed && before === 0) return
  // The chain pays whole wei, which decides where a way leads past a token of few.
  const paid = Math.floor(outOf(pieces[i]!, before + x) * ROUNDING)
  if (paid === 0) return
  // A pool all but drained takes more for next to nothing.
  const y = before === 0 ? paid : Math.max(DUST, paid - outOf(pieces[i]!, before))
  // The least it can take is known at once: most edges fall short of the few even so.
  const least = last.gas[slot]! + (before > 0 ? 0 : gasOf(problem, i))
  if (!isOneOfFew(search, next, k, y, least)) return
  const gas = last.gas[slot]! + (before > 0 ? 0 : gasAfter(problem, last.edge[slot]!, i, x))
  // Ticks are what fills a block: a way past its limit is none.
  if (gas > maxGas || !isOneOfFew(search, next, k, y, gas)) return
  if (passes(problem, reached, slot, k)) return
  insert(next, k, { amount: y, rank: y - gasPrice[k]! * gas, gas, edge: i, before: slot })
}

/**
 * The most sink units that a unit of each token can bring, at first prices: in no hop, in one at most,
 * and so on.
 */
function mostToSink({ bundles, u, source, sink }: Problem, maxHops: number) {
  const { from, to, rate } = bundles
  let most = new Float64Array(u.length)
  most[sink] = ROUNDING
  const byHops = [most]
  while (byHops.length < maxHops) {
    const shorter = most
    most = shorter.slice()
    for (let b = 0; b < from.length; b++) {
      if (to[b] === source || from[b] === sink) continue
      most[from[b]!] = Math.max(most[from[b]!]!, rate[b]! * shorter[to[b]!]! * ROUNDING)
    }
    byHops.push(most)
  }
  return byHops
}

function emptyReach(tokens: number): Reach {
  return {
    amount: new Float64Array(tokens * WAYS),
    rank: new Float64Array(tokens * WAYS).fill(Number.NEGATIVE_INFINITY),
    gas: new Float64Array(tokens * WAYS),
    edge: new Int32Array(tokens * WAYS).fill(-1),
    before: new Int32Array(tokens * WAYS).fill(-1),
  }
}

type Way = { readonly [key in keyof Reach]: number }

function insert({ amount, rank, gas, edge, before }: Reach, token: number, way: Way): void {
  let slot = (token + 1) * WAYS - 1
  for (; slot > token * WAYS && rank[slot - 1]! < way.rank; slot--) {
    amount[slot] = amount[slot - 1]!
    rank[slot] = rank[slot - 1]!
    gas[slot] = gas[slot - 1]!
    edge[slot] = edge[slot - 1]!
    before[slot] = before[slot - 1]!
  }
  amount[slot] = way.amount
  rank[slot] = way.rank
  gas[slot] = way.gas
  edge[slot] = way.edge
  before[slot] = way.before
}

/** Whether the way in `slot` of the last round passes a token. */
function passes(
  { from }: Problem,
  reached: readonly Reach[],
  slot: number,
  token: number,
): boolean {
  let at = slot
  for (let hop = reached.length - 1; hop > 0; hop--) {
    if (from[reached[hop]!.edge[at]!] === token) return true
    at = reached[hop]!.before[at]!
  }
  return false
}

/** The edges of the way in `slot` of the last round. */
function trace(reached: readonly Reach[], slot: number): Int32Array {
  const path = new Int32Array(reached.length - 1)
  let at = slot
  for (let hop = reached.length - 1; hop > 0; hop--) {
    path[hop - 1] = reached[hop]!.edge[at]!
    at = reached[hop]!.before[at]!
  }
  return path
}
