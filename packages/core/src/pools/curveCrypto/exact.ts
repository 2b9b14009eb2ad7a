import {
  type CryptoSwapForm,
  cryptoBalanceOf,
  cryptoInvariantOf,
  cryptoMeanOf,
} from '../../math/cryptoSwap.js'
import { TWO_256 } from '../../math/fullMath.js'
import type { Direction } from '../family.js'
import type { CurveCryptoPool } from './pool.js'

const E18 = 10n ** 18n
const FEE_DENOMINATOR = 10n ** 10n

/**
 * Exact output of `exchange`; `0n` if it would revert.
 *
 *   dy = xp_j − y(xp_i + a) − 1,  out = ⌊⌊dy·10¹⁸/scale_j⌋/precision_j⌋ less ⌊fee·out/10¹⁰⌋
 *   `_exchange` of Twocrypto and Tricrypto-NG
 */
export function getAmountOut(
  pool: CurveCryptoPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  return swapOf(pool, direction, amountIn)?.amountOut ?? 0n
}

/**
 * The pool after that swap. Where its profit lets it move the price scales, the state is unknown: it has
 * no D and pays nothing.
 */
export function applySwap(
  pool: CurveCryptoPool,
  direction: Direction,
  amountIn: bigint,
): CurveCryptoPool {
  return swapOf(pool, direction, amountIn)?.after ?? pool
}

/** Returns whether a coin is missing, or nobody has a share. */
export function isEmpty({ balances, totalSupply, virtualPrice }: CurveCryptoPool): boolean {
  return totalSupply === 0n || virtualPrice === 0n || balances.some((balance) => balance === 0n)
}

type Swap = { readonly amountOut: bigint; readonly after: CurveCryptoPool }

function swapOf(
  pool: CurveCryptoPool,
  { in: i, out: j }: Direction,
  amountIn: bigint,
): Swap | undefined {
  if (amountIn <= 0n || amountIn >= TWO_256 || isEmpty(pool)) return undefined
  const form = formOf(pool)
  const D = invariant(pool)
  if (D === undefined || D === 0n) return undefined
  const balances = pool.balances.with(i, pool.balances[i]! + amountIn)
  const xp = scaledBalances(pool, balances)
  const found = cryptoBalanceOf(xp, { j, D }, form)
  if (found === undefined || found.y >= xp[j]!) return undefined
  const dy = unscaled(pool, j, xp[j]! - found.y - 1n)
  const amountOut = dy - (feeOf(pool, xp.with(j, found.y)) * dy) / FEE_DENOMINATOR
  if (amountOut <= 0n) return undefined
  const left = balances.with(j, balances[j]! - amountOut)
  const after = afterOf(pool, left, found.K0)
  return after && { amountOut, after }
}

/** The state with these balances; `undefined` if the pool refuses it, because a share loses value. */
function afterOf(
  pool: CurveCryptoPool,
  balances: readonly bigint[],
  K0: bigint,
): CurveCryptoPool | undefined {
  const D = cryptoInvariantOf(scaledBalances(pool, balances), formOf(pool), K0)
  if (D === undefined) return undefined
  const virtualPrice = shareValueOf({ ...pool, D })
  if (!isRamping(pool) && virtualPrice <= pool.virtualPrice) return undefined
  const xcpProfit = (pool.xcpProfit * virtualPrice) / pool.virtualPrice
  const mayMoveScales = 2n * virtualPrice - E18 > xcpProfit + 2n * pool.allowedExtraProfit
  return { ...pool, balances, D: mayMoveScales ? 0n : D, virtualPrice, xcpProfit }
}

/** The value of a share, with 18 decimals: the geometric mean of an even pool of the same D, divided by the shares. */
export function shareValueOf({
  D,
  priceScales,
  totalSupply,
}: Pick<CurveCryptoPool, 'D' | 'priceScales' | 'totalSupply'>): bigint {
  const n = BigInt(priceScales.length + 1)
  const mean = cryptoMeanOf([D / n, ...priceScales.map((scale) => (D * E18) / (n * scale))])
  return (E18 * mean) / totalSupply
}

/** The balances in the common unit: of 18 decimals, at the price scales. */
export function scaledBalances(
  { precisions, priceScales }: CurveCryptoPool,
  balances: readonly bigint[],
): bigint[] {
  return balances.map((balance, k) => {
    const whole = balance * precisions[k]!
    return k === 0 ? whole : (whole * priceScales[k - 1]!) / E18
  })
}

function unscaled({ precisions, priceScales }: CurveCryptoPool, k: number, value: bigint): bigint {
  return (k === 0 ? value : (value * E18) / priceScales[k - 1]!) / precisions[k]!
}

// Cached, because a search asks the same state for many amounts.
const invariants = new WeakMap<CurveCryptoPool, { readonly D: bigint | undefined }>()

/** The D of a swap: what the pool keeps, or that of its balances while A and γ move. */
export function invariant(pool: CurveCryptoPool): bigint | undefined {
  if (pool.D === 0n || !isRamping(pool)) return pool.D
  const made = invariants.get(pool)
  if (made) return made.D
  const D = cryptoInvariantOf(scaledBalances(pool, pool.balances), formOf(pool))
  invariants.set(pool, { D })
  return D
}

function isRamping({ ramp, quotedAt = 0n }: CurveCryptoPool): boolean {
  return ramp !== undefined && quotedAt < ramp.futureTime
}

/** A and γ at the time for which the pool is quoted: the weighted means of both ends, rounded down. */
export function formOf(pool: CurveCryptoPool): CryptoSwapForm {
  const { A, gamma, version, ramp, quotedAt = 0n } = pool
  if (!ramp || !isRamping(pool)) return { A, gamma, version }
  const whole = ramp.futureTime - ramp.initialTime
  if (whole === 0n) return { A, gamma, version }
  const passed = quotedAt > ramp.initialTime ? quotedAt - ramp.initialTime : 0n
  const mean = (from: bigint, to: bigint) => (from * (whole - passed) + to * passed) / whole
  return { A: mean(ramp.initialA, A), gamma: mean(ramp.initialGamma, gamma), version }
}

/**
 * The fee at these balances in the common unit, in 10⁻¹⁰: mid·g + out·(1 − g), where g falls from 1 as
 * the balance K = nⁿ·Π x / Sⁿ does: g = γf / (γf + 1 − K). `fee_calc` of both.
 */
export function feeOf(
  { midFee, outFee, feeGamma }: CurveCryptoPool,
  xp: readonly bigint[],
): bigint {
  const n = BigInt(xp.length)
  const sum = xp.reduce((total, x) => total + x, 0n)
  let K = E18
  if (n === 2n) K = (((E18 * 4n * xp[0]!) / sum) * xp[1]!) / sum
  else for (const x of xp) K = (K * n * x) / sum
  const g = (feeGamma * E18) / (feeGamma + E18 - K)
  return (midFee * g + outFee * (E18 - g)) / E18
}
