import type { Direction } from '@braid-swap/core'
import type { PoolRef } from '../pools/loader.js'
import type { BlockSeen } from '../reads/call.js'
import type { Header } from '../reads/headers.js'

/** An input and the output of the bytecode for it, in wei, at the block that the node ran it at. */
export type ProbedSwap = {
  readonly direction: Direction
  readonly amountIn: bigint
  /**
   * 0 if the contract reverts, pays nothing or does not take the whole input; absent if a pair pays more
   * or less than core computes, which is all that it can be asked.
   */
  readonly amountOut?: bigint
  readonly seen: BlockSeen
}

/** Where a pool is asked, and which pools may lend a pair its input. */
export type ProbeOptions = {
  readonly block: Pick<Header, 'number' | 'hash' | 'timestamp'>
  readonly lenders: readonly Pick<PoolRef, 'id' | 'family' | 'tokens'>[]
}

/** Both directions of a pool of two tokens. */
export const DIRECTIONS: readonly Direction[] = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]
