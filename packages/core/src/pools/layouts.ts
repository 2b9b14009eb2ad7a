// What each family says beside its maths, which a program that only decodes does not load: the bytes of a hop, and what
// somebody may move.

import { movable as algebraIntegralMovable } from './algebraIntegral/movable.js'
import { swapLayout as algebraIntegral } from './algebraIntegral/swap.js'
import { movable as algebraV1Movable } from './algebraV1/movable.js'
import { swapLayout as algebraV1 } from './algebraV1/swap.js'
import { movable as balancerBufferMovable } from './balancerBuffer/movable.js'
import { swapLayout as balancerBuffer } from './balancerBuffer/swap.js'
import { movable as balancerV2Movable } from './balancerV2/movable.js'
import { swapLayout as balancerV2 } from './balancerV2/swap.js'
import { movable as balancerV3Movable } from './balancerV3/movable.js'
import { swapLayout as balancerV3 } from './balancerV3/swap.js'
import { movable as camelotMovable } from './camelot/movable.js'
import { swapLayout as camelot } from './camelot/swap.js'
import { swapLayout as curveCrypto } from './curveCrypto/swap.js'
import { movable as curveStableSwapMovable } from './curveStableSwap/movable.js'
import { swapLayout as curveStableSwap } from './curveStableSwap/swap.js'
import { movable as erc4626Movable } from './erc4626/movable.js'
import { swapLayout as erc4626 } from './erc4626/swap.js'
import type { SwapLayout } from './family.js'
import { movable as instantUnstakeMovable } from './instantUnstake/movable.js'
import { swapLayout as instantUnstake } from './instantUnstake/swap.js'
import { movable as ladderMovable } from './ladder/movable.js'
import { encodeSwap as encodeLadder, swapLayout as ladder } from './ladder/swap.js'
import { swapLayout as liquidityBook } from './liquidityBook/swap.js'
import { movable as solidlyMovable } from './solidly/movable.js'
import { swapLayout as solidly } from './solidly/swap.js'
import { movable as stexMovable } from './stex/movable.js'
import { swapLayout as stex } from './stex/swap.js'
import { swapLayout as uniswapV2 } from './uniswapV2/swap.js'
import { movable as uniswapV3Movable } from './uniswapV3/movable.js'
import { swapLayout as uniswapV3 } from './uniswapV3/swap.js'
import { encodeSwap as encodeUniswapV4, swapLayout as uniswapV4 } from './uniswapV4/swap.js'
import { swapLayout as wrap } from './wrap/swap.js'

/** First byte and length of each family's hop; `undefined` if the router performs the hop itself. */
export const swapLayouts = {
  algebraIntegral,
  algebraV1,
  balancerBuffer,
  balancerV2,
  balancerV3,
  camelot,
  curveCrypto,
  curveStableSwap,
  erc4626,
  instantUnstake,
  ladder,
  liquidityBook,
  solidly,
  stex,
  uniswapV2,
  uniswapV3,
  uniswapV4,
  wrap,
}

/**
 * The families called by the swap with this `opcode`, and the swap's length in bytes; `undefined`
 * if there is none. Families that share an opcode cannot be distinguished in a program.
 */
export function swapOfOpcode(
  opcode: number,
): ({ readonly families: readonly Called[] } & SwapLayout) | undefined {
  const all: Readonly<Record<string, SwapLayout | undefined>> = swapLayouts
  const called = Object.entries(all).filter(([, layout]) => layout?.opcode === opcode)
  const layout = called[0]?.[1]
  return layout && { families: called.map(([name]) => name as Called), ...layout }
}

type Called = keyof typeof swapLayouts

/** The bytes of a hop, of each family whose layout alone does not say them. */
export const encoders = { ladder: encodeLadder, uniswapV4: encodeUniswapV4 }

/** What somebody may move in a pool, of each family in which that is not nothing. */
export const movables = {
  algebraIntegral: algebraIntegralMovable,
  algebraV1: algebraV1Movable,
  balancerBuffer: balancerBufferMovable,
  balancerV2: balancerV2Movable,
  balancerV3: balancerV3Movable,
  camelot: camelotMovable,
  curveStableSwap: curveStableSwapMovable,
  erc4626: erc4626Movable,
  instantUnstake: instantUnstakeMovable,
  ladder: ladderMovable,
  solidly: solidlyMovable,
  stex: stexMovable,
  uniswapV3: uniswapV3Movable,
}
