/**
 * Concentrated liquidity as a gain function over floats.
 *
 * The price may be a billionth of a tick from a tick at which liquidity changes by a factor of
 * 10¹². The difference of two such √prices has no correct digit in floats. Distances are therefore
 * computed in the contract's integers and converted once, so that every amount has 15 correct
 * digits.
 */
import { type Concentrated, firstAbove } from './concentrated.js'
import type { Pieces } from './pieces.js'
import { sqrtPriceAtStop } from './tickMath.js'

const Q96 = 2 ** 96
const HALF_LN_TICK = Math.log1p(1e-4) / 2

// The contract rounds the input of each step up by less than 2 wei, and float sums lose digits, so
// the limit is lowered by a billionth.
const LIMIT_MARGIN = 1e-9
// Relative error allowed for the float √price of a tick, far above the actual one at practical
// ticks.
const NEAR = 1e-9

/**
 * Output per input at the current price, before the fee. `undefined` if the next tick is so close
 * that floats cannot decide on which side of it the price is, because liquidity and price may
 * differ there.
 */
export function spotPrice(
  { sqrtPriceX96, tick }: Concentrated,
  zeroForOne: boolean,
): number | undefined {
  const s = Number(sqrtPriceX96) / Q96
  const sNext = Math.exp((zeroForOne ? tick : tick + 1) * HALF_LN_TICK)
  const distance = zeroForOne ? s - sNext : sNext - s
  if (!(distance > NEAR * s)) return undefined
  return zeroForOne ? s * s : 1 / (s * s)
}

/**
 * Concentrated liquidity as constant-product pieces between initialised ticks, from the current
 * price outwards.
 *
 * With s = √price of token 0 in token 1, liquidity L, and a range from s to s′:
 *
 *   selling token 0:  X = L/s   p = s²     in = L·|s − s′|/(s·s′)   out = L·|s − s′|
 *   selling token 1:  X = L·s   p = 1/s²   in = L·|s − s′|          out = L·|s − s′|/(s·s′)
 */
export function concentratedPieces(
  pool: Concentrated,
  zeroForOne: boolean,
  feePpm: number,
): Pieces {
  const γ = 1 - feePpm / 1e6
  const startIn: number[] = [0]
  const startOut: number[] = [0]
  const price: number[] = []
  const reserveIn: number[] = []
  let sX96 = pool.sqrtPriceX96
  let liquidity = pool.liquidity
  for (const tick of ticksAhead(pool, zeroForOne)) {
    const nextX96 = sqrtPriceAtStop(tick.index)
    const widthX96 = zeroForOne ? sX96 - nextX96 : nextX96 - sX96
    if (liquidity > 0n && widthX96 > 0n) {
      const [L, s, sNext] = [Number(liquidity), Number(sX96) / Q96, Number(nextX96) / Q96]
      const amount1 = L * (Number(widthX96) / Q96)
      const amount0 = amount1 / s / sNext
      price.push(zeroForOne ? s * s : 1 / (s * s))
      reserveIn.push(zeroForOne ? L / s : L * s)
      startIn.push(startIn.at(-1)! + (zeroForOne ? amount0 : amount1) / γ)
      startOut.push(startOut.at(-1)! + (zeroForOne ? amount1 : amount0))
    }
    liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet
    sX96 = nextX96
  }
  const last = startIn.length - 1
  const end = startIn[last]! * (1 - LIMIT_MARGIN)
  startIn[last] = Math.max(Math.min(startIn[last - 1] ?? 0, end), end - 2 * pool.ticks.length)
  // If the last range is narrower than the margin, the ranges before it end earlier too.
  for (let j = last - 1; j > 0 && startIn[j]! > startIn[last]!; j--) startIn[j] = startIn[last]!
  return {
    γ,
    startIn: Float64Array.from(startIn),
    startOut: Float64Array.from(startOut),
    price: Float64Array.from(price),
    reserveIn: Float64Array.from(reserveIn),
  }
}

/**
 * Input before the fee and output of the trade that lowers the price by the part `fall`;
 * `undefined` if the liquidity ends before. In floats, for a price that {@link spotPrice} knows.
 *
 * With r = √price of the token in, in the token out, a range from r to r′ takes L·(r − r′)/(r·r′) and
 * pays L·(r − r′) in both directions.
 */
export function concentratedDepth(
  pool: Concentrated,
  zeroForOne: boolean,
  fall: number,
): { readonly amountIn: number; readonly amountOut: number } | undefined {
  const s = Number(pool.sqrtPriceX96) / Q96
  const step = zeroForOne ? -1 : 1
  let r = zeroForOne ? s : 1 / s
  const last = r * Math.sqrt(1 - fall)
  let liquidity = Number(pool.liquidity)
  let amountIn = 0
  let amountOut = 0
  const first = firstAbove(pool, pool.tick) - (zeroForOne ? 1 : 0)
  for (let at = first; at >= 0 && at < pool.ticks.length; at += step) {
    const tick = pool.ticks[at]!
    const end = Math.max(last, Math.exp(-step * tick.index * HALF_LN_TICK))
    const out = liquidity * (r - end)
    amountOut += out
    amountIn += out / (r * end)
    if (end === last) return { amountIn, amountOut }
    liquidity += step * Number(tick.liquidityNet)
    r = end
  }
  return undefined
}

function ticksAhead(pool: Concentrated, zeroForOne: boolean) {
  return zeroForOne
    ? pool.ticks.filter((tick) => tick.index <= pool.tick).reverse()
    : pool.ticks.filter((tick) => tick.index > pool.tick)
}
