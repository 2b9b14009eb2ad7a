// The arbitrage left falls with the square of what the price is off by.
const STEPS = 3

/**
 * Where a rising function is nought between two points, below nought at `low` and above at `high`, as
 * near as a few steps of regula falsi come (Illinois' way: an end that stays counts half).
 */
export function crossing(low: number, high: number, netAt: (u: number) => number): number {
  let [atLow, atHigh] = [netAt(low), netAt(high)]
  const meet = () => low - (atLow * (high - low)) / (atHigh - atLow || 1)
  for (let n = 0, side = 0; n < STEPS && atLow < 0 && atHigh > 0; n++) {
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
