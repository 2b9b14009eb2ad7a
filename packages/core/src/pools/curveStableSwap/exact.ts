import { TWO_256 } from '../../math/fullMath.js'
import { balanceAfter, invariantOf, type StableSwapForm } from '../../math/stableSwap.js'
import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { CurveStableSwapPool } from './pool.js'

const PRECISION = 10n ** 18n
const FEE_DENOMINATOR = 10n ** 10n
const TWO_128 = 1n << 128n

/**
 * Exact output of `exchange`; `0n` if it would revert.
 *
 *   x = xp_i + ⌊a·rate_i/10¹⁸⌋,  dy = xp_j − y(x) − 1,  out = ⌊(dy − ⌊dy·fee/10¹⁰⌋)·10¹⁸ / rate_j⌋
 *   `_exchange` of CurveStableSwapNG, and `exchange` of the pools before it
 */
export function getAmountOut(
  pool: CurveStableSwapPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  return swapOf(pool, direction, amountIn)?.amountOut ?? 0n
}

/** The pool after that swap: the admin's part of the fee leaves the balances. */
export function applySwap(
  pool: CurveStableSwapPool,
  direction: Direction,
  amountIn: bigint,
): CurveStableSwapPool {
  const swap = swapOf(pool, direction, amountIn)
  if (!swap) return pool
  const balances = pool.balances.slice()
  balances[direction.in]! += amountIn
  balances[direction.out]! -= swap.amountOut + swap.adminFee
  return { ...pool, balances }
}

/** Returns whether a coin is missing: the invariant then divides by zero. */
export function isEmpty({ balances }: CurveStableSwapPool): boolean {
  return balances.some((balance) => balance === 0n)
}

type Swap = { readonly amountOut: bigint; readonly adminFee: bigint }

function swapOf(
  pool: CurveStableSwapPool,
  { in: i, out: j }: Direction,
  amountIn: bigint,
): Swap | undefined {
  const { rates, adminFee } = pool
  if (amountIn <= 0n || amountIn * rates[i]! >= TWO_256 || !isCurrent(pool)) return undefined
  if (pool.balances[i]! + amountIn >= TWO_256) return undefined
  const D = invariant(pool)
  if (D === undefined || D === 0n) return undefined
  const xp = scaledBalances(pool)
  const x = xp[i]! + (amountIn * rates[i]!) / PRECISION
  const y = x >= TWO_256 ? undefined : balanceAfter(xp, { i, j, x, D }, formOf(pool))
  if (y === undefined || xp[j]! <= y) return undefined
  const dy = xp[j]! - y - 1n
  const fee = feeOf(pool, (xp[i]! + x) / 2n, (xp[j]! + y) / 2n)
  if (fee === undefined || dy * fee >= TWO_256) return undefined
  const dyFee = (dy * fee) / FEE_DENOMINATOR
  if (dyFee > dy || (dy - dyFee) * PRECISION >= TWO_256) return undefined
  const amountOut = ((dy - dyFee) * PRECISION) / rates[j]!
  const ofAdmin = (((dyFee * adminFee) / FEE_DENOMINATOR) * PRECISION) / rates[j]!
  if (amountOut === 0n || amountOut + ofAdmin > pool.balances[j]!) return undefined
  if (pool.isNg && !hasPrices(xp.with(i, x).with(j, y), D, pool)) return undefined
  return { amountOut, adminFee: ofAdmin }
}

/** Rates that move without a log were read in the last block, or there are none. */
function isCurrent({ sampledAt, quotedAt }: CurveStableSwapPool): boolean {
  return sampledAt === undefined || isFresh({ sampledAt, quotedAt: quotedAt ?? -1n })
}

/** The balances in the common unit of 18 decimals: ⌊balance·rate/10¹⁸⌋. */
export function scaledBalances({ balances, rates }: CurveStableSwapPool): bigint[] {
  return balances.map((balance, k) => (balance * rates[k]!) / PRECISION)
}

// Cached, because a search asks the same state for many amounts.
const invariants = new WeakMap<CurveStableSwapPool, { readonly D: bigint | undefined }>()

/** The invariant D of the pool's balances; `undefined` if the contract cannot compute it. */
export function invariant(pool: CurveStableSwapPool): bigint | undefined {
  const made = invariants.get(pool)
  if (made) return made.D
  const isTooLarge = pool.balances.some((balance, k) => balance * pool.rates[k]! >= TWO_256)
  const D = isTooLarge ? undefined : invariantOf(scaledBalances(pool), formOf(pool))
  invariants.set(pool, { D })
  return D
}

/** The form of the invariant, with A at the time for which the pool is quoted. */
export function formOf(pool: CurveStableSwapPool): StableSwapForm {
  return { amp: amplificationOf(pool), precision: pool.aPrecision, rounding: pool.rounding }
}

/** A at the time for which the pool is quoted, times `aPrecision`. `_A` of the contracts. */
function amplificationOf({ A, ramp, quotedAt = 0n }: CurveStableSwapPool): bigint {
  if (!ramp || quotedAt >= ramp.futureATime) return A
  const { initialA, initialATime, futureATime } = ramp
  const passed = quotedAt > initialATime ? quotedAt - initialATime : 0n
  const whole = futureATime - initialATime
  return A > initialA
    ? initialA + ((A - initialA) * passed) / whole
    : initialA - ((initialA - A) * passed) / whole
}

/**
 * The fee of a swap between two balances that are, on average, xa and ya; `undefined` if the pool
 * reverts. `_dynamic_fee` of CurveStableSwapNG.
 */
function feeOf(
  { fee, offpegFeeMultiplier }: CurveStableSwapPool,
  xa: bigint,
  ya: bigint,
): bigint | undefined {
  if (offpegFeeMultiplier <= FEE_DENOMINATOR) return fee
  const square = (xa + ya) ** 2n
  const product = (offpegFeeMultiplier - FEE_DENOMINATOR) * 4n * xa * ya
  if (square >= TWO_256 || product >= TWO_256 || square === 0n) return undefined
  return (offpegFeeMultiplier * fee) / (product / square + FEE_DENOMINATOR)
}

/**
 * Returns whether the pool can compute and store the prices, which it does in each swap for oracles: it divides
 * by every balance, also by one that the swap has emptied. It stores D and each price in 128 bits. D
 * fits if it can be computed, because Newton's method begins with the square of the sum, and D is not
 * larger than the sum. `_get_p` of CurveStableSwapNG.
 */
function hasPrices(xp: readonly bigint[], D: bigint, pool: CurveStableSwapPool): boolean {
  const n = BigInt(xp.length)
  const { amp, precision } = formOf(pool)
  let product = D / n ** n
  for (const x of xp) {
    if (x === 0n || product * D >= TWO_256) return false
    product = (product * D) / x
  }
  const first = xp[0]!
  const weighted = amp * n * first
  if (weighted >= TWO_256 || product * first >= TWO_256) return false
  const base = weighted / precision
  if (base + product === 0n) return false
  return xp.slice(1).every((x) => {
    const weightedPrice = PRECISION * (base + (product * first) / x)
    return weightedPrice < TWO_256 && weightedPrice / (base + product) < TWO_128
  })
}
