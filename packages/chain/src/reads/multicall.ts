// Batched contract reads through Multicall3. Each batch also reads its own block number, parent
// hash and time, so that callers can prove which block every answer belongs to.

import { BaseError, type Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { toFunctionSelector } from 'viem'
import type { Client } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isExecutionFailure, isRefusal } from '../transport/rpcErrors.js'
import { wordAt } from './abiWords.js'
import { decodeAggregate3, encodeAggregate3 } from './aggregate3.js'
import { enlarge, shrink, sizeOf } from './batchSize.js'
import type { Call, CallResult } from './call.js'
import { MULTICALL3 } from './clock.js'
import { answerOfCode } from './codeHash.js'
import type { Header } from './headers.js'
import type { CallTerms } from './payingCalls.js'
import {
  callParams,
  isPinned,
  lastPin,
  type Place,
  placeOf,
  type Reading,
  readPinned,
  seenIn,
} from './pinned.js'
import { readScans, runProgram } from './programs.js'

/** Reads calls in batches, each of which reports its block; the results keep the order. */
export type Reader = (calls: readonly Call[]) => Promise<readonly CallResult[]>

/**
 * Bytes of calldata in a batch, ABI tuples included: well below the body limits of public nodes.
 */
const BATCH_BYTES = 256 * 1024

/**
 * A reader at `header`, by hash or else by number. If the node can read neither, or for `'latest'`,
 * it reads the node's latest block: callers must check the block that each batch reports. Halves
 * batches that fail; the size that passes is shared by all readers of a client. `terms` say who calls, and
 * in which state. Throws a NoMulticallError if there is no Multicall3.
 */
export function createReader(
  client: Client,
  header: Pick<Header, 'number' | 'hash'> | 'latest',
  terms: CallTerms = {},
): Reader {
  const reading: Reading = {
    ...{ client, terms },
    pin: header === 'latest' || !isPinned(client) ? 'latest' : 'hash',
    at: (pin) => placeOf(header, pin),
    size: sizeOf(client),
  }
  const newest: Reading = { ...reading, pin: 'latest', at: () => 'latest' }
  return async (calls) => {
    const results = new Map<Call, CallResult>()
    const readAll = async (by: Reading, some: readonly Call[], read = readCalls) => {
      const answers = await read(by, some)
      for (const [i, call] of some.entries()) results.set(call, answers[i]!)
    }
    const plain = calls.filter((call) => !isApart(call) && !hasBurned(client, call))
    const [ofNow, ofBlock] = [true, false].map((is) =>
      plain.filter(({ isLatest = false }) => isLatest === is),
    ) as [Call[], Call[]]
    const readOne = (call: Call): Promise<CallResult> => {
      if (call.isSlot) return readSlot(reading, call)
      if (call.isCode) return readCode(reading, call)
      if (call.isProgram) return runProgram(reading, call.data)
      return readAlone(call.isLatest ? newest : reading, call)
    }
    const scans = calls.filter(({ scan }) => scan !== undefined)
    const single = calls.filter((call) => !call.scan && (isApart(call) || hasBurned(client, call)))
    await readAll(reading, ofBlock)
    await Promise.all([
      readAll(newest, ofNow),
      readAll(reading, scans, readScans),
      inParts(single, async (call) => void results.set(call, await readOne(call))),
    ])
    return calls.map((call) => results.get(call)!)
  }
}

/** Requests that wait for the client's limit at once: with many more, the last would wait in vain. */
const AT_ONCE = 16

async function inParts(calls: readonly Call[], read: (call: Call) => Promise<void>): Promise<void> {
  for (let i = 0; i < calls.length; i += AT_ONCE) {
    await Promise.all(calls.slice(i, i + AT_ONCE).map(read))
  }
}

/** A call that burned all gas before. Its refusal is its own, so no weaker block pin is tried. */
async function readAlone(reading: Reading, call: Call): Promise<CallResult> {
  const pin = reading.pin === 'latest' ? 'latest' : (lastPin(reading.client) ?? reading.pin)
  const [one] = await readChunk({ ...reading, pin, isPinKnown: true }, [call])
  return one!
}

/** The calls that last failed alone without a word, as one does that burns all its gas. */
const noneBurning = () => new Set<string>()
const keyOf = ({ to, data }: Call) => `${to} ${data}`
/** The most of them that are kept: a token whose balance changes makes a new one in every block. */
const MOST_BURNING = 1_000

/**
 * Returns true if a call seems to have burned all the gas of a request when it was last made: it goes alone.
 * Multicall3 may survive such a call on the last 64th, so that only an answer without data tells.
 */
export function hasBurned(client: Client, call: Call): boolean {
  return memoryOf(client, noneBurning).has(keyOf(call))
}

function noteBurned(client: Client, call: Call, isBurned: boolean): void {
  const calls = memoryOf(client, noneBurning)
  calls.delete(keyOf(call))
  if (isBurned) calls.add(keyOf(call))
  if (calls.size > MOST_BURNING) calls.delete(calls.values().next().value!)
}

/** Returns true if a call needs a request of its own, because Multicall3 cannot make it. */
const isApart = ({ isSlot, isProgram, isCode, scan }: Call) =>
  Boolean(isSlot || isProgram || isCode || scan)

