/** Liquidity between two ticks, which must be multiples of the pool's tick spacing. */
export type Position = {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

const Q96 = 2 ** 96
const MAX_TICK = 887272

/**
 * Wei of token0 and token1 that a position needs at a price, with a tiny margin. Floats are precise
 * enough, because the contract derives the liquidity from the actual amounts.
 */
export function amountsOf(position: Position, sqrtPriceX96: bigint): readonly [bigint, bigint] {
  const { tickLower, tickUpper, liquidity } = position
  const unit = amountsOfUnit({ tickLower, tickUpper }, Number(sqrtPriceX96) / Q96)
  return [spare(unit[0] * Number(liquidity)), spare(unit[1] * Number(liquidity))]
}

/**
 * Wei of each token in one unit of liquidity between two ticks, at √price s.
 * amount0 = 1/s − 1/s_upper, amount1 = s − s_lower, s clamped to the range   (Uniswap v3 whitepaper, 6.29 and 6.30)
 */
export function amountsOfUnit(
  range: { readonly tickLower: number; readonly tickUpper: number },
  sqrtPrice: number,
): readonly [number, number] {
  const [low, high] = [sqrtAtTick(range.tickLower), sqrtAtTick(range.tickUpper)]
  const s = Math.min(Math.max(sqrtPrice, low), high)
  return [1 / s - 1 / high, s - low]
}

// Math.log(1.0001) loses five digits to rounding, and a narrow position loses two more.
const HALF_LN_TICK = Math.log1p(1e-4) / 2

/** √price at a tick, as a float. */
function sqrtAtTick(tick: number): number {
  return Math.exp(tick * HALF_LN_TICK)
}

/** √price·2⁹⁶ of a price in wei of token1 per wei of token0, with float precision. */
export function toSqrtPriceX96(price: number): bigint {
  return BigInt(Math.floor(Math.sqrt(price) * Q96))
}

/** The widest range of a position at a tick spacing. */
export function fullRange(tickSpacing: number): { tickLower: number; tickUpper: number } {
  const tickUpper = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  return { tickLower: -tickUpper, tickUpper }
}

function spare(amount: number): bigint {
  return amount === 0 ? 0n : BigInt(Math.ceil(amount * (1 + 4e-12))) + 1n
}
