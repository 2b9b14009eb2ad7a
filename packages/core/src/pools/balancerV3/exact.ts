// Balancer V3 in integers: the vault scales the input, takes the fee, asks the pool's formula and
// scales its answer back; each step rounds in the pool's favour.

import { mulDown, mulUp, ONE } from '../../math/fixedPoint.js'
import { TWO_256 } from '../../math/fullMath.js'
import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import { eclpOut } from './eclp.js'
import type { BalancerV3Pool, ScaledSwap } from './pool.js'
import { stableOut } from './stable.js'
import { weightedOut } from './weighted.js'

// The vault packs the raw and the live balance of a token into 128 bits each.
const MAX_BALANCE = (1n << 128n) - 1n

/**
 * Exact output of `swap` of the vault for an exact input; `0n` if it would revert.
 *
 *   a₁₈ = ⌊a·scale_i·rate_i⌋ − ⌈…·swapFee⌉,  out = ⌊formula(a₁₈) / (scale_o·⌈rate_o⌉)⌋
 *   `Vault.swap` and `_swap`, with `onSwap` of the pool: weighted.ts, stable.ts, eclp.ts
 */
export function getAmountOut(pool: BalancerV3Pool, direction: Direction, amountIn: bigint): bigint {
  return swapOf(pool, direction, amountIn)?.amountOut ?? 0n
}

/** The pool after that swap: the protocol's part of the fee leaves the balances. */
export function applySwap(
  pool: BalancerV3Pool,
  direction: Direction,
  amountIn: bigint,
): BalancerV3Pool {
  const swap = swapOf(pool, direction, amountIn)
  if (!swap) return pool
  const balancesRaw = pool.balancesRaw.slice()
  balancesRaw[direction.in] = swap.balanceIn
  balancesRaw[direction.out]! -= swap.amountOut
  return { ...pool, balancesRaw }
}

/**
 * Returns whether too few tokens have a balance: fewer than two of a weighted pool, than all of a stable one,
 * than one of an E-CLP.
 */
export function isEmpty({ balancesRaw, form }: BalancerV3Pool): boolean {
  const missing = balancesRaw.filter((balance) => balance === 0n).length
  if (form.kind === 'stable') return missing > 0
  return missing > balancesRaw.length - (form.kind === 'eclp' ? 1 : 2)
}

type Swap = { readonly amountOut: bigint; readonly balanceIn: bigint }

function swapOf(
  pool: BalancerV3Pool,
  { in: i, out: o }: Direction,
  amountIn: bigint,
): Swap | undefined {
  const { balancesRaw, decimalScalingFactors: scales, tokenRates: rates, swapFee } = pool
  if (amountIn <= 0n || !isCurrent(pool)) return undefined
  const [unitIn, unitOut] = [scales[i]! * rates[i]!, scales[o]! * roundedUp(rates[o]!)]
  const live = liveBalances(pool)
  if (amountIn * unitIn >= TWO_256 || live.some((balance) => balance > MAX_BALANCE))
    return undefined
  const given = (amountIn * unitIn) / ONE
  const fee = mulUp(given, swapFee)
  const traded = given - fee
  // Beyond it, the balance would not fit, and no product of the formulas needs to be checked.
  if (traded < pool.minTradeAmount || traded > MAX_BALANCE) return undefined
  const bought = formulaOut(pool, { i, o, live, amountIn: traded })
  if (bought === undefined || bought < pool.minTradeAmount) return undefined
  const amountOut = (bought * ONE) / unitOut
  if (amountOut === 0n || amountOut > balancesRaw[o]!) return undefined
  const protocolFee = mulDown((fee * ONE) / unitIn, pool.aggregateSwapFee)
  const balanceIn = balancesRaw[i]! + amountIn - protocolFee
  if (balanceIn > MAX_BALANCE || (balanceIn * unitIn) / ONE > MAX_BALANCE) return undefined
  return { amountOut, balanceIn }
}

/** Returns the output by the pool's formula, in the common unit; `undefined` if it reverts. */
function formulaOut(pool: BalancerV3Pool, swap: ScaledSwap): bigint | undefined {
  const { form, quotedAt = 0n } = pool
  switch (form.kind) {
    case 'weighted':
      return weightedOut(form, swap)
    case 'stable':
      return stableOut(form, swap, quotedAt)
    case 'eclp':
      return eclpOut(form, swap)
  }
}

/** Rates that move without a log were read in the last block, or there are none. */
export function isCurrent({ sampledAt, quotedAt }: BalancerV3Pool): boolean {
  return sampledAt === undefined || isFresh({ sampledAt, quotedAt: quotedAt ?? -1n })
}

/** The balances in the common unit of 18 decimals: ⌊balance·scale·rate⌋. */
export function liveBalances({
  balancesRaw,
  decimalScalingFactors,
  tokenRates,
}: BalancerV3Pool): readonly bigint[] {
  return balancesRaw.map((raw, k) => mulDown(raw * decimalScalingFactors[k]!, tokenRates[k]!))
}

/** A rate plus one, unless it is a whole number. `computeRateRoundUp`. */
function roundedUp(rate: bigint): bigint {
  return rate % ONE === 0n ? rate : rate + 1n
}
