// Runs the load generators of many pools at once and packs the calls of each round into shared
// multicall batches: a few hundred requests load thousands of pools.

import type { Hex } from '@braid-swap/core'
import type { BlockSeen, Call, CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader, hasBurned, type Reader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { LoadError } from './loadError.js'
import type { Load } from './loader.js'

/** The result of one load, a value or an error, and the blocks of its batches. */
export type Outcome<P> =
  | { readonly value: P; readonly seen: readonly BlockSeen[] }
  | { readonly failure: LoadError; readonly seen: readonly BlockSeen[] }

/** Most pending calls: further loads wait, to limit memory. */
const PENDING_CALLS = 20_000

/**
 * Runs many loads together in shared batches, at `header` if the node can read that block. The
 * outcomes keep the order of the loads. A failed contract call is the outcome of its load; an error
 * of the node or the network is thrown.
 */
export async function runLoads<P>(
  client: Client,
  loads: readonly Load<P>[],
  header: Header,
): Promise<readonly Outcome<P>[]> {
  const read = createReader(client, header)
  const runs = loads.map((load): Run<P> => ({ load, calls: [], seen: [] }))
  let active: Run<P>[] = []
  let next = 0
  while (active.length > 0 || next < runs.length) {
    let pending = active.reduce((sum, run) => sum + run.calls.length, 0)
    while (next < runs.length && pending < PENDING_CALLS) {
      const run = runs[next++]!
      step(run, () => run.load.next())
      pending += run.calls.length
      active.push(run)
    }
    await Promise.all(active.map((run) => tryBurning(client, run, read)))
    active = active.filter((run) => run.outcome === undefined)
    const results = await read(active.flatMap((run) => run.calls))
    let start = 0
    for (const run of active) {
      const end = start + run.calls.length
      feed(run, results.slice(start, end))
      start = end
    }
    active = active.filter((run) => run.outcome === undefined)
  }
  return runs.map((run) => run.outcome!)
}

type Run<P> = {
  readonly load: Load<P>
  readonly seen: BlockSeen[]
  calls: readonly Call[]
  outcome?: Outcome<P>
}

/** Fails a load whose call burned all gas before, if it burns it again: the other calls are not made. */
async function tryBurning<P>(client: Client, run: Run<P>, read: Reader): Promise<void> {
  const call = run.calls.find((one) => !one.mayFail && hasBurned(client, one))
  if (!call) return
  const [result] = await read([call])
  if (!result!.success) fail(run, call, result!)
}

function fail<P>(run: Run<P>, { to, data }: Call, result: CallResult): void {
  const got = result.data.slice(0, 200)
  const message = `call ${data} to ${to} failed with ${got}`
  const failure = new LoadError('POOL_CALL_FAILED', message, { to, data, got })
  run.outcome = { failure, seen: run.seen }
}

function feed<P>(run: Run<P>, results: readonly CallResult[]): void {
  if (run.outcome) return
  for (const { seen } of results) {
    if (seen && run.seen.at(-1) !== seen) run.seen.push(seen)
  }
  const failed = results.findIndex(({ success }, i) => !success && !run.calls[i]!.mayFail)
  if (failed !== -1) fail(run, run.calls[failed]!, results[failed]!)
  else step(run, () => run.load.next(results.map(answerOf)))
}

// The data of a failed call is a revert reason, not an answer.
function answerOf({ success, data }: CallResult): Hex {
  return success ? data : '0x'
}

function step<P>(run: Run<P>, advance: () => IteratorResult<readonly Call[], P>): void {
  try {
    const { done, value } = advance()
    if (done) {
      run.calls = []
      run.outcome = { value, seen: run.seen }
    } else {
      run.calls = value
    }
  } catch (error) {
    run.calls = []
    run.outcome = { failure: failureOf(error), seen: run.seen }
  }
}

// A missing ABI word throws a RangeError: the contract returned too few bytes.
function failureOf(error: unknown): LoadError {
  if (error instanceof LoadError) return error
  if (error instanceof RangeError) return new LoadError('POOL_CALL_FAILED', error.message)
  throw error
}
