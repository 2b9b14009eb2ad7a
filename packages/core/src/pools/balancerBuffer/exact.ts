import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { BalancerBufferPool } from './pool.js'

const PPM = 1_000_000n

/** The most that the vault can store of a balance. */
export const MAX_BALANCE = (1n << 128n) - 1n

/**
 * Exact output of wrapping or unwrapping `amountIn` within the buffer; `0n` if the vault would revert, or
 * call the wrapped token because the buffer has too little.
 *
 *   wrap    ⌊(a − 1)·shares / assets⌋ − 1 = previewDeposit(a − 1) − 1, less the haircut before it rounds
 *   unwrap  ⌊(s − 1)·assets / shares⌋ − 1 = previewRedeem(s − 1) − 1
 *   `_wrapWithBuffer`, `_unwrapWithBuffer` of Balancer V3's `Vault`
 */
export function getAmountOut(
  pool: BalancerBufferPool,
  direction: Direction,
  amountIn: bigint,
): bigint {
  const { balances, minWrapAmount } = pool
  if (amountIn <= 0n || amountIn < minWrapAmount || !isFresh(pool)) return 0n
  if (balances[direction.in]! + amountIn > MAX_BALANCE) return 0n
  const [over, under] = priceOf(pool, direction)
  const amountOut = ((amountIn - 1n) * over) / under - 1n
  const isPaid =
    amountOut > 0n && amountOut >= minWrapAmount && amountOut <= balances[direction.out]!
  return isPaid ? amountOut : 0n
}

/** The buffer after that swap. The wrapped token is not called, so its rate does not change. */
export function applySwap(
  pool: BalancerBufferPool,
  direction: Direction,
  amountIn: bigint,
): BalancerBufferPool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const [assets, shares] = pool.balances
  return direction.in === 0
    ? { ...pool, balances: [assets + amountIn, shares - amountOut] }
    : { ...pool, balances: [assets - amountOut, shares + amountIn] }
}

/** Returns whether the buffer has less of both tokens than the vault pays at least. */
export function isEmpty({ balances, minWrapAmount }: BalancerBufferPool): boolean {
  return balances.every((balance) => balance === 0n || balance < minWrapAmount)
}

/** The largest input that the buffer takes, or `0n`: its output is all that the buffer has. */
export function largestInput(pool: BalancerBufferPool, direction: Direction): bigint {
  const [over, under] = priceOf(pool, direction)
  const all = ceilDiv((pool.balances[direction.out]! + 2n) * under, over)
  const room = MAX_BALANCE - pool.balances[direction.in]!
  const most = all < room ? all : room
  return getAmountOut(pool, direction, most) === 0n ? 0n : most
}

/** Output per input as a fraction; of wrapping, less the haircut. */
export function priceOf(
  { rate: [shares, assets], wrapHaircutPpm }: BalancerBufferPool,
  direction: Direction,
): readonly [over: bigint, under: bigint] {
  if (direction.in === 1) return [assets, shares]
  return wrapHaircutPpm === 0n ? [shares, assets] : [shares * (PPM - wrapHaircutPpm), assets * PPM]
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
