import type { Snapshot } from '@braid-swap/core'

/** True if a market has a pool besides the wrapper of the native token, which is always present. */
export function hasPools({ pools }: Snapshot): boolean {
  return pools.some(({ family }) => family !== 'wrap')
}

/** The venues that have pools. */
export function venuesOf({ pools }: Snapshot): ReadonlySet<string> {
  return new Set(pools.flatMap(({ family, venue }) => (family === 'wrap' ? [] : [venue])))
}
