// The gas limit of a transaction from an estimate of its gas, whether the estimate is ours or a
// node's.

import { divUp } from './math/fullMath.js'

/**
 * The gas limit for an estimate: a fifth more, rounded up. The state can change between the estimate
 * and the block, and a swap then crosses more ticks or writes more storage. Unused gas costs nothing.
 */
export function withGasMargin(gas: bigint): bigint {
  return divUp(gas * 12n, 10n)
}
