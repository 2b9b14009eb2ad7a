// A Liquidity Book pair as lines of constant price, one per bin.

import { majorantOf } from '../../math/hull.js'
import { type Line, piecesOfLines } from '../../math/piecewiseLinear.js'
import type { Curve, Direction } from '../family.js'
import { piecesCurve } from '../piecesCurve.js'
import { quotasOf } from './bins.js'
import { roomOf, swapOf } from './exact.js'
import type { LiquidityBookPool } from './pool.js'
import { BIN_GAS } from './swap.js'

const SCALE = 2 ** 128
// A double just below one, so that rounding to a float never exceeds the last bin.
const JUST_BELOW_ONE = 1 - 2 ** -52

/**
 * One line per bin, as long as the input that empties the bin, with the bin's price after its fee
 * as slope. The pair never pays more, because it rounds in its own favour. If the fee falls from
 * bin to bin faster than the price, on the way back to the reference bin, it is the concave hull.
 */
export function toCurve(pool: LiquidityBookPool, direction: Direction): Curve {
  const i = direction.in as 0 | 1
  let built: Built | undefined
  const build = () => {
    built ??= buildLines(pool, i)
    return built
  }
  const curve = piecesCurve(undefined, () => piecesOfLines(build().lines))
  const length = Math.log1p(pool.binStep / 10_000)
  // Prices of bins lie whole lengths apart. A half is the margin for rounding and for the fee, which differs between bins.
  const intervals = { gas: BIN_GAS, length, passed: length / 2 }
  // Assigned to the curve, not copied from it, because its getters build the pieces.
  Object.defineProperty(curve, 'isHull', { get: () => build().isHull, enumerable: true })
  return Object.assign(curve, { intervals })
}

/** The average fee of a swap over its bins; that of the first bin if the pair refuses the amount. */
export function feeRate(
  pool: LiquidityBookPool,
  direction: Direction,
  amountIn: bigint,
): number | undefined {
  const swap = swapOf(pool, direction, amountIn)
  if (swap) {
    const fees = swap.parts.map(({ amountIn: part, fee }) => Number(part) * Number(fee))
    return fees.reduce((a, b) => a + b) / Number(amountIn) / 1e18
  }
  const [first] = quotasOf(pool, direction.in as 0 | 1)
  return first && Number(first.fee) / 1e18
}

function isFalling(lines: readonly Line[]): boolean {
  return lines.every(({ price }, k) => k === 0 || price < lines[k - 1]!.price)
}

type Built = { readonly lines: readonly Line[]; readonly isHull: true | undefined }

function buildLines(pool: LiquidityBookPool, i: 0 | 1): Built {
  const quotas = [...quotasOf(pool, i)]
  const all = quotas.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const room = roomOf(pool, i)
  const limit = Number(all < room ? all : room) * JUST_BELOW_ONE
  let end = 0n
  const lines = quotas.map(({ amountIn, price, fee }): Line => {
    end += amountIn
    const spot = i === 0 ? Number(price) / SCALE : SCALE / Number(price)
    return { end: Math.min(Number(end), limit), price: spot * (1 - Number(fee) / 1e18) }
  })
  const concave = majorantOf(lines)
  return { lines: concave, isHull: isFalling(lines) ? undefined : true }
}
