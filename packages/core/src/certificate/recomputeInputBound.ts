/**
 * Independent check of a lower bound on the input of an exact-output order. Input: snapshot, order
 * and {@link InputBound}. Output: that bound recomputed from prices and pools alone, by way of
 * `recomputeBound`. It shares the curves with the solver and no other code.
 */
import { checkOrder } from '../checkCall.js'
import { beforeFee, FEE_GAS, type Fee } from '../fee.js'
import type { ExactOutOrder } from '../order.js'
import type { Curve } from '../pools/family.js'
import { familyOf } from '../pools/index.js'
import { leastGas, ROUTER_GAS } from '../replay.js'
import type { Snapshot } from '../snapshot.js'
import type { Bound } from './bound.js'
import { badBound, checkedOrderOf, checkTerms } from './checkCertificate.js'
import { recomputeBound } from './recomputeBound.js'

/**
 * A certificate: a route that pays at least the wanted output costs at least `amount`. See
 * docs/solver.md. The cost of a route is its input, plus `gasCost` for each gas of the transaction.
 */
export type InputBound = {
  /** Wei of the token in, rounded down. */
  readonly amount: bigint
  /** Wei of the token in per gas, at the prices of `bound`; 0 if gas does not count. */
  readonly gasCost: number
  /** The input in wei at which `bound` holds. */
  readonly amountIn: bigint
  /** An upper bound on every route with an input of `amountIn`. The prices are in it. */
  readonly bound: Bound
  /** The integrator's fee of the token out that the wanted output is after; absent if there is none. */
  readonly fee?: Pick<Fee, 'of' | 'ppm'>
}

// Relative margin of the float arithmetic that turns outputs into inputs, far above its error.
const CONVERSION_MARGIN = 1e-12
// A pool may pay this fraction more than its curve: docs/solver.md, "Scope and margins".
const CURVE_MARGIN = 1e-9
// From the largest limits of curves, near 2^210, down to neighbouring floats.
const HALVINGS = 1000

/**
 * Recomputes a lower bound, in wei of the token in and rounded down, on the cost of any acyclic
 * route that pays at least `order.amountOut`, on the certificate's own terms. A bound is sound if
 * the result is at least its `amount`. Throws BAD_ORDER and BAD_BOUND as {@link recomputeBound} does, and if `gasCost`
 * does not follow from the prices.
 *
 * For prices ν, routes with an input of A + d are worth at most UB(A) + d·ν_in, unless they are one
 * hop. So one that pays the wanted output W, whose worth is W − p·gas, has
 *
 *   A + d + (p/ν_in)·gas ≥ A − (UB(A) − W)/ν_in
 *
 * One hop needs the input at which its curve reaches W.
 */
export function recomputeInputBound(
  snapshot: Snapshot,
  order: ExactOutOrder,
  certificate: InputBound,
): bigint {
  const { amountOut } = order
  const { fee, gasCost, amountIn, bound } = certificate
  checkOrder(order, 'amountOut')
  checkTerms(bound)
  const ends = checkedOrderOf({ ...order, amountIn }, snapshot)
  const { tokenIn, tokenOut } = ends
  if (!fee) return inputBoundOf(snapshot, { tokenIn, tokenOut, amountOut }, certificate)
  const paid = { tokenIn, tokenOut, amountOut: beforeFee(amountOut, fee) }
  const gas = BigInt(Math.floor(gasCost * FEE_GAS))
  return inputBoundOf(snapshot, paid, certificate) + gas
}

/** The bound for what the pools pay, before an integrator's fee. */
function inputBoundOf(
  snapshot: Snapshot,
  order: ExactOutOrder,
  { gasCost, amountIn, bound }: InputBound,
): bigint {
  const { tokenIn, tokenOut, amountOut } = order
  // With open edges, the bound does not grow with the amount in at the price of the token in.
  const { open: _, ...closed } = bound
  const most = recomputeBound(snapshot, { tokenIn, tokenOut, amountIn }, closed)
  const rate = Math.exp(bound.prices[tokenIn]! - bound.prices[tokenOut]!)
  const gasAtRate = bound.gasCost / rate
  if (!(Math.abs(gasCost - gasAtRate) <= CONVERSION_MARGIN * gasAtRate)) {
    throw badBound('gasCost', gasCost, `the gas cost that follows from the prices, ${gasAtRate}`)
  }
  const beyond = Number(most - amountOut) / rate
  const several = amountIn - BigInt(Math.ceil(beyond + CONVERSION_MARGIN * Math.abs(beyond)))
  const excluded = new Set(bound.excluded)
  let least = several
  for (const pool of snapshot.pools) {
    const direction = { in: pool.tokens.indexOf(tokenIn), out: pool.tokens.indexOf(tokenOut) }
    if (direction.in < 0 || direction.out < 0 || excluded.has(pool.id)) continue
    const curve = familyOf(pool).toCurve(pool, direction)
    const input = inputBelow(curve, Number(amountOut) * (1 - CURVE_MARGIN))
    if (input === undefined) continue
    const gas = gasCost * (leastGas(pool, direction) + ROUTER_GAS)
    const cost = (input - (curve.extraIn ?? 0) + gas) * (1 - CONVERSION_MARGIN)
    const alone = BigInt(Math.floor(cost))
    if (alone < least) least = alone
  }
  return least > 0n ? least : 0n
}

/** An input for which a curve pays less than `amountOut`; `undefined` if it never pays as much. */
function inputBelow({ out, limit }: Curve, amountOut: number): number | undefined {
  if (!(out(limit) >= amountOut)) return undefined
  let [low, high] = [0, limit]
  for (let n = 0; n < HALVINGS && low < high; n++) {
    const middle = low + (high - low) / 2
    if (middle === low || middle === high) break
    if (out(middle) < amountOut) low = middle
    else high = middle
  }
  return low
}
