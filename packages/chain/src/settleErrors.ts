import { BaseError } from '@braid-swap/core'

/** The chain went another way while it was being read; what was read is dropped. */
export class ChainMovedError extends BaseError {
  readonly code = 'CHAIN_MOVED'

  constructor({ number }: { readonly number: bigint }) {
    super(`block ${number} is not the block that was there before`, { block: `${number}` })
  }
}

/** Pools kept moving faster than they could be read at one block. */
export class UnsettledError extends BaseError {
  readonly code = 'UNSETTLED'

  constructor(pools: number, block: bigint) {
    super(`${pools} pools could not be read at one block, the last try being ${block}`, {
      pools,
      block: `${block}`,
    })
  }
}
