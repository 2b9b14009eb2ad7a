/**
 * The least input with which planned hops pay a wanted output: a bracketed root search (Illinois,
 * then bisection) over exact integer replays. Input: hops, their ends and the output wanted. Output:
 * two neighbouring inputs, of which only the larger one pays enough.
 */
import type { Address } from '../hex.js'
import { amountOutOf, type PlannedHop } from '../replay.js'

/** Hops whose input is searched: at a given input they pay less than `amountOut`, or enough. */
export type Target = {
  readonly hops: readonly PlannedHop[]
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Wei wanted of the token out. */
  readonly amountOut: bigint
}

/** Two inputs in wei: the hops pay too little for `low` and enough for `high`. */
export type Bracket = { readonly low: bigint; readonly high: bigint }

// Shares found for one input are of little use for an input this many times as large.
const LARGEST_FACTOR = 256n
const SEARCHES_FOR_LIMIT = 12
// Secant steps that may leave more than half of a bracket. After them it is halved: then outputs
// rise in steps, as they do behind a token with few units, and a secant tells nothing.
const MAX_POOR_STEPS = 6

/**
 * A bracket of the least input, searched from `amountIn` outwards; `undefined` if the hops cannot
 * pay the amount wanted for any input up to {@link LARGEST_FACTOR} times `amountIn`.
 */
export function findBracket(target: Target, amountIn: bigint): Bracket | undefined {
  return isEnough(target, amountIn)
    ? bracketBelow(target, amountIn)
    : bracketAbove(target, amountIn)
}

function bracketBelow(target: Target, amountIn: bigint): Bracket {
  let high = amountIn
  for (let step = amountIn >> 12n || 1n; ; step *= 4n) {
    const low = high - step
    if (low <= 0n) return { low: 0n, high }
    if (!isEnough(target, low)) return { low, high }
    high = low
  }
}

function bracketAbove(target: Target, amountIn: bigint): Bracket | undefined {
  const most = LARGEST_FACTOR * amountIn
  let low = amountIn
  for (let step = amountIn >> 12n || 1n; low < most; step *= 4n) {
    const high = low + step
    const paid = outputOf(target, high)
    if (paid === undefined) return bracketBeforeLimit(target, { low, high })
    if (paid >= target.amountOut) return { low, high }
    low = high
  }
  return undefined
}

/** The pools of the hops are full before `high`: halves the distance until an input pays enough. */
function bracketBeforeLimit(target: Target, { low, high }: Bracket): Bracket | undefined {
  let [from, to] = [low, high]
  for (let n = 0; n < SEARCHES_FOR_LIMIT && to - from > 1n; n++) {
    const middle = (from + to) >> 1n
    const paid = outputOf(target, middle)
    if (paid === undefined) to = middle
    else if (paid >= target.amountOut) return { low: from, high: middle }
    else from = middle
  }
  return undefined
}

/**
 * Narrows a bracket to at most `width` wei. With a width of 1, `high − 1` pays too little: rounding
 * may let `high` pay more than wanted, but no smaller input next to it pays enough.
 */
export function narrow(target: Target, bracket: Bracket, width: bigint): Bracket {
  let { low, high } = bracket
  // Surpluses at the ends. An end that stays twice in a row counts half of its surplus, or the other
  // end would approach it forever (Illinois).
  let [below, above] = [surplusOf(target, low), surplusOf(target, high)]
  let side = 0
  for (let poor = 0; high - low > width; ) {
    const distance = high - low
    const part = poor > MAX_POOR_STEPS ? 0.5 : below / (below - above)
    const step = BigInt(Math.round(Number(distance) * part))
    const middle = clamp(low + step, low + 1n, high - 1n)
    const surplus = surplusOf(target, middle)
    if (surplus > 0) {
      ;[high, above] = [middle, surplus]
      if (side > 0) below /= 2
    } else {
      ;[low, below] = [middle, surplus]
      if (side < 0) above /= 2
    }
    side = Math.sign(surplus)
    if (2n * (high - low) > distance) poor++
  }
  return { low, high }
}

/**
 * Output above the wanted one, in wei, plus one half, so that exactly enough is positive and a
 * bracket whose ends pay neighbouring amounts is halved.
 */
function surplusOf(target: Target, amountIn: bigint): number {
  return Number((outputOf(target, amountIn) ?? 0n) - target.amountOut) + 0.5
}

function isEnough(target: Target, amountIn: bigint): boolean {
  return (outputOf(target, amountIn) ?? 0n) >= target.amountOut
}

function outputOf(target: Target, amountIn: bigint): bigint | undefined {
  const { hops, tokenIn, tokenOut } = target
  return amountIn > 0n ? amountOutOf(hops, { tokenIn, tokenOut, amountIn }) : undefined
}

function clamp(value: bigint, least: bigint, most: bigint): bigint {
  return value < least ? least : value > most ? most : value
}
