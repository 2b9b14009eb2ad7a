/**
 * Best single paths by label correcting: Bellman–Ford by rounds of hops, with a few labels per
 * token. Input: a problem. Output: simple paths for the whole amount, the highest net output first.
 * The best of them is the least that an answer is worth.
 */
import { limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { gasAfter } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import type { Terms } from '../terms.js'
import * as tuning from '../tuning.js'

/** A path of local edges for an amount, with the gas of its hops. */
export type Path = {
  readonly edges: Int32Array
  /** The amount into each edge, then the output of the last. */
  readonly amounts: Float64Array
  readonly gas: number
  /** The output less that gas, in sink units. */
  readonly net: number
}

/** The limits and the purpose of a search for paths. */
export type PathLimits = Pick<Terms, 'gasCost' | 'maxGas' | 'room' | 'pathHops'> & {
  /** The amount into the path; the problem's by default. */
  readonly amount?: number
  /** The number of paths wanted: those that cannot become one of as many best are pruned. */
  readonly wanted?: number
}

/** The end of a partial path: an amount of a token, by an edge from the label before. */
type Label = {
  readonly edge: number
  readonly before: Label | undefined
  readonly amount: number
  readonly gas: number
  /** The amount less the gas, in units of the token. */
  readonly rank: number
  /** A bit for each token passed, by its number modulo 32: labels of other bits pass other tokens. */
  readonly bits: number
}

/**
 * For every number of hops up to `pathHops`, the simple paths with the highest output for the amount,
 * all together by net output.
 */
export function bestPaths(problem: Problem, limits: PathLimits): readonly Path[] {
  const { graph, edges, u, rate, from, to, first, pieces, source, sink } = problem
  const { gasCost, room, wanted = Number.POSITIVE_INFINITY, amount = problem.amount } = limits
  // A simple path passes each token once.
  const pathHops = Math.min(limits.pathHops, u.length - 1)
  const gasPrice = u.map((uk) => gasCost / Math.exp(uk))
  const prospects = prospectsOf(problem, pathHops)
  // A path with less net output is not among the wanted ones.
  let least = Number.NEGATIVE_INFINITY
  const paths: Path[] = []
  // Of each token after as many hops, the best first.
  let labels: (Label[] | undefined)[] = new Array(u.length)
  let next = labels
  let toSink = prospects[0]!
  labels[source] = [{ edge: -1, before: undefined, amount, gas: 0, rank: amount, bits: 0 }]
  /** Returns true if an amount of token k at this gas would be among the labels kept and can reach `least`. */
  const canRank = (k: number, out: number, gas: number): boolean => {
    const y = out * (1 + tuning.FLOAT_ROUNDING)
    const last = next[k]?.[tuning.LABELS_PER_TOKEN - 1]
    if (last && !(y - gasPrice[k]! * gas > last.rank)) return false
    return toSink[k]! > 0 && !(y * toSink[k]! - gasCost * gas < least)
  }
  /** Extends a label by an edge to token k and keeps the result if it ranks among the best. */
  const tryEdge = (before: Label, edge: number, k: number): void => {
    if (before.bits & (1 << k))
      for (let at = before; at.before; at = at.before) if (from[at.edge] === k) return
    // Curves end a few wei before their pools, and these may pay some wei more, which is all for dust.
    if (before.amount > limitOf(pieces[edge]!) * (1 + tuning.TOLERANCE) + tuning.FILL_TOLERANCE_WEI)
      return
    const x = before.amount + graph.extraIn[edges[edge]!]!
    // The chain pays whole wei, which matters for a token with few units.
    const out = Math.floor(outOf(pieces[edge]!, x) * (1 + tuning.FLOAT_ROUNDING))
    if (out < 1) return
    const gas = before.gas + gasAfter(problem, before.edge, edge, before.amount)
    // A label above the gas cap is discarded; tick crossings are what fills a block.
    if (gas > room || !canRank(k, out, gas)) return
    const rank = out - gasPrice[k]! * gas
    const bits = before.bits | (1 << from[edge]!)
    const own = next[k] ?? []
    next[k] = own
    keep(problem, own, { edge, before, amount: out, gas, rank, bits })
  }
  for (let hopsLeft = pathHops - 1; hopsLeft >= 0; hopsLeft--) {
    next = new Array(u.length)
    toSink = prospects[hopsLeft]!
    for (let a = 0; a < labels.length; a++) {
      const some = labels[a]
      for (let i = first[a]!; some && i < first[a + 1]!; i++) {
        const k = to[i]!
        for (const label of some) {
          // A pool pays at most its first price, which rejects most edges without their curves.
          const gas = label.gas + graph.gas[edges[i]!]!
          if (canRank(k, label.amount * rate[i]!, gas)) tryEdge(label, i, k)
        }
      }
    }
    for (const label of next[sink] ?? []) paths.push(pathTo(label, gasCost))
    paths.sort((a, b) => b.net - a.net)
    if (wanted <= paths.length) least = paths[wanted - 1]!.net
    labels = next
  }
  return paths
}

/**
 * The best paths for the whole amount and for smaller and smaller parts of it. Where the order drains its pools,
 * only these parts show the paths that are worth their gas, and the path that takes the rest earns little and
 * should need little gas. So where gas is contested also the best paths for the whole amount at higher prices of it
 * (`PATH_SCARCITIES`). Paths that end in the same pieces of the same curves are listed once.
 */
export function bestPathsOfParts(
  problem: Problem,
  limits: PathLimits,
  isContested: boolean,
): readonly Path[] {
  const { gasCost, maxGas } = limits
  const bestOf = (terms: Partial<PathLimits>): readonly Path[] =>
    bestPaths(problem, { ...limits, ...terms, wanted: tuning.SEED_PATHS }).slice(
      0,
      tuning.SEED_PATHS,
    )
  const first = bestOf({})
  const most = first[0] ? first[0].net + gasCost * first[0].gas : 0
  const parts = tuning.PARTS.flatMap((part) => bestOf({ amount: part * problem.amount }))
  const dear = (isContested ? tuning.PATH_SCARCITIES : []).flatMap((scarcity) =>
    bestOf({ gasCost: gasCost + (scarcity * most) / maxGas }),
  )
  const paths = new Map<string, Path>()
  for (const path of [...first, ...parts, ...dear]) {
    const { edges, amounts, gas } = path
    const pieceOf = (i: number, hop: number) => pieceAt(problem.whole[i]!, amounts[hop]!)
    const key = Array.from(edges, (i, hop) => `${i}:${pieceOf(i, hop)}`).join()
    if (!paths.has(key)) paths.set(key, { ...path, net: amounts.at(-1)! - gasCost * gas })
  }
  return [...paths.values()]
}

/**
 * By token, the most sink units that a unit can become at first prices, over paths of at most 0 hops to the sink, of at
 * most 1, and so on.
 */
function prospectsOf(
  { from, to, rate: spot, u, sink }: Problem,
  maxHops: number,
): readonly Float64Array[] {
  const atSink = new Float64Array(u.length)
  atSink[sink] = 1 + tuning.FLOAT_ROUNDING
  const prospects = [atSink]
  while (prospects.length < maxHops) {
    const fewer = prospects.at(-1)!
    const rate = fewer.slice()
    for (let i = 0; i < from.length; i++) {
      const own = spot[i]! * fewer[to[i]!]! * (1 + tuning.FLOAT_ROUNDING)
      if (own > rate[from[i]!]!) rate[from[i]!] = own
    }
    prospects.push(rate)
  }
  return prospects
}

/** Adds a label to those of a token, the best first. In place: copies of so many short lists take longer than the rest. */
function keep(problem: Problem, labels: Label[], label: Label): void {
  let n = labels.length
  while (n > 0 && labels[n - 1]!.rank < label.rank) n--
  if (n === tuning.LABELS_PER_TOKEN) return
  for (let m = 0; m < n; m++) if (passesNoOther(problem, labels[m]!, label)) return
  let size = n
  for (let m = n; m < labels.length; m++)
    if (!passesNoOther(problem, label, labels[m]!)) labels[size++] = labels[m]!
  labels.length = Math.min(size, tuning.LABELS_PER_TOKEN - 1)
  labels.splice(n, 0, label)
}

/** True if a partial path passes no token that another does not: then one that ranks lower is of no use beside it. */
function passesNoOther({ from }: Problem, one: Label, other: Label): boolean {
  if ((one.bits & ~other.bits) !== 0) return false
  for (let at = one; at.before; at = at.before) {
    let passed: Label = other
    while (passed.before && from[passed.edge] !== from[at.edge]) passed = passed.before
    if (!passed.before) return false
  }
  return true
}

function pathTo(end: Label, gasCost: number): Path {
  const labels: Label[] = []
  for (let at: Label | undefined = end; at; at = at.before) labels.push(at)
  labels.reverse()
  return {
    edges: new Int32Array(labels.slice(1).map(({ edge }) => edge)),
    amounts: new Float64Array(labels.map(({ amount }) => amount)),
    gas: end.gas,
    net: end.amount - gasCost * end.gas,
  }
}
