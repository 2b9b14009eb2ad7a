// The bins that a swap passes, each with its price, its fee and the input that takes it whole.

import { divUp } from '../../math/fullMath.js'
import { referencesOf, totalFee, volatilityAt } from './fee.js'
import type { Bin, LiquidityBookPool } from './pool.js'

const ONE = 1n << 128n
const FEE_ONE = 10n ** 18n
const BIPS = 10_000n
const MAX_UINT128 = ONE - 1n
const MAX_UINT256 = (1n << 256n) - 1n
const MIDDLE_ID = 1 << 23
/** `FeeHelper` reverts above 10 %. */
const MAX_FEE = FEE_ONE / 10n

/** The input that empties a bin of the token out. */
export type Quota = {
  readonly bin: Bin
  /** Token Y per token X, in 128.128 fixed point. */
  readonly price: bigint
  readonly volatility: bigint
  /** In 10⁻¹⁸ of the input. */
  readonly fee: bigint
  /** The input, fee included, that takes the whole reserve. */
  readonly amountIn: bigint
  /** The fee in it. */
  readonly feeIn: bigint
}

/**
 * The quotas of the bins that a swap of token `i` passes, from the active bin outwards. They end
 * before a bin in which the contract would revert.
 *
 *   amountIn = q + feeIn,  q = ⌈out·2¹²⁸/price⌉ for X, ⌈out·price/2¹²⁸⌉ for Y,  feeIn = ⌈q·f / (10¹⁸ − f)⌉
 */
export function* quotasOf(pool: LiquidityBookPool, i: 0 | 1): Generator<Quota> {
  const memory = referencesOf(pool)
  for (const bin of binsOnTheWay(pool, i)) {
    const reserve = bin.reserves[1 - i]!
    if (reserve === 0n) continue
    const volatility = volatilityAt(pool, memory, bin.id)
    const fee = totalFee(pool, volatility)
    const price = priceOfBin(bin.id, pool.binStep)
    if (price === undefined || fee > MAX_FEE) return
    const net = i === 0 ? divUp(reserve << 128n, price) : divUp(reserve * price, ONE)
    const feeIn = divUp(net * fee, FEE_ONE - fee)
    if (net + feeIn > MAX_UINT128) return
    yield { bin, price, volatility, fee, amountIn: net + feeIn, feeIn }
  }
}

/** The bins that a swap visits: the active one, then the next ones with liquidity. */
function* binsOnTheWay({ bins, activeId }: LiquidityBookPool, i: 0 | 1): Generator<Bin> {
  if (i === 0) {
    for (let k = bins.length - 1; k >= 0; k--) if (bins[k]!.id <= activeId) yield bins[k]!
  } else {
    for (const bin of bins) if (bin.id >= activeId) yield bin
  }
}

/**
 * Price of a bin, token Y per token X, in 128.128 fixed point: (1 + binStep/10⁴)^(id − 2²³) by
 * squaring, each product floored. `undefined` if the contract reverts. `Uint128x128Math.pow`.
 */
export function priceOfBin(id: number, binStep: number): bigint | undefined {
  const exponent = id - MIDDLE_ID
  if (exponent === 0) return ONE
  let left = Math.abs(exponent)
  if (left >= 1 << 20) return undefined
  // The base is above 1, so its inverse is squared, and the result is inverted again.
  let squared = MAX_UINT256 / (ONE + (BigInt(binStep) << 128n) / BIPS)
  let power = ONE
  for (; left > 0; left >>= 1) {
    if (left % 2 === 1) power = (power * squared) >> 128n
    squared = (squared * squared) >> 128n
  }
  if (power === 0n) return undefined
  return exponent > 0 ? MAX_UINT256 / power : power
}
