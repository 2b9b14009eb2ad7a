import type { GraphEntry } from '@braid-swap/client'
import { floorAt, parseSlippagePpm } from '@braid-swap/core'
import { isWrap } from './wrap.js'

const PPM = 1_000_000n
const PPM_PER_PERCENT = 10_000

/**
 * The least, in wei, that a swap of this quote may pay at a slippage in percent; a bare wrap is one
 * for one. Undefined where the slippage is none.
 */
export function floorOf(
  { dstAmount, graph }: { readonly dstAmount: bigint; readonly graph: readonly GraphEntry[] },
  slippage: string,
): bigint | undefined {
  const ppm = parseSlippagePpm(slippage)
  if (ppm === undefined) return undefined
  if (graph.every(({ poolType }) => isWrap(poolType))) return dstAmount
  return floorAt(dstAmount, BigInt(ppm))
}

/**
 * The widest slippage, in percent, that still promises `floor` of an output, both in wei; undefined
 * where the output is below the floor already.
 */
export function slippageFor(dstAmount: bigint, floor: bigint): string | undefined {
  if (dstAmount < floor) return undefined
  return `${Number(((dstAmount - floor) * PPM) / dstAmount) / PPM_PER_PERCENT}`
}
