/** Candidate routes, their comparison, and the prices that the best path implies. */
import { outOf, priceOf } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import type { Candidate } from '../primal/realise.js'

/** The candidate with the higher net; the second if they are equal. */
export function better(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  return a && !(b && b.realised.net >= a.realised.net) ? a : b
}

/** Local numbers of edges given by graph number. */
export function localEdges({ edges }: Problem, graphEdges: Int32Array): Int32Array {
  return graphEdges.map((e) => edges.indexOf(e))
}

/** Sets the prices of a path's tokens by the marginal rates after the whole amount has passed. */
export function setPathPrices(problem: Problem, path: Int32Array): void {
  const { u, from, to, pieces, amount } = problem
  let x = amount
  const rates = Array.from(path, (i) => {
    const rate = priceOf(pieces[i]!, x)
    x = outOf(pieces[i]!, x)
    return rate
  })
  for (let hop = path.length - 1; hop >= 0; hop--) {
    u[from[path[hop]!]!] = u[to[path[hop]!]!]! + Math.log(rates[hop]!)
  }
}
