/**
 * Regula falsi, Illinois variant. Input: a bracket and an increasing function. Output: an
 * approximate root. A clearing price is such a root.
 */
import { CLEARING_STEPS } from '../tuning.js'

/**
 * Approximate root of an increasing function on [low, high]: a few steps of the Illinois variant,
 * which halves the value at an end that stays twice.
 */
export function rootBetween(low: number, high: number, netAt: (u: number) => number): number {
  let [atLow, atHigh] = [netAt(low), netAt(high)]
  const meet = () => low - (atLow * (high - low)) / (atHigh - atLow || 1)
  for (let n = 0, side = 0; n < CLEARING_STEPS && atLow < 0 && atHigh > 0; n++) {
    const middle = meet()
    const net = netAt(middle)
    if (net > 0) {
      high = middle
      atHigh = net
      if (side > 0) atLow /= 2
      side = 1
    } else {
      low = middle
      atLow = net
      if (side < 0) atHigh /= 2
      side = -1
    }
  }
  return meet()
}
