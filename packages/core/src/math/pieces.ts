/**
 * A gain function made of constant-product pieces, the float form of a pool: a pair is one piece,
 * concentrated liquidity has one piece per range between initialised ticks.
 *
 * Symbols: γ = 1 − fee; piece j begins after inputs In_j and outputs Out_j at marginal price p_j
 * (before the fee) with virtual reserve X_j of the token in.
 *
 *   h(x)  = Out_j + γ·d·p_j / (1 + γ·d/X_j)         d = x − In_j
 *   h′(x) = γ·p_j / (1 + γ·d/X_j)²
 *   x(p)  = In_j + X_j·(√(γ·p_j/p) − 1) / γ
 *
 * These forms never subtract nearly equal numbers, so small inputs keep their precision.
 */
export type Pieces = {
  readonly γ: number
  /** Total input at which piece j begins, ascending; the last of n + 1 entries is the limit. */
  readonly startIn: Float64Array
  readonly startOut: Float64Array
  /** Marginal price at the beginning of piece j, before the fee; decreases from piece to piece. */
  readonly price: Float64Array
  readonly reserveIn: Float64Array
}

/** h(x); constant beyond the limit. */
export function outOf(pieces: Pieces, x: number): number {
  const n = pieces.price.length
  if (!(x > 0) || n === 0) return 0
  if (x >= pieces.startIn[n]!) return pieces.startOut[n]!
  return outWithin(pieces, pieceAt(pieces, x), x)
}

/** The same for an input that ends in piece j. */
function outWithin(pieces: Pieces, j: number, x: number): number {
  const γd = pieces.γ * (x - pieces.startIn[j]!)
  return pieces.startOut[j]! + (γd * pieces.price[j]!) / (1 + γd / pieces.reserveIn[j]!)
}

/** h′(x); beyond the limit, the value at the limit. */
export function priceOf(pieces: Pieces, x: number): number {
  if (pieces.price.length === 0) return 0
  const clamped = Math.min(Math.max(x, 0), limitOf(pieces))
  const j = pieceAt(pieces, clamped)
  const γd = pieces.γ * (clamped - pieces.startIn[j]!)
  return (pieces.γ * pieces.price[j]!) / (1 + γd / pieces.reserveIn[j]!) ** 2
}

/** The input at which the marginal price has fallen to `price`, clamped to [0, limit]. */
export function inputAtOf(pieces: Pieces, price: number): number {
  const j = pieceAbove(pieces, price)
  return j < 0 ? 0 : inputWithin(pieces, j, price)
}

/** The same where piece j is the last that begins above the price. */
function inputWithin(pieces: Pieces, j: number, price: number): number {
  const { γ, startIn } = pieces
  const ratio = (γ * pieces.price[j]!) / price
  if (!Number.isFinite(ratio)) return limitOf(pieces)
  // √r − 1 = (r − 1) / (√r + 1) avoids cancellation for small moves.
  const d = (pieces.reserveIn[j]! * (ratio - 1)) / (1 + Math.sqrt(ratio)) / γ
  return Math.min(startIn[j]! + d, startIn[j + 1]!)
}

/**
 * The output of a trade until the marginal price has fallen to `price`, with that of pieces without a
 * width: a curve may end some wei before its pool does, and a bound has to count what the pool pays.
 */
export function outputUntil(pieces: Pieces, price: number): number {
  const j = pieceAbove(pieces, price)
  if (j < 0) return 0
  const x = inputWithin(pieces, j, price)
  return x >= pieces.startIn[j + 1]! ? pieces.startOut[j + 1]! : outWithin(pieces, j, x)
}

/** The input that brings `amountOut`; the limit where none brings as much. */
export function inputForOf(
  { γ, startIn, startOut, price, reserveIn }: Pieces,
  amountOut: number,
): number {
  const n = price.length
  if (!(amountOut < startOut[n]!)) return startIn[n]!
  let j = n - 1
  while (j > 0 && startOut[j]! > amountOut) j--
  // From y = γd·p / (1 + γd/X).
  const left = Math.max(0, amountOut - startOut[j]!)
  const γd = left / (price[j]! - left / reserveIn[j]!)
  return Math.min(startIn[j]! + γd / γ, startIn[j + 1]!)
}

/** The largest input of the pieces. */
export function limitOf(pieces: Pieces): number {
  return pieces.startIn[pieces.price.length] ?? 0
}

/** The pieces up to an input; the same if they end before it. */
export function cutPieces(pieces: Pieces, limit: number): Pieces {
  if (limit >= limitOf(pieces)) return pieces
  const count = limit > 0 ? pieceAt(pieces, limit) + 1 : 0
  const ends = { in: count > 0 ? [limit] : [0], out: count > 0 ? [outOf(pieces, limit)] : [0] }
  return {
    ...pieces,
    startIn: Float64Array.of(...pieces.startIn.subarray(0, count), ...ends.in),
    startOut: Float64Array.of(...pieces.startOut.subarray(0, count), ...ends.out),
    price: pieces.price.slice(0, count),
    reserveIn: pieces.reserveIn.slice(0, count),
  }
}

/** The first `count` pieces, which share their numbers with the whole. */
export function firstPieces(pieces: Pieces, count: number): Pieces {
  if (count >= pieces.price.length) return pieces
  return {
    γ: pieces.γ,
    startIn: pieces.startIn.subarray(0, count + 1),
    startOut: pieces.startOut.subarray(0, count + 1),
    price: pieces.price.subarray(0, count),
    reserveIn: pieces.reserveIn.subarray(0, count),
  }
}

/** Index of the last piece that begins at a marginal price above `price`, −1 if none does. */
export function pieceAbove(pieces: Pieces, price: number): number {
  let low = 0
  let high = pieces.price.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces.γ * pieces.price[middle]! > price) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Index of the piece in which input x ends. */
export function pieceAt(pieces: Pieces, x: number): number {
  let low = 0
  let high = pieces.price.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (pieces.startIn[middle]! <= x) low = middle
    else high = middle - 1
  }
  return low
}

/** The last piece before input x that begins with a fall of the price by more than a part of it; 0 if none does. */
export function cornerBefore(
  { γ, startIn, price, reserveIn }: Pieces,
  x: number,
  part: number,
): number {
  let j = price.length - 1
  while (j > 0 && startIn[j]! >= x) j--
  const fallenTo = (k: number) =>
    price[k]! / (1 + (γ * (startIn[k + 1]! - startIn[k]!)) / reserveIn[k]!) ** 2
  while (j > 0 && price[j]! > fallenTo(j - 1) * (1 - part)) j--
  return j
}
