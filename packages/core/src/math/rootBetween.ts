/**
 * Approximate root of an increasing function on [low, high]: at most so many steps of regula falsi, Illinois variant,
 * which halves the value at an end that stays twice. They end early where less than a `part` of the values at both
 * ends is left. If the function has one sign, where the line through both ends meets zero.
 */
export function rootBetween(
  [low, high]: readonly [number, number],
  steps: number,
  part: number,
  valueAt: (x: number) => number,
): number {
  let [a, b] = [low, high]
  let [atA, atB] = [valueAt(a), valueAt(b)]
  const enough = part * Math.min(-atA, atB)
  const meet = () => a - (atA * (b - a)) / (atB - atA || 1)
  for (let n = 0, side = 0; n < steps && atA < 0 && atB > 0; n++) {
    const middle = meet()
    const value = valueAt(middle)
    if (Math.abs(value) < enough) return middle
    if (value > 0) {
      ;[b, atB] = [middle, value]
      if (side > 0) atA /= 2
      side = 1
    } else {
      ;[a, atA] = [middle, value]
      if (side < 0) atB /= 2
      side = -1
    }
  }
  return meet()
}
