import type { GraphEntry } from '@braid-swap/client'
import { floorOf, parseSlippagePpm } from '@braid-swap/core'

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
