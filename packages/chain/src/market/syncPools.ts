// Synchronises all pools to one block by logs and reads, so that a snapshot never mixes blocks,
// even if the node can only read its latest one.

import type { Address, Pool } from '@braid-swap/core'
import { applyLog, createdBy, glanceAt, isReplacing, isShared, load } from '../loaders/loaders.js'
import { runLoads } from '../pools/runLoads.js'
import type { BlockSeen } from '../reads/call.js'
import { secondsOf } from '../reads/headers.js'
import type { Log } from '../reads/log.js'
import { createReader } from '../reads/multicall.js'
import { isUnderWatch, noteWrongLogs } from '../reads/roundLogs.js'
import type { Client } from '../transport/client.js'
import { extend, moveTarget } from './extendLogs.js'
import { applyToShadow } from './logShadow.js'
import { SyncIncompleteError } from './syncErrors.js'
import type { Check, Comparison, SyncedPools, SyncRequest } from './syncedPools.js'
import { type SyncState, watchersOf } from './syncState.js'

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
    readAt: new Map(),
    derived: new Map(given.derived?.map((pool) => [pool.id, pool])),
    derivedTo: given.base?.number ?? 0n,
    base: given.base,
    reached: given.base,
    read: given.base && given.read,
    logs: [],
    doubts: new Map(),
    unproved: new Set(),
    skipped: [],
    changedBehaviour: new Set(),
    swaps: [],
    target: given.target,
    created: new Map(),
    seen: [],
  }
  for (const [id, pool] of given.pools) {
    if (given.base) work.states.set(id, { pool, first: given.base.number, last: given.base.number })
  }
  if (given.base) await extend(work)
  let comparison: Comparison | undefined
  for (let attempt = 0; ; attempt++) {
    applyLogs(work)
    markDoubted(work)
    // The last round does not mark stale pools again: one read too early must not block all others.
    if (attempt < ATTEMPTS - 1) markStale(work)
    const check = attempt === 0 ? checkedIn(work, given.check) : undefined
    if (check) {
      comparison = await compare(work, check)
      const { drifted, undecided } = comparison
      for (const id of drifted) work.reload.add(id)
      if (drifted.length > 0) noteWrongLogs(work.client)
      if (work.skipped.length > 0) for (const id of undecided) work.reload.add(id)
    }
    if (work.reload.size === 0) return finish(work, comparison, given.unproved ?? [])
    if (attempt === ATTEMPTS) throw new SyncIncompleteError(work.reload.size, work.target.number)
    await reloadPools(work)
    await extend(work)
  }
}

/** The pools to compare; what a skipped block changed is in no log, so that then every pool is. */
function checkedIn(work: SyncState, check: Check | undefined): readonly Address[] | undefined {
  if (work.skipped.length > 0) return [...work.refs.keys()]
  const isDoubtful = work.unproved.size > 0 && isUnderWatch(work.client)
  return check?.isDue || isDoubtful || work.doubts.size > 0 ? check?.ids : undefined
}

