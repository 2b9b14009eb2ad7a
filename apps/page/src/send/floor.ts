import type { GraphEntry } from '@braid-swap/client'
import { floorOf, parseSlippagePpm } from '@braid-swap/core'

const PPM = 1_000_000n
const PPM_PER_PERCENT = 10_000

/**
 * The minimum output of a quoted swap, in wei, at a slippage in percent. Undefined if the slippage is
 * invalid.
 */
export function floorAtPercent(
  { dstAmount, graph }: { readonly dstAmount: bigint; readonly graph: readonly GraphEntry[] },
  slippage: string,
): bigint | undefined {
  const ppm = parseSlippagePpm(slippage)
  if (ppm === undefined) return undefined
  const route = graph.map(({ from, to }) => ({ pool: { tokens: [from, to] } }))
  return floorOf({ amountOut: dstAmount, route }, BigInt(ppm))
}

/**
 * The largest slippage, in percent, that keeps the minimum output of `dstAmount` at `floor` or
 * above, both in wei. Undefined if `dstAmount` is already below `floor`.
 */
export function slippageFor(dstAmount: bigint, floor: bigint): string | undefined {
  if (dstAmount < floor) return undefined
  return `${Number(((dstAmount - floor) * PPM) / dstAmount) / PPM_PER_PERCENT}`
}
