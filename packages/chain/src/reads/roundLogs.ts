// Reads the logs of a round. A single new block is proved by its receipts. A range is read in one
// request, and with it once more the blocks of the round before, because a node may return a part of a
// new block's logs without an error.

import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@braid-swap/core'
import { sizeOfHex } from '@braid-swap/core/advanced'
import { numberToHex } from 'viem'
import { type Client, clientOf, endpointsOf, hasRateLimit } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isRefusal } from '../transport/rpcErrors.js'
import { changedBehaviour } from './behaviourLogs.js'
import { readProvedBlocks } from './blockReceipts.js'
import { areOnChain, type Header, NotContinuousError, type Point, readHeader } from './headers.js'
import type { Log } from './log.js'
import { MixedLogsError, readLogRange, readLogs } from './logRange.js'
import { doubtfulIn, isHoled, namedIn } from './logsBloom.js'
import { swapsIn } from './swapLogs.js'

/** The logs of the followed contracts in a range of blocks, as last read. */
export type ReadLogs = { readonly fromBlock: bigint; readonly logs: readonly Log[] }

/** A contract whose logs in a block may be missing or foreign: its pools must be read. */
export type Doubt = { readonly address: Address; readonly at: bigint }

/** The logs of a round. */
export type RoundLogs = {
  /** Those of the followed contracts in the new blocks, in order. */
  readonly logs: readonly Log[]
  /** The logs of both readings of the blocks that have other logs than at the first one. */
  readonly changed: readonly Log[]
  readonly doubts: readonly Doubt[]
  /** Blocks whose logs the node refuses for good. */
  readonly skipped: readonly bigint[]
  /** Contracts that say that their behaviour may have changed; only those followed if the range is long. */
  readonly changedBehaviour: readonly Address[]
  /**
   * Followed contracts of which a log may be missing: none if each block is proved by its receipts, or by an
   * independent endpoint.
   */
  readonly unproved: readonly Address[]
  /** The swaps of every contract in the new blocks; none if only logs of those followed were read. */
  readonly swaps: readonly Log[]
}

/** A range up to this length is read with the logs of every contract, which alone can be proved. */
const MAX_PROVED = 16n

/**
 * The logs of the blocks after `from` up to the head, and of the blocks of `before` again. Throws a
 * NotContinuousError if `from` is no longer on the head's chain, a MixedLogsError if a log is of
 * another block than requested.
 *
 * The range is read in one request, for all contracts if it is short: so the head's bloom filter and
 * the numbers of the logs show what is missing. `from` is compared by the head's parent hash, or else by
 * the hash that its own logs name; only if it has none, its header is read.
 */
export async function readRound(
  client: Client,
  {
    from,
    head,
    before,
    followed,
  }: {
    readonly from: Point
    readonly head: Header
    readonly before: ReadLogs | undefined
    /** Addresses of pools, factories and watched contracts. */
    readonly followed: readonly Address[]
  },
): Promise<RoundLogs> {
  if (head.number === from.number + 1n && head.parentHash !== from.hash) {
    throw new NotContinuousError(head)
  }
  const isFollowed = new Set(followed)
  const proved = await readProvedBlocks(client, from, head)
  if (proved) {
    const logs = proved.flatMap((block) => block.logs)
    return {
      ...{ changed: [], skipped: [], unproved: [] },
      logs: logs.filter(({ address }) => isFollowed.has(address)),
      doubts: proved.flatMap(({ others }, i) =>
        others
          .filter((address) => isFollowed.has(address))
          .map((address) => ({ address, at: from.number + 1n + BigInt(i) })),
      ),
      changedBehaviour: changedBehaviour(logs),
      swaps: swapsIn(logs),
    }
  }
  const fromBlock = before && before.fromBlock < from.number ? before.fromBlock : from.number
  const range = { fromBlock, toBlock: head.number }
  const read = await readWithHead(client, range, { head, followed })
  checkHashes(read.logs, from, head)
  const isSeen = ({ blockNumber }: Log) => blockNumber === from.number
  if (head.number > from.number + 1n && !read.logs.some(isSeen)) {
    if (!(await areOnChain(client, [from]))) throw new NotContinuousError(head)
  }
  const isNew = ({ blockNumber }: Log) => blockNumber > from.number
  const own = read.logs.filter(({ address }) => isFollowed.has(address))
  const again = own.filter(({ blockNumber }) => blockNumber <= from.number)
  const changed = before ? changedLogs(before, again) : []
  if (changed.length > 0) noteWrongLogs(client)
  return {
    logs: own.filter(isNew),
    changed,
    doubts: read.isWhole
      ? await doubtsIn(client, read.logs, { from, head, followed, hasChanged: changed.length > 0 })
      : [],
    skipped: read.skipped,
    changedBehaviour: changedBehaviour(read.logs),
    unproved: (await isWitnessed(client, range, read)) ? [] : unprovedIn(from, head, followed),
    swaps: read.isWhole ? swapsIn(read.logs).filter(isNew) : [],
  }
}

