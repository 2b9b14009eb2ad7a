// The concave hull of a smooth gain function that is not concave everywhere, as a marginal price
// that never rises: where the function bends upwards, or falls before it rises again, a straight line
// bridges it. The hull ends at the largest output.

/** A smooth gain function with its derivative, and the scales of its input. */
export type SmoothGain = {
  readonly out: (amountIn: number) => number
  readonly price: (amountIn: number) => number
  readonly limit: number
  readonly reserveIn: number
}

/** The first sample as a part of the reserve, and the ratio of one sample to the one before. */
const FIRST_SAMPLE = 1e-4
const SAMPLE_RATIO = 1.15
// A bridge is counted if its slope differs from the chord beside it by more than this.
const BENT = 1e-9
// The price in the last segment, as a part of its slope, is not less: the function ends there.
const MIN_END_PRICE = 1e-3

type Sample = { readonly x: number; readonly y: number; readonly at: number }

/**
 * The hull over samples a constant ratio apart. Between samples that are neighbours on the hull the
 * function's own price holds, limited by the slopes beside it; over samples that the hull leaves out,
 * the slope of the bridge.
 */
export function smoothHullOf({ out, price, limit, reserveIn }: SmoothGain): {
  readonly price: (amountIn: number) => number
  /** The input that pays most. */
  readonly limit: number
  readonly isBridged: boolean
} {
  const samples: Sample[] = [{ x: 0, y: 0, at: 0 }]
  for (let x = Math.min(reserveIn * FIRST_SAMPLE, limit); x > 0; x *= SAMPLE_RATIO) {
    const end = Math.min(x, limit)
    const y = out(end)
    samples.push({ x: end, y, at: samples.length })
    if (end === limit) break
  }
  const hull = concave(risingOf(samples))
  const slopes = hull.slice(1).map(({ x, y }, k) => (y - hull[k]!.y) / (x - hull[k]!.x))
  const isBridge = hull.slice(1).map(({ at }, k) => at > hull[k]!.at + 1)
  const first = isBridge[0] ? slopes[0]! : Math.max(price(0), slopes[0] ?? 0)
  const priceAt = (x: number): number => {
    const k = Math.max(0, Math.min(slopes.length - 1, segmentAt(hull, x)))
    if (slopes.length === 0) return price(x)
    if (isBridge[k]) return slopes[k]!
    const most = k === 0 ? first : slopes[k - 1]!
    const least = slopes[k + 1] ?? slopes[k]! * MIN_END_PRICE
    return Math.min(most, Math.max(least, price(x)))
  }
  const isBridged = isBridge.some((bridge, k) => bridge && isBent(samples, hull, k))
  return { price: priceAt, limit: hull.at(-1)!.x, isBridged }
}

/** The samples that are above all before them. */
function risingOf(samples: readonly Sample[]): readonly Sample[] {
  let most = -1
  return samples.filter(({ y }) => {
    if (!(y > most)) return false
    most = y
    return true
  })
}

function concave(samples: readonly Sample[]): readonly Sample[] {
  const hull: Sample[] = []
  for (const next of samples) {
    while (hull.length > 1 && !isAbove(hull.at(-2)!, hull.at(-1)!, next)) hull.pop()
    hull.push(next)
  }
  return hull
}

function isAbove(from: Sample, middle: Sample, to: Sample): boolean {
  return (middle.y - from.y) * (to.x - from.x) > (to.y - from.y) * (middle.x - from.x)
}

/** Returns whether the function falls short of a bridge by more than the rounding of floats. */
function isBent(samples: readonly Sample[], hull: readonly Sample[], k: number): boolean {
  const [from, to] = [hull[k]!, hull[k + 1]!]
  return samples.slice(from.at + 1, to.at).some(({ x, y }) => {
    const line = from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x)
    return line - y > BENT * line
  })
}

/** The last segment that begins at or before x. */
function segmentAt(hull: readonly Sample[], x: number): number {
  let [low, high] = [0, hull.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (hull[middle]!.x <= x) low = middle
    else high = middle - 1
  }
  return low
}
