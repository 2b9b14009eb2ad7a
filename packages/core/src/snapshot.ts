import type { Address, Hex } from './hex.js'
import type { Pool } from './pools/index.js'

/** The block of a snapshot. */
export type Block = {
  readonly number: bigint
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Seconds from this block to the next; 1 if absent. */
  readonly nextSeconds?: bigint
  /** Wei per gas that a transaction in the next block pays: its base fee and `priorityFee`. */
  readonly gasPrice: bigint
  /** The part of `gasPrice` that pays for a place in a full block; absent while blocks have room. */
  readonly priorityFee?: bigint
  /** Gas limit of an ordinary (small) block. */
  readonly gasLimit: bigint
}

/** The part of a token that the maths needs. Symbols and names are loaded separately. */
export type Token = { readonly address: Address; readonly decimals: number }

/** The whole market at one block: immutable, plain and JSON-serialisable. */
export type Snapshot = {
  readonly chainId: number
  readonly block: Block
  readonly wrappedNative: Address
  readonly tokens: readonly Token[]
  /** One entry per pool id, including the wrapping pool. */
  readonly pools: readonly Pool[]
}

/** The change of a snapshot from one block to the next. */
export type SnapshotChange = {
  readonly block: Block
  /** Changed and new pools, in their state at the block. */
  readonly pools: readonly Pool[]
  readonly removed?: readonly Hex[]
  /** New tokens. */
  readonly tokens?: readonly Token[]
}

/** The time of the block after this one, for which pools are quoted, in unix seconds. */
export function nextTimeOf({
  timestamp,
  nextSeconds = 1n,
}: Pick<Block, 'timestamp' | 'nextSeconds'>): bigint {
  return timestamp + nextSeconds
}

/**
 * The snapshot of the next block: changed pools replaced, new pools added, all others shared. Pools
 * that depend on time are quoted for the block after it.
 */
export function advance(snapshot: Snapshot, next: SnapshotChange): Snapshot {
  const listed = new Set(next.tokens?.length ? snapshot.tokens.map((token) => token.address) : [])
  const added = (next.tokens ?? []).filter((token) => !listed.has(token.address))
  const tokens = added.length ? [...snapshot.tokens, ...added] : snapshot.tokens
  const pools = replacePools(snapshot.pools, next)
  const quotedAt = nextTimeOf(next.block)
  for (const i of placesOf(pools).timed) {
    const pool = pools[i]!
    if ('quotedAt' in pool) pools[i] = { ...pool, quotedAt }
  }
  return { ...snapshot, block: next.block, pools, tokens }
}

function replacePools(before: readonly Pool[], next: SnapshotChange): Pool[] {
  const places = placesOf(before)
  const isKnown = next.pools.every(({ id }) => places.indexOf.has(id))
  if (!isKnown || next.removed?.length) {
    const changed = new Map(next.pools.map((pool) => [pool.id, pool]))
    const removed = new Set(next.removed)
    const left = before.filter(({ id }) => !removed.has(id))
    const kept = left.map((pool) => changed.get(pool.id) ?? pool)
    for (const { id } of left) changed.delete(id)
    return [...kept, ...changed.values()]
  }
  const pools = before.slice()
  for (const pool of next.pools) pools[places.indexOf.get(pool.id)!] = pool
  // The index stays valid if no pool begins or ceases to depend on time.
  const isTimed = (pool: Pool) => 'quotedAt' in pool
  const isSame = next.pools.every(
    (pool) => isTimed(pool) === isTimed(before[places.indexOf.get(pool.id)!]!),
  )
  if (isSame) known.set(pools, places)
  return pools
}

/** The index of each pool of a snapshot, and the indices of pools that depend on time. */
type Places = { readonly indexOf: ReadonlyMap<Hex, number>; readonly timed: readonly number[] }

// Cached, because most blocks change pools and neither add nor remove any.
const known = new WeakMap<readonly Pool[], Places>()

function placesOf(pools: readonly Pool[]): Places {
  const made = known.get(pools)
  if (made) return made
  const indexOf = new Map(pools.map(({ id }, i) => [id, i]))
  const timed = [...pools.keys()].filter((i) => 'quotedAt' in pools[i]!)
  known.set(pools, { indexOf, timed })
  return { indexOf, timed }
}
