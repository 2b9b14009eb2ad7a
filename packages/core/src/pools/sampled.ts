/** Returns whether the samples of a pool are valid: they are of the block before the time for which quotes are made. */
export function isFresh({ sampledAt, quotedAt }: Sampled): boolean {
  return quotedAt === sampledAt + 1n
}

/**
 * The last second for which a pool was read, the one before the next block, and the time for which it is quoted, in unix
 * seconds. Where a block comes each second, the first is the time of the block that was read.
 */
export type Sampled = { readonly sampledAt: bigint; readonly quotedAt: bigint }
