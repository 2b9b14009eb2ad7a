// Curves of pools of several coins whose fee depends on their balances.

import { inputAtOf, outOf, priceOf } from '../math/pieces.js'
import { NO_PIECES } from '../math/scaledGain.js'
import { type SmoothGain, smoothHullOf } from '../math/smoothHull.js'
import { steepEnvelopeOf } from '../math/steepEnvelope.js'
import type { Curve, Direction } from './family.js'

/** A function that builds the curve of each direction of a pool once, because a hull takes many evaluations. */
export function onceEach<P extends object>(build: (pool: P, direction: Direction) => Curve) {
  const curves = new WeakMap<P, Map<number, Curve>>()
  return (pool: P, direction: Direction): Curve => {
    const made = curves.get(pool) ?? new Map<number, Curve>()
    curves.set(pool, made)
    const key = MAX_COINS * direction.in + direction.out
    const curve = made.get(key) ?? build(pool, direction)
    made.set(key, curve)
    return curve
  }
}

const MAX_COINS = 8

/** The gain of a swap in common units up to a limit in wei, as a smooth one in wei. */
export type UnitGain = Pick<SmoothGain, 'limit' | 'reserveIn'> & {
  readonly unitIn: number
  readonly unitOut: number
  readonly swapAt: (a: number) => { readonly out: number; readonly price: number }
}

/** The concave hull of a gain. */
export function hullOfSwaps({ unitIn, unitOut, swapAt, ...scales }: UnitGain) {
  const at = (x: number) => Math.min(Math.max(x, 0), scales.limit) / unitIn
  return smoothHullOf({
    out: (x) => unitOut * swapAt(at(x)).out,
    price: (x) => (unitOut / unitIn) * swapAt(at(x)).price,
    ...scales,
  })
}

/** A hull as constant-product pieces from above. */
export function curveOfHull(
  { limit, price, isBridged }: ReturnType<typeof smoothHullOf>,
  { reserveIn, extraIn }: { readonly reserveIn: number; readonly extraIn: number },
): Curve {
  const pieces = limit === 0 ? NO_PIECES : steepEnvelopeOf({ price, limit, reserveIn })
  return {
    out: (x) => outOf(pieces, x),
    price: (x) => priceOf(pieces, x),
    inputAt: (p) => inputAtOf(pieces, p),
    ...{ limit, extraIn, pieces },
    ...(isBridged && { isHull: true as const }),
  }
}
