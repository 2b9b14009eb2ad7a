import type { Address, Hex } from '@braid-swap/core'

/**
 * A read-only contract call. If a `mayFail` call fails, its answer is `0x`; any other fails its
 * load.
 */
export type Call = {
  readonly to: Address
  readonly data: Hex
  readonly mayFail?: true
  /**
   * Reads the storage slot `data` instead, for values without a getter. Unlike a call it does not
   * report its block, so a load that reads slots makes calls before and after.
   */
  readonly isSlot?: true
  /**
   * Reads the node's newest state, whatever the block of the load: only there do some precompiles
   * answer, and the call may burn all its gas elsewhere.
   */
  readonly isLatest?: true
  /**
   * Runs `data` as creation code and takes what it returns, for answers that would need thousands of
   * calls. The first three words that it returns are its block's number, parent hash and time.
   */
  readonly isProgram?: true
  /** Asks for the hash of the code of `to` instead, by `codeHashOf`. Like a slot it does not report its block. */
  readonly isCode?: true
  /**
   * Asks for the words of `data`, a selector, with each argument from `first` up to `end`: those that are not
   * zero come back with their arguments, as `scannedWords` reads them.
   */
  readonly scan?: { readonly first: number; readonly end: number }
}

/** The block of a batch, as the EVM that executed it reports. */
export type BlockSeen = {
  readonly number: bigint
  readonly parentHash: Hex
  readonly timestamp: bigint
}

/** The answer to one call; `seen` is absent if the node refused to run it at all. */
export type CallResult = {
  readonly success: boolean
  readonly data: Hex
  readonly seen?: BlockSeen
}
