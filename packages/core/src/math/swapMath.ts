import { divUp, mulDivDown, mulDivUp, TWO_256 } from './fullMath.js'

const Q96 = 1n << 96n
const FEE_ONE = 1_000_000n

/** One step of a swap inside a range of constant liquidity; amounts in wei. */
export type SwapStep = {
  readonly sqrtPriceNextX96: bigint
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly feeAmount: bigint
}

/**
 * Sells up to `amountRemaining` wei (fee included) towards `sqrtPriceTargetX96`, which must be in
 * the direction of the swap. The exact-input half of SwapMath.computeSwapStep, v3-core@1.0.1.
 *
 * An input that does not suffice may move the price to the target all the same, by rounding. Then V3
 * charges what reaching the target takes; V4 takes all that is left (`takesRest`), v4-core@1.0.2.
 */
export function computeSwapStep(step: {
  readonly sqrtPriceX96: bigint
  readonly sqrtPriceTargetX96: bigint
  readonly liquidity: bigint
  readonly amountRemaining: bigint
  readonly feePpm: bigint
  readonly takesRest?: boolean
}): SwapStep {
  const { sqrtPriceX96, sqrtPriceTargetX96, liquidity, amountRemaining, feePpm } = step
  const zeroForOne = sqrtPriceX96 >= sqrtPriceTargetX96
  const amountLessFee = mulDivDown(amountRemaining, FEE_ONE - feePpm, FEE_ONE)
  const wholeIn = getAmountInUp(sqrtPriceX96, sqrtPriceTargetX96, liquidity, zeroForOne)
  const reachesTarget = amountLessFee >= wholeIn
  const sqrtPriceNextX96 = reachesTarget
    ? sqrtPriceTargetX96
    : getNextSqrtPriceFromInput(sqrtPriceX96, liquidity, amountLessFee, zeroForOne)
  const max = step.takesRest ? reachesTarget : sqrtPriceNextX96 === sqrtPriceTargetX96
  const amountIn = max
    ? wholeIn
    : getAmountInUp(sqrtPriceX96, sqrtPriceNextX96, liquidity, zeroForOne)
  const amountOut = zeroForOne
    ? getAmount1Down(sqrtPriceNextX96, sqrtPriceX96, liquidity)
    : getAmount0Down(sqrtPriceX96, sqrtPriceNextX96, liquidity)
  const feeAmount = max ? mulDivUp(amountIn, feePpm, FEE_ONE - feePpm) : amountRemaining - amountIn
  return { sqrtPriceNextX96, amountIn, amountOut, feeAmount }
}

/**
 * √price after adding `amountIn` wei net of the fee, rounded so that the pool never pays too much.
 * SqrtPriceMath.getNextSqrtPriceFromInput: token 0 in rounds up, token 1 in rounds down.
 */
function getNextSqrtPriceFromInput(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean,
): bigint {
  if (!zeroForOne) return sqrtPriceX96 + mulDivDown(amountIn, Q96, liquidity)
  if (amountIn === 0n) return sqrtPriceX96
  const numerator = liquidity << 96n
  const product = amountIn * sqrtPriceX96
  const denominator = numerator + product
  // The contract uses the precise form only if both fit in 256 bits.
  if (product < TWO_256 && denominator < TWO_256) {
    return mulDivUp(numerator, sqrtPriceX96, denominator)
  }
  return divUp(numerator, numerator / sqrtPriceX96 + amountIn)
}

function getAmountInUp(from: bigint, to: bigint, liquidity: bigint, zeroForOne: boolean): bigint {
  return zeroForOne ? getAmount0Up(to, from, liquidity) : getAmount1Up(from, to, liquidity)
}

// Δ0 = L·(b − a)·2^96 / b / a with a ≤ b, rounded twice.   SqrtPriceMath.getAmount0Delta
function getAmount0Up(a: bigint, b: bigint, liquidity: bigint): bigint {
  return divUp(mulDivUp(liquidity << 96n, b - a, b), a)
}

function getAmount0Down(a: bigint, b: bigint, liquidity: bigint): bigint {
  return mulDivDown(liquidity << 96n, b - a, b) / a
}

// Δ1 = L·(b − a) / 2^96 with a ≤ b.   SqrtPriceMath.getAmount1Delta
function getAmount1Up(a: bigint, b: bigint, liquidity: bigint): bigint {
  return mulDivUp(liquidity, b - a, Q96)
}

function getAmount1Down(a: bigint, b: bigint, liquidity: bigint): bigint {
  return mulDivDown(liquidity, b - a, Q96)
}
