import { TWO_256 } from '../../math/fullMath.js'
import type { Direction } from '../family.js'
import type { WrapPool } from './pool.js'

/** 1:1 in both directions, up to 2²⁵⁶ − 1. WETH9 deposit and withdraw. */
export function getAmountOut(_pool: WrapPool, _direction: Direction, amountIn: bigint): bigint {
  return amountIn > 0n && amountIn < TWO_256 ? amountIn : 0n
}

/** Wrapping changes no state that a quote depends on. */
export function applySwap(pool: WrapPool, _direction: Direction, _amountIn: bigint): WrapPool {
  return pool
}

/** Never: the wrapped token's contract always wraps. */
export function isEmpty(_pool: WrapPool): boolean {
  return false
}
