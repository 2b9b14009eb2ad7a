// The gas limit and the gas price of a transaction, with room for what changes before it is mined.

import { divUp, mulDivUp } from './math/fullMath.js'

/**
 * The gas limit for an estimate: a fifth more, rounded up. The state can change between the estimate
 * and the block, and a swap then crosses more ticks or writes more storage. Unused gas costs nothing.
 */
export function withGasMargin(gas: bigint): bigint {
  return divUp(gas * 12n, 10n)
}

/** Full blocks after which a transaction can still be mined at the `maxFeePerGas` that it names. */
const FULL_BLOCKS = 6n

/** Full blocks that a legacy price has room for: it is paid whole. */
const LEGACY_FULL_BLOCKS = 1n

/** The highest tip that another's word is enough for, as a multiple of the base fee. */
export const MAX_TIP_OVER_BASE = 20n

/** What a transaction may pay, in wei per gas: with `gasPrice` as one of type 0, with the others as one of type 2. */
export type TxFees = {
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The fees of a transaction in the next block, with room for full blocks, from its base fee and a tip. */
export function txFeesOf(baseFee: bigint, tip: bigint): TxFees {
  return {
    gasPrice: withGasPriceMargin(baseFee, LEGACY_FULL_BLOCKS) + tip,
    maxFeePerGas: withGasPriceMargin(baseFee) + tip,
    maxPriorityFeePerGas: tip,
  }
}

/**
 * The most per gas for a transaction of type 2, in wei, from the present base fee: what it is after six
 * full blocks, each of which raises it by an eighth (EIP-1559), rounded up. The part above the base fee
 * is not paid. A legacy transaction pays all of its price, and is given room for fewer `fullBlocks`.
 */
export function withGasPriceMargin(baseFee: bigint, fullBlocks: bigint = FULL_BLOCKS): bigint {
  return mulDivUp(baseFee, 9n ** fullBlocks, 8n ** fullBlocks)
}
