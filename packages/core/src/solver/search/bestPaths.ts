/**
 * Best single paths by label correcting: Bellman–Ford by rounds of hops, with a few labels per
 * token. Input: a problem. Output: simple paths for the whole amount, the highest net output first.
 * The best of them is the least that an answer is worth.
 */
import { limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import { gasAfter, leastGasOf } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import type { Terms } from '../terms.js'
import {
  CURVE_ROUNDING,
  IN_PROPORTION,
  LABELS_PER_TOKEN,
  LEAST_PARTS,
  MOST_PARTS,
  PART,
} from '../tuning.js'

/** A path of local edges, the gas of its hops, and its output less that gas, in sink units. */
export type Path = { readonly edges: Int32Array; readonly gas: number; readonly net: number }

/** A path for a part of the order, with the amount into each of its edges. */
export type PartPath = Path & { readonly amounts: Float64Array }

/**
 * The labels of each token after a number of hops, the best first: `WAYS` slots per token with the
 * amount, its rank (the amount net of gas), the gas so far, the last edge, and the slot of the
 * previous label.
 */
type Labels = {
  readonly amount: Float64Array
  readonly rank: Float64Array
  readonly gas: Float64Array
  readonly edge: Int32Array
  readonly before: Int32Array
}

/** The state of a search: the labels of each round, and the pruning bounds. */
type Search = {
  readonly problem: Problem
  readonly gasCost: number
  /** Most gas of all hops together. */
  readonly maxGas: number
  /** Price of gas in units of each token, at the prices in the problem. */
  readonly gasPrice: Float64Array
  /** By number of remaining hops: the most sink units that a unit of each token can become. */
  readonly mostTo: readonly Float64Array[]
  readonly reached: Labels[]
  /** A path with less net output is not among the wanted ones. */
  least: number
}

/**
 * For every number of hops up to `maxHops`, finds the few simple paths with the highest output for
 * the whole amount. Returns all of them, the highest output net of gas first. With `wanted`, labels
 * that cannot become one of the best `wanted` paths are pruned.
 */
export function bestPaths(
  problem: Problem,
  maxHops: number,
  { gasCost, maxGas }: Pick<Terms, 'gasCost' | 'maxGas'>,
  wanted?: number,
): readonly Path[] {
  const { u, amount, source, sink } = problem
  const start = emptyReach(u.length)
  start.amount[source * LABELS_PER_TOKEN] = amount
  const search: Search = {
    problem,
    gasCost,
    maxGas: maxGas - ROUTER_GAS,
    gasPrice: u.map((uk) => gasCost / Math.exp(uk)),
    mostTo: mostToSink(problem, maxHops),
    reached: [start],
    least: Number.NEGATIVE_INFINITY,
  }
  const paths: Path[] = []
  for (let hop = 0; hop < maxHops; hop++) {
    const next = relax(search)
    search.reached.push(next)
    for (let slot = sink * LABELS_PER_TOKEN; slot < (sink + 1) * LABELS_PER_TOKEN; slot++) {
      const brought = next.amount[slot]!
      if (brought === 0) break
      const gas = next.gas[slot]!
      paths.push({ edges: trace(search.reached, slot), gas, net: brought - gasCost * gas })
    }
    if (wanted !== undefined && paths.length >= wanted) {
      search.least = paths.map(({ net }) => net).sort((a, b) => b - a)[wanted - 1]!
    }
  }
  return paths.sort((a, b) => b.net - a.net || a.edges.length - b.edges.length)
}

/**
 * The best paths for the whole amount and for smaller and smaller parts of it, until a part no longer
 * drains its pools. Where the order drains its pools, only these parts show the paths that are worth
 * their gas, and the path that takes the rest earns little and should need little gas. So then also the
 * best paths for the whole amount at higher prices of gas: `scarcities` are what all gas of the cap
 * costs, relative to the output of the best path. Paths that end in the same pieces of the same curves
 * are listed once.
 */
export function bestPathsOfParts(
  problem: Problem,
  maxHops: number,
  terms: Pick<Terms, 'gasCost' | 'maxGas'>,
  scarcities: readonly number[] = [],
): readonly PartPath[] {
  const { whole } = problem
  const paths: PartPath[] = []
  const known = new Set<string>()
  /** Adds the best paths for an amount; returns the highest output of one. */
  const addPaths = (amount: number, gasCost = terms.gasCost): number => {
    let most = 0
    const { amount: order } = problem
    problem.amount = amount
    const found = bestPaths(problem, maxHops, { ...terms, gasCost })
    problem.amount = order
    for (const { edges, gas } of found) {
      let x = amount
      const amounts = Float64Array.from(edges, (i) => {
        const into = x
        x = outOf(whole[i]!, x)
        return into
      })
      most = Math.max(most, x)
      const key = Array.from(edges, (i, hop) => `${i}:${pieceAt(whole[i]!, amounts[hop]!)}`).join()
      if (known.has(key)) continue
      known.add(key)
      paths.push({ edges, amounts, gas, net: x - terms.gasCost * gas })
    }
    return most
  }
  const first = addPaths(problem.amount)
  let before = first
  for (let n = 1; n < MOST_PARTS; n++) {
    const most = addPaths(problem.amount * PART ** n)
    const isDrained = most >= IN_PROPORTION * before
    if (n === 1 && isDrained) {
      for (const scarcity of scarcities) {
        addPaths(problem.amount, terms.gasCost + (scarcity * first) / terms.maxGas)
      }
    }
    if (n + 1 >= LEAST_PARTS && !isDrained) break
    before = most
  }
  return paths
}

/** One round of relaxation: the labels with one hop more. */
function relax(search: Search): Labels {
  const { γ, price, u, bundles, source, sink } = search.problem
  const { amount } = search.reached.at(-1)!
  const next = emptyReach(u.length)
  for (let b = 0; b < bundles.from.length; b++) {
    const k = bundles.to[b]!
    if (bundles.from[b] === sink || k === source) continue
    const first = bundles.from[b]! * LABELS_PER_TOKEN
    if (amount[first] === 0) continue
    let isOpen = false
    for (let slot = first; slot < first + LABELS_PER_TOKEN; slot++) {
      isOpen ||= canImprove(search, next, slot, k, bundles.rate[b]!)
    }
    if (!isOpen) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
      const rate = γ[i]! * price[i]!
      for (let slot = first; slot < first + LABELS_PER_TOKEN; slot++) {
        if (canImprove(search, next, slot, k, rate)) tryEdge(search, next, slot, i)
      }
    }
  }
  return next
}

