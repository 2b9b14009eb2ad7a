import { extendPrices } from './extend.js'
import { type Problem, respond } from './problem.js'
import { type Charges, type Selection, sparsify } from './sparsify.js'

const EXCHANGES = 4
const OFFERS = 8
const LEAST_GAIN = 1e-8

/**
 * Tries what dropping alone cannot find: adds the edges, and the pairs of edges through a token
 * not yet passed, that promise most at the selection's own prices, drops again, and goes on while
 * that gains. `all` are the edges to choose from and the prices that fit them together. Leaves the
 * problem at the minimum over the selection returned.
 */
export function exchange(
  problem: Problem,
  all: { readonly edges: Int32Array; readonly prices: Float64Array },
  first: Selection,
  charges: Charges,
): Selection {
  let best = first
  const prices = problem.u.slice()
  for (let round = 0; round < EXCHANGES; round++) {
    const trial = sparsify(problem, withPromising(problem, all, best.edges), charges)
    if (trial.value <= best.value * (1 + LEAST_GAIN)) break
    best = trial
    prices.set(problem.u)
  }
  problem.u.set(prices)
  respond(problem, best.edges)
  return best
}

function withPromising(
  problem: Problem,
  all: { readonly edges: Int32Array; readonly prices: Float64Array },
  edges: Int32Array,
): Int32Array {
  const { from, to, surplus, u } = problem
  const isPriced = new Uint8Array(u.length)
  const isUsed = new Uint8Array(problem.edges.length)
  for (const i of edges) {
    isUsed[i] = 1
    isPriced[from[i]!] = 1
    isPriced[to[i]!] = 1
  }
  isPriced[problem.source] = 1
  isPriced[problem.sink] = 1
  extendPrices(problem, all.edges, isPriced, all.prices)
  respond(problem, all.edges)
  // A leg through a token not yet passed is worth half of the best pair through it.
  const bestInto = new Int32Array(u.length).fill(-1)
  const bestOut = new Int32Array(u.length).fill(-1)
  const offers: { readonly legs: readonly number[]; readonly worth: number }[] = []
  const better = (i: number, j: number) => j < 0 || surplus[i]! > surplus[j]!
  for (const i of all.edges) {
    if (isUsed[i] || !(surplus[i]! > 0)) continue
    const [a, b] = [from[i]!, to[i]!]
    if (isPriced[a] && isPriced[b]) offers.push({ legs: [i], worth: surplus[i]! })
    else if (isPriced[a] && better(i, bestInto[b]!)) bestInto[b] = i
    else if (isPriced[b] && better(i, bestOut[a]!)) bestOut[a] = i
  }
  for (let k = 0; k < u.length; k++) {
    const [i, o] = [bestInto[k]!, bestOut[k]!]
    if (i >= 0 && o >= 0) offers.push({ legs: [i, o], worth: (surplus[i]! + surplus[o]!) / 2 })
  }
  offers.sort((a, b) => b.worth - a.worth || a.legs[0]! - b.legs[0]!)
  return Int32Array.from([...edges, ...offers.slice(0, OFFERS).flatMap((offer) => offer.legs)])
}
