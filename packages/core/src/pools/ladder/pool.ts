import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/**
 * How a pool that is sampled is asked and called. `estimateSwap`: it answers
 * `estimateSwapBatch(address,address,uint256[])` and takes
 * `swap(address,address,uint256,uint256)` itself, paid by an approval.
 */
export type LadderProtocol = 'estimateSwap'

/** Amounts in, in wei, and what the pool said it pays for each; both rise from rung to rung. */
export type Ladder = readonly (readonly [amountIn: bigint, amountOut: bigint])[]

/** A pool whose price is not in its state, known by what it answered in one block. */
export type LadderPool = PoolBase & {
  readonly family: 'ladder'
  readonly tokens: readonly [Address, Address]
  readonly protocol: LadderProtocol
  /** What it pays for token 0 and for token 1. */
  readonly ladders: readonly [Ladder, Ladder]
  /** Unix seconds of the block it answered in; for any other block it pays nothing. */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
