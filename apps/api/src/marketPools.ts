import type { Snapshot } from '@braid-swap/core'

/** Whether a market has a pool that trades; the one that wraps the native token is always there. */
export function hasPools({ pools }: Snapshot): boolean {
  return pools.some(({ family }) => family !== 'wrap')
}
