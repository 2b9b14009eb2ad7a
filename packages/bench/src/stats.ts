import { createPrng } from './prng.js'

/** The percentile at `part` (0 to 1), by linear interpolation; NaN for an empty list. */
export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const low = Math.floor(at)
  const lower = sorted[low]!
  const upper = sorted[Math.min(low + 1, sorted.length - 1)]!
  // Equal neighbours need no interpolation; the difference of two infinities would be NaN.
  return lower === upper ? lower : lower + (upper - lower) * (at - low)
}

/** The arithmetic mean; NaN for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0
    ? Number.NaN
    : values.reduce((sum, value) => sum + value, 0) / values.length
}

const RESAMPLES = 1000

/** The 95 % confidence interval of the mean, by a seeded bootstrap. */
export function bootstrapMean(values: readonly number[], seed = 1): readonly [number, number] {
  if (values.length === 0) return [Number.NaN, Number.NaN]
  const prng = createPrng(seed)
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[prng.below(values.length)]!
    return sum / values.length
  })
  return [percentile(means, 0.025), percentile(means, 0.975)]
}

/** p50, p95 and p99 of a sample. */
export type Percentiles = { readonly p50: number; readonly p95: number; readonly p99: number }

/** The three percentiles used for latencies. */
export function percentilesOf(values: readonly number[]): Percentiles {
  return {
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  }
}
