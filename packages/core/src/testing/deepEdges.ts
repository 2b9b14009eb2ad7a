import { toHex } from '../hex.js'
import type { Tick } from '../math/concentrated.js'
import { getSqrtPriceAtTick } from '../math/tickMath.js'
import type { UniswapV3Pool } from '../pools/uniswapV3/index.js'
import { token } from './arbitraryMarkets.js'

/**
 * A deep position one tick wide inside a thin one. The price is inside the deep one, at a distance
 * from its edge of the width of a tick shifted right by `shift` bits.
 */
export function deepEdgePool(position: {
  /** The tick next to the price, and whether the price is above it. */
  readonly edge: number
  readonly isAbove: boolean
  readonly shift: number
  /** Liquidity in bits: of the deep tick, and of all ticks within `halfWidth`. */
  readonly deepBits: number
  readonly thinBits: number
  readonly halfWidth: number
}): UniswapV3Pool {
  const { edge, isAbove, shift, halfWidth } = position
  const tick = isAbove ? edge : edge - 1
  const [low, high] = [getSqrtPriceAtTick(tick), getSqrtPriceAtTick(tick + 1)]
  const width = high - low
  // Inside the tick: its lower end belongs to it, its upper end does not.
  const distance = width >> BigInt(shift)
  const sqrtPriceX96 = isAbove ? min(low + distance, high - 1n) : high - max(distance, 1n)
  const [deep, thin] = [1n << BigInt(position.deepBits), 1n << BigInt(position.thinBits)]
  return {
    ...{ family: 'uniswapV3', id: toHex(0xdee9, 20), venue: 'test', feePpm: 500, tickSpacing: 1 },
    ...{ tokens: [token(1), token(2)], sqrtPriceX96, tick, liquidity: deep + thin },
    ticks: positionTicks([
      [tick - halfWidth, thin],
      [tick, deep],
      [tick + 1, -deep],
      [tick + halfWidth, -thin],
    ]),
  }
}

function positionTicks(changes: readonly (readonly [number, bigint])[]): readonly Tick[] {
  const net = new Map<number, bigint>()
  for (const [index, change] of changes) net.set(index, (net.get(index) ?? 0n) + change)
  return [...net]
    .map(([index, liquidityNet]) => ({ index, liquidityNet }))
    .filter(({ liquidityNet }) => liquidityNet !== 0n)
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
