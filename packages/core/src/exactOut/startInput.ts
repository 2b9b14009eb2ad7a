/**
 * The first input to solve for, by reference prices and single paths. Input: graph and order.
 * Output: an input in wei that some path can take.
 */
import type { Graph } from '../graph.js'
import type { Address } from '../hex.js'
import type { ExactOutOrder, Order } from '../order.js'
import { explainFailure } from '../quote.js'
import { referenceOf } from '../reference/referencePrices.js'
import { solve } from '../solver/solve.js'
import type { Options } from '../solver/terms.js'
import { candidateOf } from './candidate.js'
import { LARGEST_INPUT } from './nextInput.js'

// Powers of two, tried from the guess outwards if no route can take the guess.
const PROBES = Array.from({ length: 16 }, (_, i) => 8 * i)

/**
 * The first input to solve for. The best single path at the reference prices takes impact and fees
 * into account, and is much faster than a solve. Throws if there is no path for any input.
 */
export function startInput(graph: Graph, order: ExactOutOrder, options: Options): bigint {
  const { tokenIn, tokenOut } = order
  const guess = guessInput(graph, order)
  const bits = guess.toString(2).length
  const others = PROBES.toSorted((a, b) => Math.abs(a - bits) - Math.abs(b - bits))
  for (const amountIn of [guess, ...others.map((probe) => 1n << BigInt(probe))]) {
    const asked: Order = { tokenIn, tokenOut, amountIn }
    // A search that stops at once returns the best single path.
    const path = solve(graph, asked, { ...options, shouldStop: () => true })
    if (path)
      return (
        candidateOf({ order, asked, solution: path, bound: undefined, options })?.bracket.high ??
        amountIn
      )
  }
  throw explainFailure(graph, { tokenIn, tokenOut, amountIn: guess }, options)
}

/** The least input for which the best single path of some order of magnitude pays enough. */
export function paidByPath(
  graph: Graph,
  order: ExactOutOrder,
  options: Options,
): bigint | undefined {
  const { tokenIn, tokenOut } = order
  for (const probe of PROBES) {
    const asked: Order = { tokenIn, tokenOut, amountIn: 1n << BigInt(probe) }
    const path = solve(graph, asked, { ...options, shouldStop: () => true })
    const paid = path && candidateOf({ order, asked, solution: path, bound: undefined, options })
    if (paid) return paid.bracket.high
  }
  return undefined
}

/** The input that the reference prices give for the wanted amount. */
function guessInput(graph: Graph, { tokenIn, tokenOut, amountOut }: ExactOutOrder): bigint {
  const { price } = referenceOf(graph)
  const priceOf = (token: Address) => price[graph.tokenNumber.get(token) ?? -1] ?? Number.NaN
  const guess = (Number(amountOut) * priceOf(tokenOut)) / priceOf(tokenIn)
  const amountIn = Number.isFinite(guess) ? BigInt(Math.ceil(guess)) : amountOut
  return amountIn < LARGEST_INPUT ? amountIn || 1n : LARGEST_INPUT - 1n
}
