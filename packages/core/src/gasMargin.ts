// The gas limit and the gas price of a transaction, with room for what changes before it is mined.

import { divUp, mulDivUp } from './math/fullMath.js'

/**
 * The gas limit for an estimate: a fifth more, rounded up. The state can change between the estimate
 * and the block, and a swap then crosses more ticks or writes more storage. Unused gas costs nothing.
 */
export function withGasMargin(gas: bigint): bigint {
  return divUp(gas * 12n, 10n)
}

/** Full blocks after which a transaction can still be mined at the price that it names. */
const FULL_BLOCKS = 6n

/**
 * The gas price for a transaction, in wei, from the present price: what the base fee is after six full
 * blocks, each of which raises it by an eighth (EIP-1559), rounded up. The part above the base fee is not
 * paid by a transaction of type 2 that names it as `maxFeePerGas`.
 */
export function withGasPriceMargin(gasPrice: bigint): bigint {
  return mulDivUp(gasPrice, 9n ** FULL_BLOCKS, 8n ** FULL_BLOCKS)
}
