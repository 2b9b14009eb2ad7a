/**
 * Whether what a pool was asked still counts: it was asked in the block before the one that quotes
 * are for. Small blocks come each second.
 */
export function isFresh({ sampledAt, quotedAt }: Sampled): boolean {
  return quotedAt === sampledAt + SMALL_BLOCK_SECONDS
}

/** When a pool was asked, and for when it is quoted: unix seconds of blocks. */
export type Sampled = { readonly sampledAt: bigint; readonly quotedAt: bigint }

const SMALL_BLOCK_SECONDS = 1n
