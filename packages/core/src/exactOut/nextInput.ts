/**
 * The next input to solve for while no route pays the wanted output: a guarded secant. Input: what
 * the solves so far found. Output: an input, or nothing if no input can be enough.
 */
import type { InputBound } from '../certificate/recomputeInputBound.js'
import type { ExactOutOrder, Order } from '../order.js'
import type { Solution } from '../solver/solve.js'

// While no route pays enough, the input grows by at least 1/32, then four times as much with each
// solve, and at most by 2^16: pools that are almost drained need far more input for the last wei.
const MIN_GROWTH = 32n
const GROWTH_BITS = 2n
const MAX_GROWTH = 1n << 16n
// No pool contract takes more.
export const LARGEST_INPUT = 1n << 128n
// The search for an input that a route can take stops at this fraction of the input.
const LIMIT_BITS = 10n

/** The state of the search while no route pays enough, in wei. */
export type Reached = {
  /** The largest input for which a route was found. */
  readonly low: bigint
  /** The least input that no route could take, or {@link LARGEST_INPUT}. */
  readonly high: bigint
  /** Any route that pays enough has at least this input, by the bounds so far. */
  readonly proven: bigint
  readonly mostOut: bigint
  readonly solves: bigint
}

/** Returns the state of the search after one more solve. */
export function withSolve(
  { low, high, proven, mostOut, solves }: Reached,
  { amountIn }: Order,
  found: { readonly solution: Solution | undefined; readonly bound: InputBound | undefined },
): Reached {
  const { solution, bound } = found
  if (!solution) {
    return { low, high: least(high, amountIn), proven, mostOut, solves: solves + 1n }
  }
  return {
    low: most(low, amountIn),
    high,
    proven: most(proven, bound ? leastInputBy(bound) : 0n),
    mostOut: most(mostOut, solution.amountOut),
    solves: solves + 1n,
  }
}

/**
 * The next input to solve for while no route pays enough: a step along the marginal price, within
 * the limits of growth, or half of the way to what no route can take. `undefined` if the bounds
 * prove that a route would need more than that, or at the limit of the pools.
 */
export function nextInput(
  { low, high, proven, solves }: Reached,
  { tokenIn, tokenOut, amountOut }: ExactOutOrder,
  solution: Solution | undefined,
): bigint | undefined {
  if (proven >= high || (high - low) << LIMIT_BITS <= low) return undefined
  if (high < LARGEST_INPUT) return between(low, high)
  const { prices = {}, amountOut: paid = 0n } = solution ?? {}
  const rate = Math.exp((prices[tokenIn] ?? Number.NaN) - (prices[tokenOut] ?? Number.NaN))
  const atRate = Number(amountOut - paid) / rate
  const furthest = low * MAX_GROWTH
  const step = atRate < Number(furthest) ? BigInt(Math.ceil(atRate)) : furthest
  const growth = (low << (GROWTH_BITS * solves)) / MIN_GROWTH + 1n
  return least(low + most(step, growth), high - 1n)
}

/** Any route that pays enough has at least this input: the least cost less the most gas. */
export function leastInputBy({ amount, gasCost, bound: { maxGas } }: InputBound): bigint {
  if (gasCost === 0) return amount
  // Without a limit of gas, a route may cost any part of it in gas.
  return Number.isFinite(maxGas) ? amount - BigInt(Math.ceil(maxGas * gasCost)) : 0n
}

/** The middle of two inputs: the geometric mean, roughly, if they are far apart. */
export function between(low: bigint, high: bigint): bigint {
  const bitsOf = (value: bigint) => value.toString(2).length
  const bits = bitsOf(low) + bitsOf(high)
  return high > low << 3n ? 1n << BigInt(bits >> 1) : (low + high) >> 1n
}

/** The lesser of two amounts. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
/** The larger of two amounts. */
export const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