/** The contracts that may have a log in the new blocks, by the bloom filter if there is one of them all. */
function unprovedIn(from: Point, { number, logsBloom }: Header, followed: readonly Address[]) {
  const isKnown = number === from.number + 1n && logsBloom !== undefined
  return isKnown ? namedIn(BigInt(logsBloom), followed) : followed
}

/** Returns true if two endpoints of the client answer the same logs as were read, of every contract. */
async function isWitnessed(
  client: Client,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
  { logs, isWhole }: BlockLogs,
): Promise<boolean> {
  const endpoints = endpointsOf(client)
  if (!isWhole || endpoints.length < 2) return false
  const where = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  const agree = await Promise.all(
    endpoints.map(async (endpoint) => {
      const alone = clientOf([endpoint], { retryCount: 0, patienceMs: 0, chain: client.chain })
      const own = await readLogs(alone, {}, where).catch(() => undefined)
      return own !== undefined && isDeepStrictEqual(own.map(bodyOf), logs.map(bodyOf))
    }),
  )
  return agree.filter(Boolean).length >= 2
}

/** Rounds for which a node stays under watch after its logs were wrong. */
const WATCHED = 64
const noWatch = () => ({ roundsLeft: 0 })

/** Records that logs of a node were wrong. */
export function noteWrongLogs(client: Client): void {
  memoryOf(client, noWatch).roundsLeft = WATCHED
}

/**
 * Returns true if states that follow from unproved logs are to be compared with the chain in this round: always
 * where requests are not limited, and otherwise for 64 rounds after the node's logs were wrong. A log may be
 * missing without a trace.
 */
export function isUnderWatch(client: Client): boolean {
  const watch = memoryOf(client, noWatch)
  const isWatched = watch.roundsLeft > 0
  if (isWatched) watch.roundsLeft -= 1
  return isWatched || !hasRateLimit(client)
}

type BlockLogs = {
  readonly logs: readonly Log[]
  readonly skipped: readonly bigint[]
  /** True if the logs are those of every contract. */
  readonly isWhole: boolean
}

/** Times that a range is read again because the answer has nothing of its newest block. */
const MORE_READS = 2

/** One URL may stand for backends of several heights, and one that lacks the head leaves out its logs. */
async function readWithHead(
  client: Client,
  range: { readonly fromBlock: bigint; readonly toBlock: bigint },
  { head, followed }: { readonly head: Header; readonly followed: readonly Address[] },
): Promise<BlockLogs> {
  const hasLogs = BigInt(head.logsBloom ?? 0) !== 0n
  for (let left = MORE_READS; ; left--) {
    const read = await readBlocks(client, range, followed)
    const hasHead = read.logs.some(({ blockNumber }) => blockNumber === head.number)
    if (left === 0 || hasHead || !hasLogs || !read.isWhole) return read
  }
}