async function readCalls(reading: Reading, calls: readonly Call[]): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  let start = 0
  while (start < calls.length) {
    const { size } = reading
    const { calls: most } = size
    const chunk = takeChunk(calls, start, most)
    results.push(...(await readChunk(reading, chunk)))
    // Only a full batch proves that its size passes.
    if (chunk.length === most && size.calls === most) enlarge(size)
    start += chunk.length
  }
  return retryAlone(reading, calls, results)
}

async function readSlot(reading: Reading, { to, data }: Call): Promise<CallResult> {
  const { client } = reading
  const word = await readPinned(reading, (place) =>
    client.request({ method: 'eth_getStorageAt', params: [to, data, place] }),
  )
  return { success: true, data: toHex(BigInt(word ?? '0x0'), 32) }
}

/** What is known of code: since Cancun that of an address never changes once it is there. */
const noCodes = () => new Map<Hex, Hex>()

async function readCode(reading: Reading, { to }: Call): Promise<CallResult> {
  const { client } = reading
  const known = memoryOf(client, noCodes)
  const read = () =>
    readPinned(reading, (place) => client.request({ method: 'eth_getCode', params: [to, place] }))
  const data = known.get(to) ?? answerOfCode((await read()) ?? '0x')
  if (data !== '0x') known.set(to, data)
  return { success: true, data }
}

function takeChunk(calls: readonly Call[], start: number, size: number): readonly Call[] {
  let end = start
  let bytes = 0
  while (end < calls.length && end - start < size) {
    bytes += 192 + (calls[end]!.data.length - 2) / 2
    if (bytes > BATCH_BYTES && end > start) break
    end += 1
  }
  return calls.slice(start, end)
}

/** Halves a batch that fails, so that one call that burns all gas does not fail the others. */
async function readChunk(reading: Reading, calls: readonly Call[]): Promise<readonly CallResult[]> {
  const { client } = reading
  try {
    const results = await readPinned(reading, (place) => aggregate(reading, calls, place))
    const [call, ...others] = calls
    if (call && others.length === 0) {
      const isBurned = isEmptyFailure(results[0]!)
      // A call that may fail often has another reason, and other data each time.
      if (!isBurned || !call.mayFail) noteBurned(client, call, isBurned)
    }
    return results
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (calls.length === 1) {
      if (!isExecutionFailure(error)) throw error
      noteBurned(client, calls[0]!, true)
      return [{ success: false, data: '0x' }]
    }
    const half = Math.ceil(calls.length / 2)
    shrink(reading.size, calls.length)
    const left = await readChunk(reading, calls.slice(0, half))
    return [...left, ...(await readChunk(reading, calls.slice(half)))]
  }
}

/**
 * Retries, alone and with the full gas, calls that failed without return data. An earlier call of
 * the batch may have used their gas, because the EVM forwards up to 63/64 of the gas to each call.
 */
async function retryAlone(
  reading: Reading,
  calls: readonly Call[],
  results: CallResult[],
): Promise<readonly CallResult[]> {
  if (calls.length === 1) return results
  for (const [i, result] of results.entries()) {
    if (!isEmptyFailure(result)) continue
    const [alone] = await readChunk(reading, [calls[i]!])
    results[i] = alone!
  }
  return results
}

const isEmptyFailure = ({ success, data }: CallResult) => !success && data === '0x'

const BLOCK_NUMBER = toFunctionSelector('function getBlockNumber()')
const BLOCK_CALLS = [
  BLOCK_NUMBER,
  toFunctionSelector('function getLastBlockHash()'),
  toFunctionSelector('function getCurrentBlockTimestamp()'),
]

/**
 * One `aggregate3`. The block queries in front identify the block; the one at the end makes a batch
 * that ran out of gas revert.
 */
async function aggregate(
  { client, terms }: Reading,
  calls: readonly Call[],
  place: Place,
): Promise<readonly CallResult[]> {
  const target = multicallOf(client)
  const ask = (callData: Hex) => ({ target, allowFailure: false, callData })
  const data = encodeAggregate3([
    ...BLOCK_CALLS.map(ask),
    ...calls.map(({ to, data }) => ({
      ...{ target: to === MULTICALL3 ? target : to, allowFailure: true, callData: data },
    })),
    ask(BLOCK_NUMBER),
  ])
  const params = callParams({ to: target, data }, place, terms)
  const answer = await client.request({ method: 'eth_call', params })
  if (answer === '0x') throw new NoMulticallError(target)
  const all = decodeAggregate3(answer)
  const seen = seenIn(all.slice(0, 3).map(({ returnData }) => wordAt(returnData, 0)))
  return all
    .slice(BLOCK_CALLS.length, -1)
    .map(({ success, returnData }) => ({ success, data: returnData, seen }))
}

/** The address of the chain's Multicall3; throws a NoMulticallError if the chain has none. */
export function multicallOf(client: Client): Hex {
  const address = client.chain.contracts?.multicall3?.address
  if (address === undefined) throw new NoMulticallError('none')
  return address
}

/** There is no Multicall3 at the configured address. */
export class NoMulticallError extends BaseError {
  readonly code = 'NO_MULTICALL'

  constructor(address: string) {
    super(`no Multicall3 answers at ${address}`, { address })
  }
}
