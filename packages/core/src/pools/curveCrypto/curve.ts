import { type CryptoSwapForm, cryptoBalanceOf } from '../../math/cryptoSwap.js'
import { partBounds } from '../../math/cryptoSwapBounds.js'
import {
  type CryptoSwapPair,
  cryptoPairBalance,
  cryptoPairPrice,
} from '../../math/cryptoSwapCurve.js'
import { NO_CURVE } from '../../math/scaledGain.js'
import { curveOfHull, hullOfSwaps, onceEach } from '../coinCurve.js'
import type { Curve, Direction } from '../family.js'
import { formOf, getAmountOut, invariant, scaledBalances } from './exact.js'
import type { CurveCryptoPool } from './pool.js'

const ONE = 1e18
const FEE_ONE = 1e10
// The contract's fee is below the exact one by at most so many of its units, which matter near 100 %.
const FEE_UNITS = 2
// The fee is rounded down to a wei of the coin out, and a coin of 8 decimals shows one wei. Twice that,
// because it is counted at the first price, and a swap may halve the price. Where a swap lowers the price
// further, or the fee is near 100 %, the curve may still be less than a wei below.
const FEE_WEI = 2
// The part of D by which the contract's balance of the coin out and ours may differ from the exact root.
const NOISE = 1e-14
// The part of the range of a balance that is left out, because the bounds are compared after rounding.
const EDGE = 1e-9
// The price by which what is lost to rounding is divided is not less than this part of the first.
const MIN_PRICE = 1e-6

/**
 * The pool in one direction as a gain function: the concave hull of the output, because the fee falls
 * while a swap restores the balance, as constant-product pieces from above.
 */
export const toCurve = /* @__PURE__ */ onceEach(buildCurve)

/** The part of the output that is the fee, which depends on the balances after the swap. */
export function feeRate(
  pool: CurveCryptoPool,
  direction: Direction,
  amountIn: bigint,
): number | undefined {
  const terms = termsOf(pool, direction)
  if (!terms) return Number(pool.outFee) / FEE_ONE
  return swapAt(terms, Math.min(Number(amountIn), terms.limit) / terms.unitIn).fee
}

/** A direction in floats: the pair in units of D, and the wei of each token in one D. */
type Terms = {
  readonly pair: CryptoSwapPair
  /** The balance of the coin out on the invariant, which the pool's own differs from by rounding. */
  readonly y: number
  readonly unitIn: number
  readonly unitOut: number
  readonly limit: number
  readonly extraIn: number
  readonly n: number
  readonly fee: Readonly<Record<'mid' | 'out' | 'γ', number>>
}

function termsOf(pool: CurveCryptoPool, { in: i, out: j }: Direction): Terms | undefined {
  const whole = invariant(pool)
  if (whole === undefined || whole === 0n || pool.totalSupply === 0n) return undefined
  const xp = scaledBalances(pool, pool.balances)
  const form = formOf(pool)
  const start = cryptoBalanceOf(xp, { j, D: whole }, form)
  if (start === undefined) return undefined
  const D = Number(whole)
  const n = xp.length
  const others = xp.flatMap((x, k) => (k === i || k === j ? [] : [Number(x) / D]))
  const product = others.reduce((all, x) => all * x, 1)
  const pair: CryptoSwapPair = {
    ...{ x: Number(xp[i]!) / D, q: n ** n * product, γ: Number(form.gamma) / ONE },
    s: others.reduce((sum, x) => sum + x, 0),
    a: Number(form.A) / 1e4,
  }
  const y = cryptoPairBalance(pair, pair.x)
  const [unitIn, unitOut] = [i, j].map((k) => D / weiOf(pool, k))
  // The first wei also buys the balance above the invariant.
  const above = Math.max(0, Number(xp[j]! - start.y)) / D
  const spot = cryptoPairPrice(pair, pair.x, y)
  return {
    ...{ pair, y, n, unitIn: unitIn!, unitOut: unitOut! },
    limit: unitIn! * partsWithin(pair, partBoundsOf(n, form)),
    extraIn: (unitIn! * (above + NOISE + FEE_WEI / unitOut!)) / Math.max(spot, MIN_PRICE),
    fee: {
      ...{ mid: Number(pool.midFee) / FEE_ONE, out: Number(pool.outFee) / FEE_ONE },
      γ: Number(pool.feeGamma) / ONE,
    },
  }
}

