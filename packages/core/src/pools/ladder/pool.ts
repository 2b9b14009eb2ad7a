import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/**
 * The quote functions and swap calls of sampled pools. `estimateSwap`: the pool itself has
 * `estimateSwapBatch(address,address,uint256[])` or `estimateSwap(address,address,uint256)`, and
 * `swap(address,address,uint256,uint256)`, and is paid by an approval. `vault`: an ERC-4626 vault, asset
 * first, with `previewDeposit` and `previewRedeem`, that is swapped with as every vault.
 */
export const ladderProtocols = ['estimateSwap', 'vault'] as const

/** One of {@link ladderProtocols}. */
export type LadderProtocol = (typeof ladderProtocols)[number]

/** Inputs and the pool's quoted outputs, in wei; both increase from rung to rung. */
export type Ladder = readonly (readonly [amountIn: bigint, amountOut: bigint])[]

/** A pool whose price is not in its state, known only by quotes sampled in one block. */
export type LadderPool = PoolBase & {
  readonly family: 'ladder'
  readonly tokens: readonly [Address, Address]
  readonly protocol: LadderProtocol
  /** The ladders for an input of token 0 and of token 1. */
  readonly ladders: readonly [Ladder, Ladder]
  /** Unix seconds of the sampled block; the samples are valid only for the next second. */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
