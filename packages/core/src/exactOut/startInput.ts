/**
 * The first input to solve for, by reference prices and single paths. Input: curve and order. Output: an input in wei
 * that some path can take.
 */
import { type Curve, LARGEST_INPUT } from '../curve/curve.js'
import type { Address } from '../hex.js'
import type { ExactOutOrder } from '../order.js'
import { explainFailure } from '../quote.js'
import { referenceOf } from '../reference/referencePrices.js'
import { solve } from '../solver/solve.js'
import { candidateOf } from './candidate.js'

// Powers of two, tried from the guess outwards if no route can take the guess.
const PROBES = Array.from({ length: 16 }, (_, i) => 8 * i)

/**
 * The first input to solve for. The best single path at the reference prices takes impact and fees
 * into account, and is much faster than a solve. Throws if there is no path for any input.
 */
export function startInput(curve: Curve, wanted: ExactOutOrder): bigint {
  const { graph, ends, options } = curve
  const guess = guessInput(curve, wanted)
  const bits = guess.toString(2).length
  const others = PROBES.toSorted((a, b) => Math.abs(a - bits) - Math.abs(b - bits))
  for (const amountIn of [guess, ...others.map((probe) => 1n << BigInt(probe))]) {
    const order = { ...ends, amountIn }
    // A search that stops at once returns the best single path.
    const path = solve(graph, order, { ...options, shouldStop: () => true })
    const sale = path && { order, ...path }
    if (sale) return candidateOf(curve, sale, wanted)?.bracket.high ?? amountIn
  }
  throw explainFailure(graph, { ...ends, amountIn: guess }, options)
}

/** The input that the reference prices give for the wanted amount. */
function guessInput({ graph }: Curve, { tokenIn, tokenOut, amountOut }: ExactOutOrder): bigint {
  const { price } = referenceOf(graph)
  const priceOf = (token: Address) => price[graph.tokenNumber.get(token) ?? -1] ?? Number.NaN
  const guess = (Number(amountOut) * priceOf(tokenOut)) / priceOf(tokenIn)
  const amountIn = Number.isFinite(guess) ? BigInt(Math.ceil(guess)) : amountOut
  return amountIn < LARGEST_INPUT ? amountIn || 1n : LARGEST_INPUT
}