/** Rounds without logs of every contract after the node refused them. */
const PAUSE = 8
const noPause = () => ({ roundsLeft: 0 })

async function readBlocks(
  client: Client,
  range: { readonly fromBlock: bigint; readonly toBlock: bigint },
  followed: readonly Address[],
): Promise<BlockLogs> {
  const pause = memoryOf(client, noPause)
  if (pause.roundsLeft > 0) pause.roundsLeft -= 1
  else if (range.toBlock - range.fromBlock < MAX_PROVED) {
    try {
      const where = { fromBlock: numberToHex(range.fromBlock), toBlock: numberToHex(range.toBlock) }
      return { logs: await readLogs(client, {}, where), skipped: [], isWhole: true }
    } catch (error) {
      // The answer is too large, a block is missing, or a log has no block or index.
      if (!isRefusal(error) && !(error instanceof MixedLogsError)) throw error
      pause.roundsLeft = PAUSE
    }
  }
  const addresses = followed.filter((address) => sizeOfHex(address) === 20)
  return { ...(await readLogRange(client, { addresses, ...range })), isWhole: false }
}

type Range = { readonly from: Point; readonly head: Header; readonly followed: readonly Address[] }

/**
 * The contracts in doubt in the new blocks. The headers of the blocks between are read only if something
 * is wrong with the answer: the head's logs, the numbers of the others, or the blocks read before.
 */
async function doubtsIn(
  client: Client,
  logs: readonly Log[],
  { from, head, followed, hasChanged }: Range & { readonly hasChanged: boolean },
): Promise<readonly Doubt[]> {
  const logsOf = (number: bigint) => logs.filter(({ blockNumber }) => blockNumber === number)
  const doubtsAt = ({ number, logsBloom }: Header): readonly Doubt[] => {
    if (logsBloom === undefined) return []
    const doubtful = doubtfulIn(logsOf(number), { bloom: BigInt(logsBloom), followed })
    return doubtful.map((address) => ({ address, at: number }))
  }
  const between = Array.from(
    { length: Number(head.number - from.number) - 1 },
    (_, i) => from.number + 1n + BigInt(i),
  )
  const ofHead = doubtsAt(head)
  const isSound =
    ofHead.length === 0 && !hasChanged && !between.some((number) => isHoled(logsOf(number)))
  if (isSound) return []
  const headers = await Promise.all(between.map((number) => readHeader(client, number)))
  return [...headers.flatMap(doubtsAt), ...ofHead]
}

const bodyOf = ({ address, topics, data }: Log) => [address, ...topics, data].join()

/** The logs of the blocks that have other logs than at the first reading, of both readings. */
function changedLogs(before: ReadLogs, again: readonly Log[]): readonly Log[] {
  const numbers = new Set([...before.logs, ...again].map(({ blockNumber }) => blockNumber))
  return [...numbers].flatMap((number) => {
    const [one, other] = [before.logs, again].map((logs) =>
      logs.filter(({ blockNumber }) => blockNumber === number),
    ) as [Log[], Log[]]
    const isSame = isDeepStrictEqual(one.map(bodyOf), other.map(bodyOf))
    return isSame ? [] : [...one, ...other]
  })
}

/** Every block has one hash; that of `from` and of the head is known, of a parent from the head itself. */
function checkHashes(logs: readonly Log[], from: Point, head: Header): void {
  const isParent = head.number === from.number + 1n
  const hashes = new Map([from, head].map(({ number, hash }) => [number, hash]))
  for (const log of logs) {
    const known = hashes.get(log.blockNumber)
    if (known === undefined) hashes.set(log.blockNumber, log.blockHash)
    else if (known === log.blockHash) continue
    else if (log.blockNumber === from.number && !isParent) throw new NotContinuousError(head)
    else throw new MixedLogsError(log)
  }
}
