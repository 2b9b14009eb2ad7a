// Synchronises all pools to one block by logs and reads, so that a snapshot never mixes blocks,
// even if the node can only read its latest one.

import { type Address, type Pool, sizeOfHex } from '@braid-swap/core'
import { applyLog, createdBy, isReplacing, load } from '../pools/index.js'
import type { LoadError } from '../pools/loadError.js'
import type { PoolRef } from '../pools/loader.js'
import { runLoads } from '../pools/runLoads.js'
import type { Venue } from '../pools/venue.js'
import { areOnChain, type Header, headersBetween, readHeader } from '../reads/headers.js'
import type { Log } from '../reads/log.js'
import type { BlockSeen } from '../reads/multicall.js'
import { readLogsOf } from '../reads/verifiedLogs.js'
import type { Client } from '../transport/client.js'
import { applyToShadow } from './logShadow.js'
import { withSubjects } from './logSubjects.js'
import { ChainMovedError, SyncIncompleteError } from './syncErrors.js'
import type { SyncedPools, SyncRequest } from './syncedPools.js'

/** Rounds of reads before a SyncIncompleteError; each round repairs reads that span several blocks. */
const ATTEMPTS = 8

/**
 * Brings all pools to one block: applies logs to known states, reads pools whose state the logs do
 * not determine, and carries a state read at another block to the target by the logs in between.
 * Throws a SyncIncompleteError, or after a reorganisation a ChainMovedError or NotContinuousError.
 */
export async function syncPools(client: Client, given: SyncRequest): Promise<SyncedPools> {
  const work: SyncState = {
    client,
    venues: given.venues,
    banned: given.banned ?? new Set(),
    refs: new Map(given.refs),
    failures: new Map(),
    moved: new Set(),
    reload: new Set(given.reload),
    states: new Map(),
    derived: new Map(given.derived?.map((pool) => [pool.id, pool])),
    derivedTo: given.base?.number ?? 0n,
    base: given.base,
    headers: [],
    logs: [],
    target: given.target,
    created: new Map(),
    dirty: [],
  }
  for (const [id, pool] of given.pools) {
    if (given.base) work.states.set(id, { pool, first: given.base.number, last: given.base.number })
  }
  if (given.base) await extend(work)
  for (let attempt = 0; ; attempt++) {
    applyLogs(work)
    // The last round does not mark stale pools again: one read too early must not block all others.
    if (attempt < ATTEMPTS - 1) markStale(work)
    if (work.reload.size === 0) return finish(work)
    if (attempt === ATTEMPTS) throw new SyncIncompleteError(work.reload.size, work.target.number)
    await reloadPools(work)
    await extend(work)
  }
}

type State = { pool: Pool; first: bigint; last: bigint }
type SyncState = {
  readonly client: Client
  readonly venues: readonly Venue[]
  readonly banned: ReadonlySet<Address>
  readonly refs: Map<Address, PoolRef>
  readonly failures: Map<Address, { readonly failure: LoadError; readonly at: bigint }>
  readonly moved: Set<Address>
  reload: Set<Address>
  /** A pool as of `last`, read at blocks from `first` on. */
  readonly states: Map<Address, State>
  readonly derived: Map<Address, Pool>
  derivedTo: bigint
  base: SyncRequest['base']
  /** The blocks after the base up to the target. */
  headers: readonly Header[]
  logs: readonly Log[]
  target: Header
  readonly created: Map<Address, bigint>
  /** Pools that a log of a contract they watch may have changed. */
  readonly dirty: { readonly id: Address; readonly at: bigint }[]
}

/** Reads the headers and logs between the last known header and the target. */
async function extend(work: SyncState): Promise<void> {
  const from = work.headers.at(-1) ?? work.base!
  if (from.number === work.target.number) {
    if (from.hash !== work.target.hash) throw new ChainMovedError(work.target)
    return
  }
  const headers = await headersBetween(work.client, from, work.target)
  const addresses = [
    ...work.venues.map(({ factory }) => factory.toLowerCase() as Address),
    // A pool without an address logs by its venue's factory.
    ...[...work.refs.keys()].filter((id) => sizeOfHex(id) === 20 && !work.banned.has(id)),
    ...watchersOf(work).keys(),
  ]
  const fromBlock = from.number + 1n
  const logs = await readLogsOf(work.client, { fromBlock, headers }, [...new Set(addresses)])
  // Blocks without headers are verified by their ends: both must still be on the chain.
  const isGap = headers[0]!.number > fromBlock
  if (isGap && !(await areOnChain(work.client, [from, headers[0]!]))) {
    throw new ChainMovedError(work.target)
  }
  work.headers = [...work.headers, ...headers]
  work.logs = [...work.logs, ...withSubjects(logs, work)]
}

/** Carries every state to the target by logs; marks the others for reading. */
function applyLogs(work: SyncState): void {
  const byFactory = new Map(work.venues.map((v) => [v.factory.toLowerCase(), v]))
  const watchers = watchersOf(work)
  const timestamps = new Map(work.headers.map(({ number, timestamp }) => [number, timestamp]))
  for (const untimed of work.logs) {
    const timestamp = timestamps.get(untimed.blockNumber)
    const log = timestamp === undefined ? untimed : { ...untimed, timestamp }
    if (log.blockNumber > work.derivedTo) applyToShadow(work.derived, log)
    const venue = byFactory.get(log.address)
    const ref = venue && createdBy(venue, log)
    if (ref && !work.refs.has(ref.id)) {
      work.refs.set(ref.id, ref)
      work.created.set(ref.id, log.blockNumber)
      work.reload.add(ref.id)
    } else if (work.refs.has(log.address) && !work.banned.has(log.address)) {
      applyOne(work, log)
    }
    // A creation log changes no existing pool.
    if (!ref) for (const id of watchers.get(log.address) ?? []) markDirty(work, id, log)
  }
  const { number } = work.target
  work.derivedTo = number
  for (const [id, state] of work.states) {
    if (!work.reload.has(id) && !isSampled(state.pool)) {
      work.states.set(id, { ...state, first: number, last: number })
    }
  }
}

