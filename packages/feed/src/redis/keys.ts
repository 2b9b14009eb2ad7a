/** The names of Redis keys. Braces keep all of a chain's keys on one node of a cluster. */
import { createHash } from 'node:crypto'
import type { Hex } from '@braid-swap/core'
import { stringify } from '@braid-swap/core/advanced'
import { FORMAT } from '../feed.js'

/**
 * Names what a market is of, in 12 hex digits: processes with another router, other venues or another format publish
 * and read their own market, beside ours.
 */
export function deploymentOf(of: {
  readonly router: Hex
  readonly wrappedNative: Hex
  /** The venues, in the order in which they are configured. */
  readonly venues: readonly object[]
  readonly format?: number
}): string {
  const { router, wrappedNative, venues, format = FORMAT } = of
  const text = stringify([format, router, wrappedNative, venues.map(sortedEntries)])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The entries of a record, whose order must not matter. */
function sortedEntries(record: object): readonly (readonly [string, unknown])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The name of a key of a chain. */
export function keyOf(chainId: number, name: string): string {
  return `braid:{${chainId}}:${name}`
}