/** Carries every state to the target by logs; marks the others for reading. */
function applyLogs(work: SyncState): void {
  const byFactory = new Map(work.venues.map((v) => [v.factory.toLowerCase(), v]))
  const watchers = watchersOf(work)
  for (const log of work.logs) {
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

/** Marks the pools in doubt that were not read since. */
function markDoubted(work: SyncState): void {
  const poolsOf = poolsBehind(work)
  for (const [address, at] of work.doubts) {
    for (const id of poolsOf(address)) {
      const state = work.states.get(id)
      if (state && at > (work.readAt.get(id) ?? -1n)) work.reload.add(id)
    }
  }
}

/** The pools that a log of a contract may change: its own, those that watch it, those that it keeps. */
function poolsBehind(work: SyncState): (contract: Address) => readonly Address[] {
  const watchers = watchersOf(work)
  const shared = new Map(
    work.venues.filter(isShared).map(({ id, factory }) => [factory.toLowerCase(), id]),
  )
  return (contract) => {
    const venue = shared.get(contract)
    const own = venue ? [...work.refs.values()].filter((ref) => ref.venue === venue) : []
    return [contract, ...(watchers.get(contract) ?? []), ...own.map(({ id }) => id)]
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

function markDirty(work: SyncState, id: Address, { blockNumber }: Log): void {
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
  work.seen = [...work.seen, ...outcomes.flatMap(({ seen }) => seen)]
  for (const [i, id] of ids.entries()) {
    const outcome = outcomes[i]!
    work.moved.add(id)
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
    work.readAt.set(id, first)
    work.states.set(id, { pool: withSampleTime(work, outcome), first, last })
    // The logs before the target were read without this pool, so they cannot carry it there.
    if (work.created.has(id) && first < target.number) work.reload.add(id)
  }
  await moveTarget(work)
}

/** A sampled pool with the last second of the first block in which it was sampled. */
function withSampleTime(
  { client }: SyncState,
  { value: pool, seen }: { readonly value: Pool; readonly seen: readonly BlockSeen[] },
): Pool {
  const first = seen[0]?.timestamp
  if (!isSampled(pool) || first === undefined) return pool
  return { ...pool, sampledAt: first + secondsOf(client) - 1n }
}

/** Compares states with cheap reads, which a node may answer at a later block than the target. */
async function compare(work: SyncState, ids: readonly Address[]): Promise<Comparison> {
  const glances = ids.flatMap((id) => {
    const state = work.states.get(id)
    const glance = state && !work.reload.has(id) && glanceAt(state.pool)
    return glance ? [{ id, ...glance }] : []
  })
  const read = createReader(work.client, work.target)
  const results = await read(glances.flatMap(({ calls }) => calls))
  const isAtTarget = results.every(({ seen }) => seen?.number === work.target.number)
  let start = 0
  const differing = glances.flatMap(({ id, calls, agrees }) => {
    const answers = results.slice(start, start + calls.length)
    start += calls.length
    const isWhole = answers.every(({ success }) => success)
    return isWhole && agrees(answers.map(({ data }) => data)) ? [] : [id]
  })
  return {
    drifted: isAtTarget ? differing : [],
    undecided: isAtTarget ? [] : differing,
  }
}

/**
 * The pools that logs may not have brought to the target: after a skipped block all, and those of earlier rounds that
 * were not read since.
 */
function unprovedOf(work: SyncState, before: Iterable<Address>): readonly Address[] {
  const { states, readAt, target } = work
  const named =
    work.skipped.length > 0 ? states.keys() : [...work.unproved].flatMap(poolsBehind(work))
  const still = [...before].filter((id) => !readAt.has(id))
  const added = [...named].filter((id) => readAt.get(id) !== target.number)
  return [...new Set([...still, ...added])].filter((id) => states.has(id))
}

function finish(
  work: SyncState,
  comparison: Comparison | undefined,
  before: Iterable<Address>,
): SyncedPools {
  const { target, base } = work
  const { number, hash, gasLimit } = target
  const between = new Map(work.logs.map((log) => [log.blockNumber, log.blockHash]))
  const known = [...between].filter(([at]) => base && at > base.number && at < number)
  const createdAt = (block: bigint) =>
    [...work.created].flatMap(([id, at]) => (at === block ? [id] : []))
  const blocks = known.map(([at, of]) => ({
    ...{ number: at, hash: of, touched: [], created: createdAt(at) },
  }))
  const newest = {
    ...{ number, hash, gasLimit },
    touched: [...work.moved],
    created: createdAt(number),
  }
  return {
    header: target,
    pools: new Map([...work.states].map(([id, { pool }]) => [id, pool])),
    derived: work.derived,
    refs: work.refs,
    failures: new Map([...work.failures].map(([id, { failure }]) => [id, failure])),
    moved: work.moved,
    recentBlocks: base && number > base.number ? [...blocks, newest] : [],
    ...(work.read && { read: work.read }),
    unproved: unprovedOf(work, before),
    changedBehaviour: work.changedBehaviour,
    swaps: work.swaps,
    ...(comparison && { comparison }),
  }
}
