// One market from several snapshots, such as one for each venue. Input: snapshots with their names.
// Output: a snapshot with the pools of all. Snapshots that contradict each other are refused unless the
// caller says which one wins, because a mixture of two blocks is a market that never existed.

import { type Block, checkSnapshot, type Hex, type Pool, type Snapshot } from '@braid-swap/core'
import { ConflictError } from '../errors.js'
import { changedFields } from './diffMarkets.js'

/** Which snapshot wins where two contradict each other: by order of the files, or by block number. */
export const preferences = ['first', 'last', 'newest'] as const
export type Preference = (typeof preferences)[number]

/** A snapshot and the name that errors have for it. */
export type NamedMarket = { readonly name: string; readonly snapshot: Snapshot }

/**
 * Merges markets of one chain. With a preference, its snapshot gives the block and the state of pools that
 * several have. Throws SNAPSHOT_CONFLICT for other blocks, states or decimals without one and for other
 * chains always, and BAD_SNAPSHOT if a pool cannot be in the block of the winner.
 */
export function mergeMarkets(markets: readonly NamedMarket[], prefer?: Preference): Snapshot {
  const ranked = rank(markets, prefer)
  const [winner, ...others] = ranked
  if (!winner) throw new ConflictError('nothing to merge', { wanted: 'at least one snapshot' })
  const { chainId, wrappedNative, block } = winner.snapshot
  for (const other of others) requireSameChain(winner, other)
  if (prefer === undefined) {
    for (const other of others) requireSameBlock(winner, other)
    requireSameStates(ranked)
  }
  const tokens = new Map(
    ranked.toReversed().flatMap((each) => each.snapshot.tokens.map((t) => [t.address, t])),
  )
  const pools = new Map<Hex, Pool>()
  for (const { snapshot } of ranked.toReversed()) {
    for (const pool of snapshot.pools) pools.set(pool.id, atBlock(pool, block))
  }
  const merged = { chainId, block, wrappedNative, tokens: [...tokens.values()] }
  return checkSnapshot({ ...merged, pools: [...pools.values()] })
}

/** The winner first. */
function rank(markets: readonly NamedMarket[], prefer?: Preference): readonly NamedMarket[] {
  if (prefer === 'last') return markets.toReversed()
  if (prefer !== 'newest') return markets
  return markets.toSorted((a, b) => Number(b.snapshot.block.number - a.snapshot.block.number))
}

/** A pool that depends on time, quoted for a second after the block. */
function atBlock(pool: Pool, { timestamp }: Block): Pool {
  return 'quotedAt' in pool ? { ...pool, quotedAt: timestamp + 1n } : pool
}

function requireSameChain(one: NamedMarket, other: NamedMarket): void {
  for (const field of ['chainId', 'wrappedNative'] as const) {
    const [got, wanted] = [other.snapshot[field], one.snapshot[field]]
    if (got === wanted) continue
    throw new ConflictError(`${other.name} and ${one.name} are of two chains`, {
      ...{ field, got, wanted },
    })
  }
}

function requireSameBlock(one: NamedMarket, other: NamedMarket): void {
  for (const field of ['number', 'hash', 'timestamp', 'gasPrice', 'gasLimit'] as const) {
    const [got, wanted] = [other.snapshot.block[field], one.snapshot.block[field]]
    if (got === wanted) continue
    throw new ConflictError(`${other.name} and ${one.name} are of two blocks`, {
      ...{ field: `block.${field}`, got: `${got}` },
      wanted: `${wanted}, or --prefer ${preferences.join('|')}`,
    })
  }
}

function requireSameStates(markets: readonly NamedMarket[]): void {
  const pools = new Map<Hex, { readonly pool: Pool; readonly name: string }>()
  const tokens = new Map<string, { readonly decimals: number; readonly name: string }>()
  for (const { name, snapshot } of markets) {
    for (const pool of snapshot.pools) {
      const seen = pools.get(pool.id)
      const [field] = seen ? changedFields(seen.pool, pool) : []
      if (seen && field !== undefined) throw poolConflict(pool, field, [seen.name, name])
      pools.set(pool.id, { pool, name })
    }
    for (const { address, decimals } of snapshot.tokens) {
      const seen = tokens.get(address)
      if (seen && seen.decimals !== decimals) {
        throw new ConflictError(`${seen.name} and ${name} differ in the decimals of a token`, {
          ...{ token: address, got: decimals, wanted: seen.decimals },
        })
      }
      tokens.set(address, { decimals, name })
    }
  }
}

function poolConflict(pool: Pool, field: string, names: readonly [string, string]): ConflictError {
  return new ConflictError(`${names.join(' and ')} have a pool in two states`, {
    ...{ pool: pool.id, field, wanted: `one state, or --prefer ${preferences.join('|')}` },
  })
}