/**
 * Whether the label in `slot` can improve token k at a rate. A pool pays at most its first price,
 * so this test, which needs no curve, rejects most edges and most bundles.
 */
function canImprove(search: Search, next: Labels, slot: number, k: number, rate: number): boolean {
  const last = search.reached.at(-1)!
  const x = last.amount[slot]!
  if (x === 0) return false
  return isAmongBest(search, next, k, x * rate * CURVE_ROUNDING, last.gas[slot]!)
}

/** Whether an amount y of token k at this gas ranks among the labels kept and can reach `least`. */
function isAmongBest(search: Search, { rank }: Labels, k: number, y: number, gas: number): boolean {
  const { gasCost, gasPrice, mostTo, reached, least } = search
  if (!(y - gasPrice[k]! * gas > rank[(k + 1) * LABELS_PER_TOKEN - 1]!)) return false
  const most = mostTo[mostTo.length - reached.length]![k]!
  return most > 0 && !(y * most - gasCost * gas < least)
}

/** Extends a label of the last round by an edge and keeps the result if it ranks among the best. */
function tryEdge(search: Search, next: Labels, slot: number, i: number): void {
  const { problem, maxGas, gasPrice, reached } = search
  const { to, pieces } = problem
  const last = reached.at(-1)!
  const k = to[i]!
  const x = last.amount[slot]!
  if (x > limitOf(pieces[i]!)) {
    problem.isCramped = true
    return
  }
  // The chain pays whole wei, which matters for a token with few units.
  const y = Math.floor(outOf(pieces[i]!, x) * CURVE_ROUNDING)
  if (y === 0) return
  // The least gas is cheap to compute and already rejects most edges.
  const least = last.gas[slot]! + leastGasOf(problem, i)
  if (!isAmongBest(search, next, k, y, least)) return
  const gas = last.gas[slot]! + gasAfter(problem, last.edge[slot]!, i, x)
  // A label above the gas cap is discarded; tick crossings are what fills a block.
  if (gas > maxGas || !isAmongBest(search, next, k, y, gas)) return
  if (passes(problem, reached, slot, k)) return
  insert(next, k, { amount: y, rank: y - gasPrice[k]! * gas, gas, edge: i, before: slot })
}

/**
 * The most sink units that a unit of each token can become at first prices: in 0 hops, in at most
 * 1, and so on.
 */
function mostToSink({ bundles, u, source, sink }: Problem, maxHops: number) {
  const { from, to, rate } = bundles
  let most = new Float64Array(u.length)
  most[sink] = CURVE_ROUNDING
  const byHops = [most]
  while (byHops.length < maxHops) {
    const shorter = most
    most = shorter.slice()
    for (let b = 0; b < from.length; b++) {
      if (to[b] === source || from[b] === sink) continue
      most[from[b]!] = Math.max(most[from[b]!]!, rate[b]! * shorter[to[b]!]! * CURVE_ROUNDING)
    }
    byHops.push(most)
  }
  return byHops
}

/** One buffer for all: a search makes many, and each buffer is work for the collector. */
function emptyReach(tokens: number): Labels {
  const slots = tokens * LABELS_PER_TOKEN
  const buffer = new ArrayBuffer(4 * slots * Float64Array.BYTES_PER_ELEMENT)
  const floats = (n: number) =>
    new Float64Array(buffer, n * slots * Float64Array.BYTES_PER_ELEMENT, slots)
  const [edge, before] = [0, 1].map((n) => {
    const start = 3 * slots * Float64Array.BYTES_PER_ELEMENT
    return new Int32Array(buffer, start + n * slots * Int32Array.BYTES_PER_ELEMENT, slots).fill(-1)
  }) as [Int32Array, Int32Array]
  const rank = floats(1).fill(Number.NEGATIVE_INFINITY)
  return { amount: floats(0), rank, gas: floats(2), edge, before }
}

type Way = { readonly [key in keyof Labels]: number }

function insert({ amount, rank, gas, edge, before }: Labels, token: number, way: Way): void {
  let slot = (token + 1) * LABELS_PER_TOKEN - 1
  for (; slot > token * LABELS_PER_TOKEN && rank[slot - 1]! < way.rank; slot--) {
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

/** Whether the path of the label in `slot` of the last round has already left a token. */
function passes(
  { from }: Problem,
  reached: readonly Labels[],
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

/** The edges of the path of the label in `slot` of the last round. */
function trace(reached: readonly Labels[], slot: number): Int32Array {
  const path = new Int32Array(reached.length - 1)
  let at = slot
  for (let hop = reached.length - 1; hop > 0; hop--) {
    path[hop - 1] = reached[hop]!.edge[at]!
    at = reached[hop]!.before[at]!
  }
  return path
}
