/**
 * Resolves the caller's options into the terms of one order: defaults, and gas in the token out.
 */
import type { Graph } from '../graph.js'
import type { Order } from '../order.js'
import type { Options } from './options.js'
import type { Reference } from './reference/referencePrices.js'

/** The terms on which an order is solved and bounded. */
export type Terms = {
  readonly objective: 'net' | 'gross'
  /** Units of the token out per gas; 0 if gas is free, cannot be valued or does not count. */
  readonly gasCost: number
  /** Most hops of the route. */
  readonly maxLegs: number
  /** Most gas of the whole transaction. */
  readonly maxGas: number
}

const DEFAULT_MAX_LEGS = 24
const GAS_SHARE_OF_BLOCK = 0.8

/** Options with their defaults. Gas is valued in the token out at the reference prices. */
export function termsOf(
  { snapshot, tokenNumber }: Graph,
  { price, isValued }: Reference,
  { tokenOut }: Order,
  options: Options,
): Terms {
  const objective = options.objective ?? 'net'
  const sink = tokenNumber.get(tokenOut)
  const isPriced = sink !== undefined && isValued[sink] === 1
  const gasPrice = Number(options.gasPrice ?? snapshot.block.gasPrice)
  return {
    objective,
    gasCost: objective === 'net' && isPriced ? gasPrice / price[sink]! : 0,
    maxLegs: options.maxLegs ?? DEFAULT_MAX_LEGS,
    maxGas: options.maxGas ?? Number(snapshot.block.gasLimit) * GAS_SHARE_OF_BLOCK,
  }
}
