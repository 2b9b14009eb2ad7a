// What changed between two snapshots. Input: two snapshots. Output: pools and tokens that came, went or
// changed, and which fields of a pool changed. Pools are plain data, so they are compared as data.

import {
  type Address,
  type Block,
  type Hex,
  ownValue,
  type Pool,
  type Snapshot,
} from '@braid-swap/core'

/** A pool that both snapshots have in different states. */
export type ChangedPool = {
  readonly pool: Hex
  readonly venue: string
  readonly family: string
  /** Paths of the fields that differ, such as `ticks[3].net`. */
  readonly fields: readonly string[]
}

/** The differences from one market to another. */
export type MarketDiff = {
  readonly blocks: readonly [Block, Block]
  /** Other fields of the two snapshots that differ, such as `chainId`. */
  readonly fields: readonly string[]
  readonly added: readonly Hex[]
  readonly removed: readonly Hex[]
  readonly changed: readonly ChangedPool[]
  readonly unchanged: number
  readonly tokensAdded: readonly Address[]
  readonly tokensRemoved: readonly Address[]
  /** Tokens with other decimals. */
  readonly tokensChanged: readonly Address[]
}

/** Compares two markets by the ids of their pools and the addresses of their tokens. */
export function diffMarkets(before: Snapshot, after: Snapshot): MarketDiff {
  const [old, young] = [byId(before.pools), byId(after.pools)]
  const [oldTokens, newTokens] = [decimalsOf(before), decimalsOf(after)]
  const changed: ChangedPool[] = []
  let unchanged = 0
  for (const [id, pool] of young) {
    const was = old.get(id)
    if (!was) continue
    const fields = changedFields(was, pool)
    if (fields.length === 0) unchanged += 1
    else changed.push({ pool: id, venue: pool.venue, family: pool.family, fields })
  }
  return {
    blocks: [before.block, after.block],
    fields: (['chainId', 'wrappedNative'] as const).filter((name) => before[name] !== after[name]),
    added: [...young.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !young.has(id)),
    ...{ changed, unchanged },
    tokensAdded: [...newTokens.keys()].filter((token) => !oldTokens.has(token)),
    tokensRemoved: [...oldTokens.keys()].filter((token) => !newTokens.has(token)),
    tokensChanged: [...newTokens].flatMap(([token, decimals]) =>
      (oldTokens.get(token) ?? decimals) === decimals ? [] : [token],
    ),
  }
}

/**
 * The paths of the fields in which two states of a pool differ. The second that a quote is for
 * (`quotedAt`) follows from the block and is no difference.
 */
export function changedFields(before: Pool, after: Pool): readonly string[] {
  const { quotedAt: _, ...old } = before
  const { quotedAt: __, ...young } = after
  return pathsOfChanges(old, young, '')
}

function pathsOfChanges(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === after) return []
  if (!isObject(before) || !isObject(after)) return [path]
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) return [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const inside = Array.isArray(before) ? `${path}[${name}]` : path ? `${path}.${name}` : name
    return pathsOfChanges(ownValue(before, name), ownValue(after, name), inside)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function byId(pools: readonly Pool[]): ReadonlyMap<Hex, Pool> {
  return new Map(pools.map((pool) => [pool.id, pool]))
}

function decimalsOf({ tokens }: Snapshot): ReadonlyMap<Address, number> {
  return new Map(tokens.map(({ address, decimals }) => [address, decimals]))
}
