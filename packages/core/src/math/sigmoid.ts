/** α / (1 + e^((β − x)/γ)): a smooth step of height α at β with width γ. */
export type Sigmoid = { readonly α: number; readonly β: number; readonly γ: number }

/** e^(distance/γ) as a fraction of integers, for distances below 6γ. */
export type Exponential = (
  distance: bigint,
  γ: bigint,
) => { readonly numerator: bigint; readonly denominator: bigint }

/** The sigmoid at x, rounded down; 0 or α if the exponent is 6 or more. AdaptiveFee.sigmoid */
export function sigmoid(x: bigint, { α, β, γ }: Sigmoid, exp: Exponential): bigint {
  const [alpha, beta, g] = [BigInt(α), BigInt(β), BigInt(γ)]
  const isAbove = x > beta
  const distance = isAbove ? x - beta : beta - x
  if (distance >= 6n * g) return isAbove ? alpha : 0n
  const { numerator: e, denominator: one } = exp(distance, g)
  return isAbove ? (alpha * e) / (one + e) : (alpha * one) / (one + e)
}
