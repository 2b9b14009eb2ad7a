// Extends a synchronisation by the logs of further blocks, and by the blocks that reads reported.

import type { Address } from '@braid-swap/core'
import {
  MAX_CATCH_UP,
  NotContinuousError,
  type Point,
  readHeader,
  TooFarBehindError,
} from '../reads/headers.js'
import type { Log } from '../reads/log.js'
import { readRound } from '../reads/roundLogs.js'
import { withSubjects } from './logSubjects.js'
import { ChainMovedError } from './syncErrors.js'
import { type SyncState, watchersOf } from './syncState.js'

/** Blocks of a round whose logs the next round reads again. */
const MAX_READ_AGAIN = 8n

/** Reads the logs between the last block reached and the target. */
export async function extend(work: SyncState): Promise<void> {
  const from = work.reached ?? work.base!
  const { target, read: before } = work
  if (from.number === target.number) {
    if (from.hash !== target.hash) throw new ChainMovedError(target)
    return
  }
  const blocks = target.number - from.number
  if (blocks < 0n) throw new NotContinuousError(target)
  if (blocks > MAX_CATCH_UP) throw new TooFarBehindError(blocks)
  const followed = [
    ...work.venues.map(({ factory }) => factory.toLowerCase() as Address),
    // A pool without an address logs by its venue's factory.
    ...[...work.refs.keys()].filter((id) => !work.banned.has(id)),
    ...watchersOf(work).keys(),
  ]
  const round = await readRound(work.client, {
    ...{ from, head: target, before },
    followed: [...new Set(followed)],
  })
  for (const { address, at } of round.doubts) work.doubts.set(address, at)
  for (const { address } of round.changed) work.doubts.set(address, target.number)
  for (const address of round.unproved) work.unproved.add(address)
  const logs = withSubjects([...round.changed, ...round.logs], work)
  work.logs = [...work.logs, ...(await withTimes(work, logs))]
  work.skipped = [...work.skipped, ...round.skipped]
  for (const address of round.changedBehaviour) work.changedBehaviour.add(address)
  work.swaps.push(...withSubjects(round.swaps, work).map(({ address }) => address))
  const oldest = target.number - MAX_READ_AGAIN + 1n
  const fromBlock = oldest > from.number ? oldest : from.number + 1n
  work.read = { fromBlock, logs: round.logs.filter((log) => log.blockNumber >= fromBlock) }
  work.reached = target
  checkSeen(work, [from, target, ...round.logs])
}

/**
 * Logs with the time of their block, where the node does not send it and a pool's state depends on it:
 * from the target, or else from the block's header.
 */
async function withTimes(work: SyncState, logs: readonly Log[]): Promise<readonly Log[]> {
  const { target, client, states } = work
  const times = new Map([[target.number, target.timestamp]])
  const isTimed = ({ address, timestamp }: Log) => {
    const pool = states.get(address)?.pool
    return timestamp === undefined && pool !== undefined && 'quotedAt' in pool
  }
  const wanted = new Set(logs.filter(isTimed).map(({ blockNumber }) => blockNumber))
  wanted.delete(target.number)
  const headers = await Promise.all([...wanted].map((number) => readHeader(client, number)))
  for (const { number, timestamp } of headers) times.set(number, timestamp)
  return logs.map((log) => {
    const timestamp = log.timestamp ?? times.get(log.blockNumber)
    return timestamp === undefined ? log : { ...log, timestamp }
  })
}

/** Moves the target to the newest block that was read, and the base to the one before the oldest. */
export async function moveTarget(work: SyncState): Promise<void> {
  const first = work.seen[0]
  if (!first) {
    work.base ??= work.target
    return
  }
  const oldest = work.seen.reduce((a, b) => (a.number < b.number ? a : b), first)
  const newest = work.seen.reduce((a, b) => (a.number > b.number ? a : b), first)
  if (work.base && oldest.number < work.base.number) throw new ChainMovedError(oldest)
  work.base ??= { number: oldest.number - 1n, hash: oldest.parentHash }
  if (newest.number > work.target.number) work.target = await readHeader(work.client, newest.number)
  checkSeen(work, [work.base, work.target])
}

/** Checks that each batch read a block of the followed chain, as far as hashes of its blocks are known. */
function checkSeen(
  work: SyncState,
  known: readonly (Point | Pick<Log, 'blockNumber' | 'blockHash'>)[],
): void {
  const hashes = new Map(
    known.map((at) =>
      'number' in at ? [at.number, at.hash] : ([at.blockNumber, at.blockHash] as const),
    ),
  )
  const { target } = work
  for (const seen of work.seen) {
    const parent = hashes.get(seen.number - 1n)
    const isOther = parent !== undefined && parent !== seen.parentHash
    const isTarget = seen.number === target.number
    if (isOther || (isTarget && seen.parentHash !== target.parentHash)) {
      throw new ChainMovedError(seen)
    }
  }
}