/** Marks samples not of the target block, and failed reads of earlier ones: a replica may lag. */
function markStale({ states, failures, target, reload }: SyncState): void {
  for (const [id, { at }] of failures) if (at < target.number) reload.add(id)
  for (const [id, { pool, first, last }] of states) {
    if (isSampled(pool) && (first !== target.number || last !== first)) reload.add(id)
  }
}

const isSampled = (pool: Pool): boolean => pool.sampledAt !== undefined

/** The pools that watch each contract. */
function watchersOf({ states }: SyncState): ReadonlyMap<Address, readonly Address[]> {
  const watchers = new Map<Address, Address[]>()
  for (const [id, { pool }] of states) {
    for (const address of pool.watched ?? []) {
      const ids = watchers.get(address) ?? []
      ids.push(id)
      watchers.set(address, ids)
    }
  }
  return watchers
}

function markDirty(work: SyncState, id: Address, { blockNumber }: Log): void {
  work.dirty.push({ id, at: blockNumber })
  const state = work.states.get(id)
  if (state && blockNumber > state.first) work.reload.add(id)
}

function applyOne(work: SyncState, log: Log): void {
  const id = log.address
  if (work.reload.has(id)) return
  const state = work.states.get(id)
  if (!state) {
    // A pool that could not be read may be readable after a new log.
    if (log.blockNumber > (work.failures.get(id)?.at ?? -1n)) work.reload.add(id)
    return
  }
  if (log.blockNumber <= state.first) return
  const isDerived = log.blockNumber > state.last || isReplacing(state.pool, log)
  const pool = isDerived ? applyLog(state.pool, log) : 'reload'
  if (pool === 'reload') work.reload.add(id)
  else if (pool !== state.pool) {
    state.pool = pool
    work.moved.add(id)
  }
}

/** Reads the marked pools, and advances the target if the node read later blocks. */
async function reloadPools(work: SyncState): Promise<void> {
  const { target } = work
  const ids = [...work.reload]
  const loads = ids.map((id) => load(work.refs.get(id)!))
  const outcomes = await runLoads(work.client, loads, target)
  work.reload = new Set()
  const seen: BlockSeen[] = []
  for (const [i, id] of ids.entries()) {
    const outcome = outcomes[i]!
    work.moved.add(id)
    seen.push(...outcome.seen)
    const numbers = outcome.seen.map(({ number }) => number)
    const first = numbers.reduce((x, y) => (x < y ? x : y), numbers[0] ?? target.number)
    const last = numbers.reduce((x, y) => (x > y ? x : y), first)
    if ('failure' in outcome) {
      work.states.delete(id)
      // The read may span two blocks, so a log after its first block can be the cause.
      work.failures.set(id, { failure: outcome.failure, at: first })
      // The node read a block before the pool was created.
      if (first < (work.created.get(id) ?? 0n)) work.reload.add(id)
      continue
    }
    work.failures.delete(id)
    work.states.set(id, { pool: withSampleTime(outcome.value, outcome.seen), first, last })
    // The logs before the target were read without this pool, so they cannot carry it there.
    if (work.created.has(id) && first < target.number) work.reload.add(id)
  }
  await verifySeen(work, seen)
}

/** A sampled pool with the time of the first block in which it was sampled. */
function withSampleTime(pool: Pool, seen: readonly BlockSeen[]): Pool {
  const sampledAt = seen[0]?.timestamp
  return isSampled(pool) && sampledAt !== undefined ? { ...pool, sampledAt } : pool
}

/** Checks that each batch read a block of the followed chain; the newest becomes the target. */
async function verifySeen(work: SyncState, seen: readonly BlockSeen[]): Promise<void> {
  const distinct = new Map(seen.map((s) => [`${s.number} ${s.parentHash} ${s.timestamp}`, s]))
  const known = new Map([...work.headers, work.target].map((h) => [h.number, h]))
  const headers = await Promise.all(
    [...distinct.values()].map(async (s) => {
      const header = known.get(s.number) ?? (await readHeader(work.client, s.number))
      if (header.parentHash !== s.parentHash || header.timestamp !== s.timestamp) {
        throw new ChainMovedError(s)
      }
      return header
    }),
  )
  const oldest = headers.reduce((a, b) => (a.number < b.number ? a : b), work.target)
  const newest = headers.reduce((a, b) => (a.number > b.number ? a : b), work.target)
  if (work.base && oldest.number < work.base.number) throw new ChainMovedError(oldest)
  work.base ??= oldest
  work.target = newest
}

function finish(work: SyncState): SyncedPools {
  const touched = new Map<bigint, Set<Address>>()
  for (const log of work.logs) {
    const ids = touched.get(log.blockNumber) ?? new Set()
    touched.set(log.blockNumber, ids.add(log.address))
  }
  for (const { id, at } of work.dirty) touched.get(at)?.add(id)
  const trail = work.headers.map(({ number, hash, gasLimit }) => ({
    number,
    hash,
    gasLimit,
    touched: [...(touched.get(number) ?? [])],
    created: [...work.created].filter(([, at]) => at === number).map(([id]) => id),
  }))
  return {
    header: work.target,
    pools: new Map([...work.states].map(([id, { pool }]) => [id, pool])),
    derived: work.derived,
    refs: work.refs,
    failures: new Map([...work.failures].map(([id, { failure }]) => [id, failure])),
    moved: work.moved,
    recentBlocks: trail,
  }
}
