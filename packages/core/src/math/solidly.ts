import { TWO_256 } from './fullMath.js'

/**
 * The invariant x³y + xy³ in the integers of Solidly's pairs. x and y are reserves scaled to 18
 * decimals, and every product is a uint256: an overflow, a division by zero or a negative result
 * returns {@link REVERTS}.
 */

/** Marks a revert; no amount is negative. */
export const REVERTS = -1n

const WAD = 10n ** 18n
const MAX_STEPS = 255

/** A reserve and 10^decimals of its token. */
export type StableSide = { readonly reserve: bigint; readonly unit: bigint }

/** The y at which the invariant with x0 is `xy`, searched from `y`; or {@link REVERTS}. */
export type SolveY = (x0: bigint, xy: bigint, y: bigint) => bigint

/** The invariant: ⌊⌊xy⌋·(⌊x²⌋ + ⌊y²⌋)⌋, each ⌊·⌋ a division by 10¹⁸; or {@link REVERTS}. */
export function stableInvariant(one: StableSide, two: StableSide): bigint {
  const x = scale(one.reserve, one.unit)
  const y = scale(two.reserve, two.unit)
  return x < 0n || y < 0n ? REVERTS : invariantOf(x, y)
}

/** The quote of a stable pair's own code for an input net of its fee; or {@link REVERTS}. */
export function stableAmountOut(
  input: StableSide,
  output: StableSide,
  { amountIn, solveY }: { readonly amountIn: bigint; readonly solveY: SolveY },
): bigint {
  const xy = stableInvariant(input, output)
  const scaledIn = scale(amountIn, input.unit)
  if (xy < 0n || scaledIn < 0n) return REVERTS
  const reserveOut = scale(output.reserve, output.unit)
  const y = solveY(scaledIn + scale(input.reserve, input.unit), xy, reserveOut)
  if (y < 0n || y > reserveOut) return REVERTS
  const scaledOut = (reserveOut - y) * output.unit
  return scaledOut < TWO_256 ? scaledOut / WAD : REVERTS
}

/** The quote of a pair if its own check accepts it, else a wei less, which is asked for then; else `0n`. */
export function payableOut(
  [input, output]: readonly [StableSide, StableSide],
  swap: { readonly isStable: boolean; readonly amountIn: bigint; readonly quoted: bigint },
): bigint {
  const { isStable, amountIn, quoted } = swap
  for (const amountOut of [quoted, quoted - 1n]) {
    if (amountOut <= 0n || amountOut >= output.reserve) continue
    if (keepsInvariant([input, output], { isStable, amountIn, amountOut })) return amountOut
  }
  return 0n
}

/** Returns whether a pair's own check accepts `amountOut` for an input net of its fee. */
function keepsInvariant(
  [input, output]: readonly [StableSide, StableSide],
  swap: { readonly isStable: boolean; readonly amountIn: bigint; readonly amountOut: bigint },
): boolean {
  const reserveIn = input.reserve + swap.amountIn
  const reserveOut = output.reserve - swap.amountOut
  if (reserveOut < 0n) return false
  if (!swap.isStable) {
    const after = reserveIn * reserveOut
    return after < TWO_256 && after >= input.reserve * output.reserve
  }
  const before = stableInvariant(input, output)
  const after = stableInvariant(
    { reserve: reserveIn, unit: input.unit },
    { reserve: reserveOut, unit: output.unit },
  )
  return before >= 0n && after >= before
}

/** Newton's method of the original Solidly: it ends when y changes by at most 1. */
export const solveYOriginal: SolveY = (x0, xy, y) => {
  let now = y
  for (let step = 0; step < MAX_STEPS; step++) {
    const k = sumOfTerms(x0, now)
    const move = stepOf({ x0, xy, y: now, k })
    if (move < 0n) return REVERTS
    const next = k < xy ? now + move : now - move
    if (next < 0n) return REVERTS
    if (move <= 1n) return next
    now = next
  }
  return now
}

/**
 * Newton's method of Velodrome v2: if the step is 0 it tries the neighbouring y, returns the least
 * y whose invariant is not below `xy`, and reverts if it does not find one.
 */
export const solveYVelodrome: SolveY = (x0, xy, y) => {
  let now = y
  for (let step = 0; step < MAX_STEPS; step++) {
    const k = invariantOf(x0, now)
    let move = stepOf({ x0, xy, y: now, k })
    if (move < 0n) return REVERTS
    if (move === 0n) {
      if (k === xy) return now
      const neighbour =
        k < xy ? invariantOf(x0, now + 1n) : now === 0n ? REVERTS : invariantOf(x0, now - 1n)
      if (neighbour < 0n) return REVERTS
      if (k < xy && neighbour > xy) return now + 1n
      if (k > xy && neighbour < xy) return now
      move = 1n
    }
    now = k < xy ? now + move : now - move
    if (now < 0n) return REVERTS
  }
  return REVERTS
}

// ⌊|k − xy|·10¹⁸ / d⌋ with d = ∂k/∂y = 3·x·y² + x³.
function stepOf({ x0, xy, y, k }: Record<'x0' | 'xy' | 'y' | 'k', bigint>): bigint {
  if (k < 0n) return REVERTS
  const distance = (k < xy ? xy - k : k - xy) * WAD
  const squares = 3n * x0 * ((y * y) / WAD)
  const cube = ((x0 * x0) / WAD) * x0
  const slope = squares / WAD + cube / WAD
  if (slope === 0n || max(distance, squares, cube) >= TWO_256) return REVERTS
  return distance / slope
}

// x·y³ + x³·y, floored after each product: `invariantOf` floors at other places.
function sumOfTerms(x: bigint, y: bigint): bigint {
  const xCubed = ((x * x) / WAD) * x
  const yCubed = ((y * y) / WAD) * y
  const one = x * (yCubed / WAD)
  const two = (xCubed / WAD) * y
  if (max(x * x, y * y, xCubed, yCubed, one, two) >= TWO_256) return REVERTS
  return one / WAD + two / WAD
}

function invariantOf(x: bigint, y: bigint): bigint {
  const product = (x * y) / WAD
  const squares = (x * x) / WAD + (y * y) / WAD
  if (max(x * x, y * y, x * y, product * squares) >= TWO_256) return REVERTS
  return (product * squares) / WAD
}

function scale(amount: bigint, unit: bigint): bigint {
  const scaled = amount * WAD
  return scaled < TWO_256 ? scaled / unit : REVERTS
}

function max(...values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n)
}
