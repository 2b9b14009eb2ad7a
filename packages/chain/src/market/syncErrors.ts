// Why pools could not be synchronised to one block.

import { BaseError } from '@braid-swap/core'

/** The chain was reorganised while it was read; the reads are discarded. */
export class ChainMovedError extends BaseError {
  readonly code = 'CHAIN_MOVED'

  constructor({ number }: { readonly number: bigint }) {
    super(`block ${number} was replaced while the market was read`, { block: `${number}` })
  }
}

/** Pools changed faster than they could be read at one block. */
export class SyncIncompleteError extends BaseError {
  readonly code = 'SYNC_INCOMPLETE'

  constructor(pools: number, block: bigint) {
    super(`${pools} pools could not be read at one block; the last attempt was block ${block}`, {
      pools,
      block: `${block}`,
    })
  }
}
