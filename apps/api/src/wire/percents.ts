import { mulDivDown } from '@braid-swap/core/families'

// A sixteenth of a percent: sums of such numbers are exact in binary floats.
const STEPS_PER_PERCENT = 16
const STEPS = BigInt(100 * STEPS_PER_PERCENT)

/**
 * Percentages that sum to exactly 100, in sixteenths, by the largest remainder method: each part is
 * rounded down, and the missing steps go to the largest remainders. All zero if the whole is zero.
 */
export function toPercents(parts: readonly bigint[]): readonly number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n)
  if (whole === 0n) return parts.map(() => 0)
  const steps = parts.map((part) => Number(mulDivDown(part, STEPS, whole)))
  const missing = Number(STEPS) - steps.reduce((sum, step) => sum + step, 0)
  const lost = parts.map((part, index) => ({ index, remainder: (part * STEPS) % whole }))
  lost.sort((a, b) => (a.remainder > b.remainder ? -1 : a.remainder < b.remainder ? 1 : 0))
  for (const { index } of lost.slice(0, missing)) steps[index] = steps[index]! + 1
  return steps.map((step) => step / STEPS_PER_PERCENT)
}
