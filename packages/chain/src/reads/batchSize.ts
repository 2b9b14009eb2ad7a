// The number of calls in a batch, per client: halved after a failure, doubled after successes, because
// nodes limit gas and answers differently.

import { numberToHex } from 'viem'
import { type Client, callGasOf } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { MAX_CALL_GAS } from '../transport/profile.js'

/**
 * Initial and largest number of calls in a batch; halved after a failure, doubled after a success.
 */
const BATCH_CALLS = 1000
/** Set explicitly, because a node may default to the block's own limit. */
export const BATCH_GAS = numberToHex(MAX_CALL_GAS)
/** Smallest batch size: a failure below it has another cause than size. */
const MIN_CALLS = 16
/**
 * Full batches that must pass before the failed size is tried again: its calls may have been
 * costly.
 */
const PATIENCE = 16
/** Calls per batch, learned from what passed and what failed. */
export type BatchSize = { calls: number; failed: number; passed: number }

const noSize = (): { known?: BatchSize } => ({})

/** The size of a client's batches. Failures cost requests, so it outlives the reader. */
export function sizeOf(client: Client): BatchSize {
  const fitting = Number((BigInt(BATCH_CALLS) * callGasOf(client)) / MAX_CALL_GAS)
  const size = memoryOf(client, noSize)
  size.known ??= { calls: Math.max(MIN_CALLS, fitting), failed: BATCH_CALLS + 1, passed: 0 }
  return size.known
}

export function enlarge(size: BatchSize): void {
  size.passed += 1
  if (size.passed >= PATIENCE) size.failed = BATCH_CALLS + 1
  const larger = Math.min(2 * size.calls, BATCH_CALLS)
  if (larger >= size.failed || larger === size.calls) return
  size.calls = larger
  size.passed = 0
}

export function shrink(size: BatchSize, failed: number): void {
  size.failed = failed
  size.calls = Math.max(MIN_CALLS, Math.min(size.calls, Math.ceil(failed / 2)))
  size.passed = 0
}
