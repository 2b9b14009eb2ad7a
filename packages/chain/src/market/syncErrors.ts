// The reasons for which a market cannot advance to a block.

import { type Address, BaseError } from '@braid-swap/core'

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

/** The state of a pool that follows from its logs differs from the chain's. */
export class DriftError extends BaseError {
  readonly code = 'POOL_DRIFTED'

  constructor(pool: Address, block: bigint) {
    super(`the state of pool ${pool} drifted from the chain by block ${block}`, {
      pool,
      block: `${block}`,
    })
  }
}

/** The node's newest block is older than the whole trail: it lags, or its chain was replaced. */
export class HeadBehindError extends BaseError {
  readonly code = 'HEAD_BEHIND'

  constructor(got: { readonly number: bigint }, oldest: { readonly number: bigint }) {
    super(`the node is at block ${got.number}, before the oldest known block ${oldest.number}`, {
      got: `${got.number}`,
      oldest: `${oldest.number}`,
    })
  }
}
