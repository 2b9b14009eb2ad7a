/**
 * Returns whether the samples of a pool are valid: they were read in the block one second before the time
 * for which quotes are made, because small blocks come every second.
 */
export function isFresh({ sampledAt, quotedAt }: Sampled): boolean {
  return quotedAt === sampledAt + SMALL_BLOCK_SECONDS
}

/** When a pool was read, and for which time it is quoted, in unix seconds of blocks. */
export type Sampled = { readonly sampledAt: bigint; readonly quotedAt: bigint }

/** HyperEVM's small blocks come every second. */
export const SMALL_BLOCK_SECONDS = 1n
