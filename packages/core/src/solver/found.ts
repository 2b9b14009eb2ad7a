import { outOf, priceOf } from '../math/pieces.js'
import type { Problem } from './problem.js'
import type { Settled } from './settle.js'

/** A route and its edges by their numbers in the graph, which stay when the problem grows. */
export type Found = { readonly settled: Settled; readonly edges: Int32Array }

/** The one that nets more; the first of equals loses. */
export function better(a: Found | undefined, b: Found | undefined): Found | undefined {
  return a && !(b && b.settled.net >= a.settled.net) ? a : b
}

/** Edges of the graph by their numbers in the problem. */
export function localEdges({ edges }: Problem, graphEdges: Int32Array): Int32Array {
  return graphEdges.map((e) => edges.indexOf(e))
}

/** Sets the prices of a path's tokens to the marginal rates that the whole amount leaves along it. */
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
