import type { Concentrated } from './concentrated.js'
import type { Pieces } from './pieces.js'

const Q96 = 2 ** 96
// √price at a tick is e^(tick · ln(1.0001)/2); a power of the rounded base would lose five digits.
const HALF_LN_TICK = Math.log1p(1e-4) / 2

// The exact walk rounds every step's input up by less than 2 wei and floats lose some digits of
// the sum, so the last billionth is left unpromised.
const LIMIT_MARGIN = 1e-9

/**
 * Output per input at the current price, before the fee; `undefined` where floats cannot tell the
 * price from the next tick ahead, past which liquidity and price may be others.
 */
export function spotPrice(
  { sqrtPriceX96, tick }: Concentrated,
  zeroForOne: boolean,
): number | undefined {
  const s = Number(sqrtPriceX96) / Q96
  const sNext = Math.exp((zeroForOne ? tick : tick + 1) * HALF_LN_TICK)
  if (!hasWidth(s, sNext, zeroForOne)) return undefined
  return zeroForOne ? s * s : 1 / (s * s)
}

/** Whether a range of √prices takes any input. Floats may put a tick that the price stands on to its other side. */
function hasWidth(s: number, sNext: number, zeroForOne: boolean): boolean {
  return zeroForOne ? 1 / sNext > 1 / s : sNext > s
}

/**
 * Concentrated liquidity as constant-product pieces between initialised ticks, from the current
 * price outwards.
 *
 * With s = √price of token 0 in token 1 and liquidity L, selling token 0 has X = L/s and p = s²,
 * selling token 1 has X = L·s and p = 1/s².
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
  let s = Number(pool.sqrtPriceX96) / Q96
  let liquidity = pool.liquidity
  for (const tick of ticksAhead(pool, zeroForOne)) {
    const sNext = Math.exp(tick.index * HALF_LN_TICK)
    const L = Number(liquidity)
    if (L > 0 && hasWidth(s, sNext, zeroForOne)) {
      const X = zeroForOne ? L / s : L * s
      const dIn = (zeroForOne ? L * (1 / sNext - 1 / s) : L * (sNext - s)) / γ
      const dOut = zeroForOne ? L * (s - sNext) : L * (1 / s - 1 / sNext)
      price.push(zeroForOne ? s * s : 1 / (s * s))
      reserveIn.push(X)
      startIn.push(startIn.at(-1)! + dIn)
      startOut.push(startOut.at(-1)! + dOut)
    }
    liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet
    s = sNext
  }
  const last = startIn.length - 1
  startIn[last] = Math.max(
    startIn[last - 1] ?? 0,
    startIn[last]! * (1 - LIMIT_MARGIN) - 2 * pool.ticks.length,
  )
  return {
    γ,
    startIn: Float64Array.from(startIn),
    startOut: Float64Array.from(startOut),
    price: Float64Array.from(price),
    reserveIn: Float64Array.from(reserveIn),
  }
}

function ticksAhead(pool: Concentrated, zeroForOne: boolean) {
  return zeroForOne
    ? pool.ticks.filter((tick) => tick.index <= pool.tick).reverse()
    : pool.ticks.filter((tick) => tick.index > pool.tick)
}
