import type { Problem } from './problem.js'

const BISECTIONS = 24

/**
 * Prices the tokens that no active edge touches, given the others': between what the market pays
 * for the token and what it asks, or, where it pays more than it asks, where the two flows balance.
 * That choice leaves the least arbitrage, so the bound stays tight and the surplus of an edge says
 * what adding it would bring. `edges` are all edges of the problem, in and out of the token.
 */
export function extendPrices(problem: Problem, edges: Int32Array, isPriced: Uint8Array): void {
  const { u, from, to } = problem
  const touching: number[][] = Array.from(u, () => [])
  for (const i of edges) {
    if (!isPriced[from[i]!]) touching[from[i]!]!.push(i)
    if (!isPriced[to[i]!]) touching[to[i]!]!.push(i)
  }
  // A token waits until a neighbour has its price; passes go on while they reach new tokens.
  const priced = isPriced.slice()
  for (let found = true; found; ) {
    found = false
    for (let k = 0; k < u.length; k++) {
      if (priced[k]) continue
      const near = touching[k]!.filter((i) => priced[from[i]! === k ? to[i]! : from[i]!])
      if (near.length === 0) continue
      u[k] = balance(problem, near, k)
      priced[k] = 1
      found = true
    }
  }
}

function balance(problem: Problem, edges: readonly number[], k: number): number {
  const { u, from, to, γ, price } = problem
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (const i of edges) {
    const spot = Math.log(γ[i]! * price[i]!)
    if (from[i] === k) bid = Math.max(bid, u[to[i]!]! + spot)
    else ask = Math.min(ask, u[from[i]!]! - spot)
  }
  if (bid === Number.NEGATIVE_INFINITY) return ask
  if (ask === Number.POSITIVE_INFINITY) return bid
  if (bid <= ask) return (bid + ask) / 2
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    u[k] = middle
    if (netFlow(problem, edges, k) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** What comes in less what goes out of token k at the prices in u; rises with its price. */
function netFlow(problem: Problem, edges: readonly number[], k: number): number {
  const { u, from, to, γ, price, reserve, end } = problem
  let net = 0
  for (const i of edges) {
    const q = Math.expm1(Math.log(γ[i]! * price[i]!) + u[to[i]!]! - u[from[i]!]!)
    if (!(q > 0)) continue
    const move = q / (1 + Math.sqrt(1 + q))
    const x = Math.min((reserve[i]! / γ[i]!) * move, end[i]!)
    if (from[i] === k) net -= x
    else net += (γ[i]! * x * price[i]!) / (1 + (γ[i]! * x) / reserve[i]!)
  }
  return net
}