/** The units of the common unit in a wei of a coin. */
function weiOf({ precisions, priceScales }: CurveCryptoPool, k: number): number {
  return Number(precisions[k]!) * (k === 0 ? 1 : Number(priceScales[k - 1]!) / ONE)
}

/** Bounds of the coin out from below, and of the coin in from above. */
function partBoundsOf(n: number, { version, gamma }: CryptoSwapForm) {
  const { found, given } = partBounds(n, version, gamma)
  const most = Number(given.most) / (n === 2 ? 2 : 1)
  return { least: (Number(found.least) / ONE) * (1 + EDGE), most: (most / ONE) * (1 - EDGE) }
}

/** The input in units of D after which one of the two balances leaves its bounds. */
function partsWithin(
  pair: CryptoSwapPair,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  let [low, high] = [pair.x, most]
  if (low >= high) return 0
  if (cryptoPairBalance(pair, high) >= least) return high - pair.x
  for (let step = 0; step < 100 && high - low > high * 1e-15; step++) {
    const middle = (low + high) / 2
    if (cryptoPairBalance(pair, middle) >= least) low = middle
    else high = middle
  }
  return low - pair.x
}

function buildCurve(pool: CurveCryptoPool, direction: Direction): Curve {
  const terms = termsOf(pool, direction)
  if (!terms) return NO_CURVE
  const { pair, unitIn, unitOut, extraIn } = terms
  const reserveIn = pair.x * unitIn
  const given = { unitIn, unitOut, reserveIn, swapAt: (a: number) => swapAt(terms, a) }
  const whole = hullOfSwaps({ ...given, limit: terms.limit })
  const taken = takenUpTo(pool, direction, whole.limit)
  const hull = taken < whole.limit ? hullOfSwaps({ ...given, limit: taken }) : whole
  return curveOfHull(hull, { reserveIn, extraIn })
}

/**
 * The largest input up to a limit that the pool takes. It computes D after a swap by Newton's method, from
 * the balances before the fee: a fee that keeps most of a large output leaves it too far from there, and
 * the swap reverts. The limit itself if no part of it is taken, as by a pool of few wei.
 */
function takenUpTo(pool: CurveCryptoPool, direction: Direction, limit: number): number {
  const isTaken = (x: number) => getAmountOut(pool, direction, BigInt(Math.floor(x))) > 0n
  let [low, high] = [limit, limit]
  while (low >= 1 && !isTaken(low)) [low, high] = [low / 2, low]
  if (low < 1) return limit
  for (let middle = (low + high) / 2; high - low >= 1; middle = (low + high) / 2) {
    if (middle === low || middle === high) break
    if (isTaken(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * A swap in units of D: the fee of the balances after it, f = mid·g + out·(1 − g), the net output and
 * the marginal price (1 − f)·d′ − f′·d, with the fee as low as the contract's rounding can make it.
 */
function swapAt({ pair, y: from, n, fee: { mid, out, γ } }: Terms, a: number) {
  const x = pair.x + a
  const y = cryptoPairBalance(pair, x)
  const [d, slope] = [from - y, cryptoPairPrice(pair, x, y)]
  const sum = pair.s + x + y
  const K = Math.min(1, (pair.q * x * y) / sum ** n)
  const dK = K * (1 / x - slope / y - (n * (1 - slope)) / sum)
  const divisor = γ + 1 - K
  const g = γ / divisor
  const dg = (γ / divisor ** 2) * dK
  const fee = mid * g + out * (1 - g)
  const kept = Math.min(1, 1 - fee + FEE_UNITS / FEE_ONE)
  return { fee, out: kept * d, price: kept * slope + (out - mid) * dg * d }
}
