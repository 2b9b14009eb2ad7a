// The bytes of each family's hop, without its maths: a program that only decodes does not load any.

import { swapLayout as algebraIntegral } from './algebraIntegral/swap.js'
import { swapLayout as algebraV1 } from './algebraV1/swap.js'
import { swapLayout as balancerBuffer } from './balancerBuffer/swap.js'
import { swapLayout as balancerV2 } from './balancerV2/swap.js'
import { swapLayout as balancerV3 } from './balancerV3/swap.js'
import { swapLayout as camelot } from './camelot/swap.js'
import { swapLayout as curveCrypto } from './curveCrypto/swap.js'
import { swapLayout as curveStableSwap } from './curveStableSwap/swap.js'
import { swapLayout as erc4626 } from './erc4626/swap.js'
import type { SwapLayout } from './family.js'
import { swapLayout as instantUnstake } from './instantUnstake/swap.js'
import { swapLayout as ladder } from './ladder/swap.js'
import { swapLayout as liquidityBook } from './liquidityBook/swap.js'
import { swapLayout as solidly } from './solidly/swap.js'
import { swapLayout as stex } from './stex/swap.js'
import { swapLayout as uniswapV2 } from './uniswapV2/swap.js'
import { swapLayout as uniswapV3 } from './uniswapV3/swap.js'
import { swapLayout as uniswapV4 } from './uniswapV4/swap.js'
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
