import type { Direction } from '../family.js'
import type { WrapPool } from './pool.js'

/** 1:1 in both directions. WETH9 deposit and withdraw. */
export function getAmountOut(_pool: WrapPool, _direction: Direction, amountIn: bigint): bigint {
  return amountIn > 0n ? amountIn : 0n
}

/** Wrapping changes no state that a quote depends on. */
export function applySwap(pool: WrapPool, _direction: Direction, _amountIn: bigint): WrapPool {
  return pool
}
